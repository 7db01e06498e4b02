"""`camicia eights`: a game of Crazy Eights against the dealer, in plain lines."""

from __future__ import annotations

import argparse
import io
import secrets
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from camicia.checks import shortened
from camicia.errors import CamiciaError
from camicia.guests.crazy_eights import EIGHT, HAND_SIZE, SUITS, card_name, rank_of, show
from camicia.guests.eights_game import EightsGame, Move
from camicia.results import counted
from search.cli_support import arguments as kinds

NAME = "eights"

DESCRIPTION = """\
Plays Crazy Eights against the dealer. Lay a card of the rank or suit of the top card, or an eight, which goes
on any card and names the suit to follow; draw if nothing fits. Whoever has no card left wins. At every
question, ? explains and q leaves the game.

examples:
  camicia eights
  camicia eights --seed 1            the same cards again
  camicia eights --seed 1 --auto     both sides play by a simple rule
"""

HELP = (
    "Type the number of a card in your hand to lay it. It must have the rank or the suit of the top card; an "
    "eight always fits, and you name the suit to follow. If nothing fits, you draw until something does; if "
    f"your hand is full, at {HAND_SIZE} cards, you pass. Whoever has no card left wins. Type q to leave the "
    "game."
)

#: Who plays: the sides' names when one is the user, and when neither is.
YOU, DEALER = "you", "the dealer"
PLAYERS = ("the player", DEALER)

_SUIT_OF_LETTER = {name[0].lower(): suit for suit, name in enumerate(SUITS)}


class _Left(Exception):
    """Raised when the user leaves the game."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument(
        "--seed", type=kinds.seed, metavar="S", help="seed of the cards' order (default: random, and printed)"
    )
    parser.add_argument("--auto", action="store_true", help="let both sides play by rule")
    kinds.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play."""
    if arguments.json and not arguments.auto:
        raise CamiciaError("--json: only a game without questions can be a document; add --auto")
    seed = secrets.randbits(64) if arguments.seed is None else arguments.seed
    game = EightsGame(seed)
    if arguments.json:
        kinds.write_json(_document(game, seed))
    elif arguments.auto:
        _say(f"Crazy Eights, both sides by rule, seed {seed}.")
        for name, hand in zip(PLAYERS, game.hands, strict=True):
            _say(f"{name.capitalize()} holds: {show(hand)}.")
        _say(f"Top card: {game.top_text()}.")
        while not game.over:
            for line in move_lines(game.play_by_rule(), PLAYERS, hidden=None):
                _say(line)
        for line in end_lines(game, PLAYERS):
            _say(line)
    else:
        _play(game, seed)
    return 0


def _play(game: EightsGame, seed: int) -> None:
    """Play against the user, to the end or until the user leaves."""
    names = (YOU, DEALER)
    if isinstance(sys.stdin, io.TextIOWrapper):
        # What cannot be decoded is no choice, and no failure.
        sys.stdin.reconfigure(errors="replace")
    _say(f"Crazy Eights against the dealer, seed {seed}. Type ? for help, q to leave the game.")
    try:
        while not game.over:
            moves = _take_turn(game) if game.side == 0 else game.play_by_rule()
            for line in move_lines(moves, names, hidden=1):
                _say(line)
    except _Left:
        _say("You leave the game.")
        return
    except KeyboardInterrupt:
        # The question stays on a line of its own.
        print()
        raise
    for line in end_lines(game, names):
        _say(line)


def _take_turn(game: EightsGame) -> list[Move]:
    """Let the user play one turn."""
    print()
    _say(f"Top card: {game.top_text()}. The dealer holds {counted(len(game.hands[1]), 'card')}.")
    if not game.fitting():
        _say(f"You hold: {show(game.hand)}.")
        _say("Nothing fits.")
        moves = game.draw()
        if moves[-1].action == "pass":
            return moves
        for line in move_lines(moves, (YOU, DEALER), hidden=1):
            _say(line)
    _say(f"You hold {counted(len(game.hand), 'card')}:")
    fitting = game.fitting()
    for place, card in enumerate(game.hand):
        _say(f"{place + 1}: {card_name(card)}{', fits' if place in fitting else ''}")
    place = _ask_card(game)
    return [game.play(place, _ask_suit() if rank_of(game.hand[place]) == EIGHT else None)]


