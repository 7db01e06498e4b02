"""`camicia play`: one deal or many, and the game card by card."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from camicia import Deal, Result, simulate
from search.cli_support.arguments import add_json, count, write_json_of
from search.cli_support.game_table import CARD_COLUMNS, card_lines, card_rows, trick_lines
from search.cli_support.reading import FORMS, DealReader, add_keep_going, is_single, reads_terminal
from search.cli_support.tables import hanging, screen_width
from search.cli_support.terminal import print_paged, wants_colour

NAME = "play"

DESCRIPTION = f"""\
Plays deals: hand A, a slash, hand B, each top card first, - for a number card. A lone - reads deals from
standard input and prints each result as soon as it is known.
{FORMS}
examples:
  camicia play ---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---
  camicia play J--/-J- --table             a line for each trick
  camicia play J--/-J- --cards --from 2    a line for each card, from the second trick on
  camicia play - --json < deals.txt
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("deals", nargs="+", metavar="DEAL", help="a deal, or - to read deals, one a line")
    parser.add_argument(
        "--table", action="store_true", help="print the game trick by trick, in pages on a terminal"
    )
    parser.add_argument(
        "--cards", action="store_true", help="print a line for each card instead; implies --table"
    )
    parser.add_argument(
        "--from",
        dest="first",
        type=count,
        metavar="N",
        help="begin the table with trick N; implies --table (default: 1)",
    )
    add_keep_going(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play and print, each deal as soon as it is read."""
    arguments.table = arguments.table or arguments.cards or arguments.first is not None
    arguments.first = arguments.first or 1
    reader = DealReader(_played, arguments.keep_going)
    played = reader.of_words(arguments.deals)
    # One deal on the command line is one result; otherwise there is a list, be it of one.
    single = is_single(arguments.deals)
    if arguments.json:
        write_json_of(
            (_document(deal, result, arguments) for deal, result in played),
            None if single else "games",
        )
    elif arguments.table:
        print_paged(_tables(played, arguments), pages=not reads_terminal(arguments.deals))
    else:
        for deal, result in played:
            print(result.reason if single else f"{deal}  {result.reason}", flush=True)
    return reader.code


def _played(text: str) -> tuple[Deal, Result]:
    deal = Deal.parse(text)
    return deal, simulate(deal)


def _tables(played: Iterable[tuple[Deal, Result]], arguments: argparse.Namespace) -> Iterator[str]:
    lines_of = card_lines if arguments.cards else trick_lines
    width, colour = screen_width(), wants_colour()
    for deal, result in played:
        yield from lines_of(deal, result, arguments.first, width, colour)
        yield from hanging("", result.reason, width)
        # The next deal may be long in coming.
        sys.stdout.flush()


def _document(deal: Deal, result: Result, arguments: argparse.Namespace) -> dict[str, Any]:
    document = {"deal": str(deal), "deck": str(deal.deck), **result.as_dict()}
    if arguments.table:
        names = [name.replace(" ", "_").lower() for name in CARD_COLUMNS]
        document["table"] = [
            dict(zip(names, (str(cell) for cell in row), strict=True))
            for row in card_rows(deal, arguments.first)
        ]
    return document
