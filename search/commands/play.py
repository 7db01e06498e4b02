"""`camicia play`: one deal or many, and the game card by card."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from camicia import Deal, Result, simulate
from camicia.codes import hand_text
from camicia.rules import Game, play_by_play
from search.cli_support.arguments import add_json, write_json_of
from search.cli_support.reading import FORMS, DealReader, add_keep_going, is_single, reads_terminal
from search.cli_support.terminal import coloured, print_paged, wants_colour

NAME = "play"

DESCRIPTION = f"""\
Plays deals: hand A, a slash, hand B, each top card first, - for a number card. A lone - reads deals from
standard input and prints each result as soon as it is known.
{FORMS}
examples:
  camicia play ---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---
  camicia play J--/-J- --table
  camicia play - --json < deals.txt
"""

_COLUMNS = ("round", "hand A", "hand B", "pile", "penalty due")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("deals", nargs="+", metavar="DEAL", help="a deal, or - to read deals, one a line")
    parser.add_argument(
        "--table", action="store_true", help="print the game card by card, in pages on a terminal"
    )
    add_keep_going(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play and print, each deal as soon as it is read."""
    reader = DealReader(_played, arguments.keep_going)
    played = reader.of_words(arguments.deals)
    # One deal on the command line is one result; otherwise there is a list, be it of one.
    single = is_single(arguments.deals)
    if arguments.json:
        write_json_of(
            (_document(deal, result, arguments.table) for deal, result in played),
            None if single else "games",
        )
    elif arguments.table:
        print_paged(_tables(played, wants_colour()), pages=not reads_terminal(arguments.deals))
    else:
        for deal, result in played:
            print(result.reason if single else f"{deal}  {result.reason}", flush=True)
    return reader.code


def _played(text: str) -> tuple[Deal, Result]:
    deal = Deal.parse(text)
    return deal, simulate(deal)


def _tables(played: Iterable[tuple[Deal, Result]], colour: bool) -> Iterator[str]:
    for deal, result in played:
        yield from table_lines(deal, colour)
        yield result.reason
        # The next deal may be long in coming.
        sys.stdout.flush()


def table_lines(deal: Deal, colour: bool = False) -> Iterator[str]:
    """Yield the lines of a game's table: a line a card, as people write such tables by hand.

    Parameters
    ----------
    deal : Deal
        The deal.
    colour : bool, optional
        Whether payment cards are coloured, and what is due.

    Examples
    --------
    >>> print(*table_lines(Deal.parse("J/-")), sep="\\n")
    round  hand A  hand B  pile  penalty due
        1  J       -             -
        1          -       J     Player B: 1
        2  J-                    -
    """
    width = deal.size
    sizes = [max(len(name), width if 0 < column < 4 else 0) for column, name in enumerate(_COLUMNS)]
    for place, row in enumerate(chain([_COLUMNS], _rows(deal))):
        cells = [cell.ljust(size) for cell, size in zip(row, sizes, strict=True)]
        cells[0] = row[0].rjust(sizes[0])
        line = "  ".join(cells).rstrip()
        if colour and place:
            head, due = line[: _start_of(4, sizes)], line[_start_of(4, sizes) :]
            line = coloured(head) + (due if due == "-" else f"\x1b[1m{due}\x1b[0m")
        yield f"\x1b[4m{line}\x1b[0m" if colour and not place else line


def _start_of(column: int, sizes: list[int]) -> int:
    """Where a column begins in a line."""
    return sum(sizes[:column]) + 2 * column


def _rows(deal: Deal) -> Iterator[tuple[str, ...]]:
    for game in play_by_play(deal):
        yield (
            str(game.tricks + 1),
            hand_text(bytes(game.hands[0])),
            hand_text(bytes(game.hands[1])),
            hand_text(bytes(game.pile)),
            penalty_text(game),
        )


def penalty_text(game: Game) -> str:
    """Tell who owes how much, as ``Player B: 4``; ``-`` if nobody owes anything.

    Examples
    --------
    >>> penalty_text(Game(Deal.parse("J/-")))
    '-'
    """
    return f"Player {'AB'[game.player]}: {game.penalty}" if game.penalty else "-"


def _document(deal: Deal, result: Result, with_table: bool) -> dict[str, Any]:
    document = {"deal": str(deal), "deck": str(deal.deck), **result.as_dict()}
    if with_table:
        names = [name.replace(" ", "_").lower() for name in _COLUMNS]
        document["table"] = [dict(zip(names, row, strict=True)) for row in _rows(deal)]
    return document
