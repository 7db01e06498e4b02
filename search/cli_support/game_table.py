"""A game as a table for people: a line a trick, or a line a card, with a loop's cycle marked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from camicia import Deal, Result
from camicia.codes import hand_text
from camicia.results import Status, counted
from camicia.rules import Game, play_by_play
from search.cli_support.tables import hanging
from search.cli_support.terminal import coloured

#: The columns of the table of cards.
CARD_COLUMNS = ("round", "hand A", "hand B", "pile", "penalty due")

_TRICK_HEADER = "trick   A's   B's  lead  won  cards laid"
_GAP = "  "


class Trick(NamedTuple):
    """A trick of a game.

    Parameters
    ----------
    number : int
        From 1.
    held : tuple of int, int
        Cards in hand A and hand B before it.
    leader, winner : int
        Who leads and who takes the pile, 0 for A and 1 for B.
    laid : str
        The cards laid, in order.
    """

    number: int
    held: tuple[int, int]
    leader: int
    winner: int
    laid: str


def tricks_of(deal: Deal) -> Iterator[Trick]:
    """Yield the tricks of a game, a loop's up to its first repeated state.

    Examples
    --------
    >>> [trick.laid for trick in tricks_of(Deal.parse("J/-J"))]
    ['J-', 'JJ-']
    """
    held, leader, laid, following = (0, 0), 0, b"", b""
    for game in play_by_play(deal):
        if game.at_start_of_round:
            if game.tricks:
                yield Trick(game.tricks, held, leader, game.player, hand_text(laid + following))
            held, leader, laid = (len(game.hands[0]), len(game.hands[1])), game.player, b""
        else:
            laid = bytes(game.pile)
        # The last card of a trick is taken with the pile at once: it is seen only before it is laid.
        following = bytes(list(game.hands[game.player])[:1])


def trick_lines(
    deal: Deal, result: Result, first: int = 1, width: int | None = None, colour: bool = False
) -> Iterator[str]:
    """Yield the lines of a game's table, a line a trick.

    Parameters
    ----------
    deal : Deal
        The deal.
    result : Result
        What its game comes to.
    first : int, optional
        The trick to begin with.
    width : int, optional
        The most characters in a line (default: no limit).
    colour : bool, optional
        Whether payment cards are coloured.

    Examples
    --------
    >>> from camicia import simulate
    >>> print(*trick_lines(Deal.parse("J/-J"), simulate("J/-J")), sep="\\n")
    trick   A's   B's  lead  won  cards laid
        1     1     2  A     A    J-
        2     2     1  A     B    JJ-
    """
    yield f"\x1b[4m{_TRICK_HEADER}\x1b[0m" if colour else _TRICK_HEADER
    for trick in tricks_of(deal):
        if trick.number < first:
            continue
        yield from _marks(result, trick.number, first)
        held_a, held_b = trick.held
        head = (
            f"{trick.number:>5,} {held_a:>5,} {held_b:>5,}  {'AB'[trick.leader]}     {'AB'[trick.winner]}    "
        )
        lines = hanging(head, trick.laid, width)
        yield from (line[: len(head)] + coloured(line[len(head) :]) if colour else line for line in lines)
    yield from _end_mark(result)


def card_lines(
    deal: Deal, result: Result, first: int = 1, width: int | None = None, colour: bool = False
) -> Iterator[str]:
    """Yield the lines of a game's table, a line a card, as people write such tables by hand.

    Where the columns are too wide for the screen, the hands and the pile stand in one: there are never more
    cards than the deck has; a dot stands for no card. The parameters are those of `trick_lines`.

    Examples
    --------
    >>> from camicia import simulate
    >>> print(*card_lines(Deal.parse("J/-"), simulate("J/-")), sep="\\n")
    round  hand A  hand B  pile  penalty due
        1  J       -             -
        1          -       J     Player B: 1
        2  J-                    -
    """
    sizes = [max(len(name), deal.size if 0 < column < 4 else 0) for column, name in enumerate(CARD_COLUMNS)]
    is_narrow = width is not None and sum(sizes) + len(_GAP) * (len(sizes) - 1) > width
    header = (
        "round  penalty due  hand A / hand B / pile"
        if is_narrow
        else _GAP.join(name.ljust(size) for name, size in zip(CARD_COLUMNS, sizes, strict=True))
    )
    yield f"\x1b[4m{header}\x1b[0m" if colour else header
    last = 0
    for number, hand_a, hand_b, pile, due in card_rows(deal, first):
        if number != last and not (result.status is Status.LOOP and number > result.tricks):
            yield from _marks(result, number, first)
        last = number
        if is_narrow:
            head = f"{number:>5,}  {due:<11}  "
            lines = hanging(head, " / ".join(cards or "." for cards in (hand_a, hand_b, pile)), width)
            yield from (line[: len(head)] + coloured(line[len(head) :]) if colour else line for line in lines)
            continue
        cards = _GAP.join(
            text.ljust(size) for text, size in zip((hand_a, hand_b, pile), sizes[1:4], strict=True)
        )
        strong = colour and due != "-"
        line = f"{number:>5,}  {coloured(cards) if colour else cards}  "
        yield line + (f"\x1b[1m{due}\x1b[0m" if strong else due)
    yield from _end_mark(result)


def card_rows(deal: Deal, first: int = 1) -> Iterator[tuple[int, str, str, str, str]]:
    """Yield the rows of the table of cards: trick, hand A, hand B, pile, and who owes how much."""
    for game in play_by_play(deal):
        if game.tricks + 1 >= first:
            hands = (hand_text(bytes(game.hands[0])), hand_text(bytes(game.hands[1])))
            yield game.tricks + 1, *hands, hand_text(bytes(game.pile)), penalty_text(game)


def penalty_text(game: Game) -> str:
    """Who owes how much, as ``Player B: 4``; ``-`` if no one owes anything.

    Examples
    --------
    >>> penalty_text(Game(Deal.parse("J/-")))
    '-'
    """
    return f"Player {'AB'[game.player]}: {game.penalty}" if game.penalty else "-"


def _marks(result: Result, number: int, first: int) -> Iterator[str]:
    """The line that stands before the first trick of a cycle, or before the first that is shown of it."""
    if result.status is not Status.LOOP or result.transient_tricks is None:
        return
    start = result.transient_tricks + 1
    if number == start:
        yield f"--- the cycle of {counted(result.cycle_tricks, 'trick')} begins ---"
    elif number == first > start:
        yield f"--- the cycle began at trick {start:,} ---"


def _end_mark(result: Result) -> Iterator[str]:
    if result.status is Status.LOOP and result.transient_tricks is not None:
        yield f"--- trick {result.tricks + 1:,} is trick {result.transient_tricks + 1:,} again ---"