def _ask_card(game: EightsGame) -> int:
    """Ask which card to lay, until one that fits is named."""
    count = len(game.hand)
    while True:
        answer = _ask(f"Card to lay, 1 to {count}: ")
        if not (answer.isascii() and answer.isdigit() and len(answer) < 4 and 1 <= int(answer) <= count):
            _say(
                f"{shortened(answer, 40)} is not a number from 1 to {count}; ? for help, q to leave the game."
            )
            continue
        place = int(answer) - 1
        if place in game.fitting():
            return place
        _say(f"The {card_name(game.hand[place])} does not fit. Top card: {game.top_text()}.")


def _ask_suit() -> int:
    """Ask which suit is to follow an eight."""
    while True:
        answer = _ask("Suit to follow, d, h, c or s: ")
        for letter, suit in _SUIT_OF_LETTER.items():
            if answer.lower() in (letter, SUITS[suit].lower()):
                return suit
        _say(
            f"{shortened(answer, 40)} is not a suit: d for diamonds, h for hearts, c for clubs, s for spades."
        )


def _ask(question: str) -> str:
    """Ask until something is answered that is not a cry for help; the end of the input leaves the game."""
    while True:
        print(question, end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            print()
            raise _Left
        answer = line.strip()
        if answer.lower() in ("q", "quit"):
            raise _Left
        if answer not in ("?", "help"):
            return answer
        _say(HELP)


def _say(text: str) -> None:
    """Print a sentence or more; on a terminal lines are broken between words."""
    if sys.stdout.isatty():
        text = textwrap.fill(text, max(20, shutil.get_terminal_size().columns - 1))
    print(text)


def move_lines(moves: Sequence[Move], names: tuple[str, str], hidden: int | None) -> Iterator[str]:
    """Yield what happened, in sentences.

    Parameters
    ----------
    moves : sequence of Move
        What happened.
    names : tuple of two str
        The sides' names.
    hidden : int or None
        The side whose drawn cards are not to be seen.

    Examples
    --------
    >>> moves = [Move(1, "draw", 2), Move(1, "draw", 34), Move(1, "play", 34, 0)]
    >>> print(*move_lines(moves, ("you", "the dealer"), hidden=1), sep="\\n")
    The dealer draws 2 cards.
    The dealer lays the 8 of Clubs. Suit to follow: Diamonds.
    """
    for (side, action), alike in groupby(moves, key=lambda move: (move.side, move.action)):
        name = names[side].capitalize()
        cards = [move.card for move in alike if move.card is not None]
        if action == "reshuffle":
            yield "The stock is empty: the discards are shuffled."
        elif action == "pass":
            yield f"{name} {_verb(names[side], 'pass')}."
        elif action == "draw":
            drawn = counted(len(cards), "card") + ("" if side == hidden else f": {show(cards)}")
            yield f"{name} {_verb(names[side], 'draw')} {drawn}."
        else:
            (card,) = cards
            suit = next(move.suit for move in moves if move.action == "play")
            named = "" if suit is None else f" Suit to follow: {SUITS[suit]}."
            yield f"{name} {_verb(names[side], 'lay')} the {card_name(card)}.{named}"


def end_lines(game: EightsGame, names: tuple[str, str]) -> Iterator[str]:
    """Yield how the game ended, in sentences."""
    points = game.points()
    if all(points):
        yield "Neither side can play or draw a card any more; the lower hand wins."
    for name, hand, count in zip(names, game.hands, points, strict=True):
        if count:
            yield f"{name.capitalize()} {_verb(name, 'hold')}: {show(hand)}. {counted(count, 'point')}."
    if game.winner is None:
        yield "The game is a draw."
    else:
        name = names[game.winner]
        yield f"{name.capitalize()} {_verb(name, 'win')}."


def _verb(name: str, verb: str) -> str:
    """A verb in the form that goes with a side's name."""
    return verb if name == YOU else f"{verb}{'es' if verb.endswith('s') else 's'}"


def _document(game: EightsGame, seed: int) -> dict[str, Any]:
    """Play a game by rule, and describe it under the field names of JSON."""
    names = ("player", "dealer")
    hands = {name: [card_name(card) for card in hand] for name, hand in zip(names, game.hands, strict=True)}
    document = {"seed": str(seed), "hands": hands, "top_card": card_name(game.pile.top)}
    moves = []
    while not game.over:
        moves += [
            {
                "player": names[move.side],
                "action": move.action,
                "card": None if move.card is None else card_name(move.card),
                "suit": None if move.suit is None else SUITS[move.suit],
            }
            for move in game.play_by_rule()
        ]
    points = game.points()
    return document | {
        "moves": moves,
        "winner": None if game.winner is None else names[game.winner],
        "blocked": all(points),
        "points": dict(zip(names, points, strict=True)),
    }
