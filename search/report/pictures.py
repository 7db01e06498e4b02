"""Pictures of one game for sharing: the curve of both hands, and an animation of the game."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from camicia.cards import Deal
from camicia.codes import SYMBOLS
from camicia.results import Result, Status, counted
from camicia.rules import Game, play_by_play
from camicia.simulate import simulate
from search.errors import CampaignError
from search.report.player import checked_length, title_of
from search.report.saving import figure_type, saved
from search.report.traces import trace

#: Formats, by the suffix of a file's name.
FORMATS = ("png", "svg", "gif")

#: Tricks that an animation shows by default.
TRICKS = 12

#: Colours of hand A, hand B and a cycle, and of each card.
HANDS, CYCLE = ("#0b5cad", "#a2490c"), "#6d3fa0"
GROUND, EDGE, PALE = "#e6efe7", "#b9c4bb", "#9aa79d"
INKS = ("#5b636c", "#0b6b53", "#6d3fa0", "#a2490c", "#b3202c")

#: The longest game, in cards, whose curve has a point per card; longer ones have a point per trick.
EACH_CARD = 500
#: The longest game, in cards, in which each payment card is marked.
EACH_PAYMENT = 300
#: The longest deal that is written below its curve.
LONGEST_DEAL = 90

#: Most frames of an animation: longer games skip cards.
FRAMES = 400
#: Milliseconds of a frame that shows every card, of one that does not, and of the last.
EVERY_CARD, SOME_CARDS, LAST = 350, 60, 3000

#: Pixels of an animation and of a card in it, and how many cards stand side by side.
WIDTH, MARGIN, CARD, COLUMNS = 640, 16, (21, 30), 26
#: Most rows of cards of one hand in an animation of a large deck.
MOST_ROWS = 4


def curve(deal: Deal, form: str) -> bytes:
    """Draw the number of cards in each hand over the game.

    Parameters
    ----------
    deal : Deal
        The deal.
    form : {"png", "svg"}
        The format.

    Returns
    -------
    bytes
        The content of a file.

    Raises
    ------
    CampaignError
        If matplotlib is not installed, or the game is too long.
    """
    result = simulate(deal)
    checked_length(deal, result)
    game = trace(deal)
    figure = figure_type()(figsize=(10, 5), layout="constrained")
    axes = figure.add_subplot()
    axes.grid(alpha=0.3)
    axes.set(ylabel="cards in hand", title=title_of(result))
    axes.set_xlabel("cards played" + (f"\n{deal}" if deal.size < LONGEST_DEAL else ""), family="monospace")
    axes.margins(x=0.01)
    shown = range(len(game.hands)) if result.cards <= EACH_CARD else game.starts
    for player, alpha in enumerate((1, 0.65)):
        line = {"color": HANDS[player], "linewidth": 0.9, "label": f"hand {'AB'[player]}"}
        held = [game.hands[card][player] for card in shown]
        axes.plot(list(shown), held, alpha=alpha, zorder=3 - player, **line)
    if result.status is Status.LOOP:
        axes.axvspan(result.transient_cards, result.cards, color=CYCLE, alpha=0.12, label="the cycle")
    if result.cards <= EACH_PAYMENT:
        for code in range(1, len(SYMBOLS)):
            places = [card for card, laid in game.payments if laid == code]
            axes.plot(places, [0] * len(places), "|", color=INKS[code], markersize=4 + 4 * code)
    for player, call in enumerate(game.calls):
        if call:
            label = f"closest call of {'AB'[player]}: {counted(call.held, 'card')} left"
            axes.plot(
                call.cards,
                call.held,
                "o",
                color=HANDS[player],
                markerfacecolor="white",
                label=label,
                zorder=4,
            )
    figure.legend(loc="outside lower center", ncols=5, frameon=False)
    return saved(figure, form)


def animation(deal: Deal, tricks: int | None = TRICKS) -> bytes:
    """Draw a game as a GIF, card by card.

    Parameters
    ----------
    deal : Deal
        The deal.
    tricks : int or None, optional
        How many tricks to show; None for the whole game, in which a long one is shown in leaps.

    Returns
    -------
    bytes
        The content of a file.

    Raises
    ------
    CampaignError
        If Pillow is not installed, or the game is too long.
    """
    result = simulate(deal)
    checked_length(deal, result)
    table = _Table(deal, result)
    last = result.tricks if tricks is None else min(tricks, result.tricks)
    steps = sum(1 for _ in _until(deal, last))
    leap = -(-steps // FRAMES)
    frames, times = [], []
    for number, (game, gone) in enumerate(_until(deal, last)):
        if number % leap == 0 or number == steps - 1:
            frames.append(table.drawn(game, gone))
            times.append(EVERY_CARD if leap == 1 else SOME_CARDS)
    times[-1] = LAST
    # All frames share the palette of one that has every colour.
    palette = table.colours()
    first, *others = (frame.quantize(palette=palette, dither=0) for frame in frames)
    file = io.BytesIO()
    first.save(file, "GIF", save_all=True, append_images=others, duration=times, loop=0)
    return file.getvalue()


def _until(deal: Deal, tricks: int) -> Iterator[tuple[Game, list[int]]]:
    """Play until this many tricks are collected; also returns the pile just collected, if any."""
    before: list[int] = []
    for game in play_by_play(deal):
        gone = [] if game.pile else before
        yield game, gone
        if game.tricks >= tricks:
            return
        before = [*game.pile, *list(game.hands[game.player])[:1]]


class _Table:
    """Draws the table between two cards."""

    def __init__(self, deal: Deal, result: Result) -> None:
        try:
            from PIL import Image, ImageDraw, ImageFont
        except ImportError as error:
            raise CampaignError(
                f"animations need Pillow ({error}); install it with: pip install 'camicia[report]'"
            ) from None
        self._image, self._draw = Image, ImageDraw
        self._font = ImageFont.load_default(size=15)
        self._small = ImageFont.load_default(size=13)
        self._title = f"{title_of(result)}"
        self._rows = min(MOST_ROWS, -(-deal.size // COLUMNS))

    def drawn(self, game: Game, gone: list[int]) -> Any:
        """Draw a frame; a pile that was just collected is shown as it was, but pale."""
        high = CARD[1] + 3
        image = self._image.new("RGB", (WIDTH, 118 + high * (2 * self._rows + 1) + 36), GROUND)
        draw = self._draw.Draw(image)
        draw.text((MARGIN, 10), self._title, fill="#1f2328", font=self._font)
        place = f"card {game.cards:,}, trick {game.tricks:,}"
        draw.text((WIDTH - MARGIN, 10), place, fill="#5b636c", font=self._small, anchor="ra")
        top = 36
        for name, player in (("Hand A", 0), ("Pile", None), ("Hand B", 1)):
            cards = list(game.pile if player is None else game.hands[player])
            said = f"{name}: {counted(len(cards), 'card')}" + _said(game, player)
            pale = player is None and bool(gone)
            if pale:
                cards, said = gone, f"Pile: {'AB'[game.player]} took {counted(len(gone), 'card')}"
            colour = "#5b636c" if player is None else HANDS[player]
            draw.text((MARGIN, top), said, fill=colour, font=self._small)
            rows = 1 if player is None else self._rows
            self._cards(draw, cards, top + 20, rows, pale)
            top += 20 + high * rows + 12
        return image

    def colours(self) -> Any:
        """Return a palette of few colours that suits all frames."""
        image = self._image.new("RGB", (WIDTH, 98), GROUND)
        draw = self._draw.Draw(image)
        for player in (0, 1):
            draw.text((MARGIN, 30 * player), "Hand card 0123456789", fill=HANDS[player], font=self._small)
        draw.text((240, 0), self._title, fill="#1f2328", font=self._font)
        draw.text((240, 20), "card, trick 0123456789", fill="#5b636c", font=self._small)
        self._cards(draw, [0, 1, 2, 3, 4] * 2, 30, 1, False)
        self._cards(draw, [0, 1, 2, 3, 4] * 2, 64, 1, True)
        return image.quantize(colors=96)

    def _cards(self, draw: Any, cards: list[int], top: int, rows: int, pale: bool) -> None:
        wide, high = CARD
        shown = COLUMNS * rows
        for place, code in enumerate(cards[:shown]):
            row, column = divmod(place, COLUMNS)
            x, y = MARGIN + column * (wide + 2), top + row * (high + 3)
            if place == shown - 1 and len(cards) > shown:
                draw.text((x + 2, y + 6), "…", fill=INKS[0], font=self._font)
                return
            ink, edge = (PALE, PALE) if pale else (INKS[code], INKS[code] if code else EDGE)
            box = (x, y, x + wide - 1, y + high - 1)
            draw.rounded_rectangle(box, 4, fill=GROUND if pale else "#ffffff", outline=edge)
            text = SYMBOLS[code] if code else "·"
            draw.text((x + wide / 2, y + high / 2), text, fill=ink, font=self._font, anchor="mm")


def _said(game: Game, player: int | None) -> str:
    """Return what a player has to do, or has done."""
    if player is None or (game.player != player and game.winner != player):
        return ""
    if game.winner is not None:
        return ", has won" if game.winner == player else ""
    if game.penalty:
        return f", owes {game.penalty}"
    return ", to play" if game.pile else ", leads"
