"""`camicia convert`: deals from one notation to another."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from camicia.cards import Deal
from camicia.errors import DealError
from camicia.notation import NOTATIONS, read_deal, read_deals, write_deal
from camicia.notation.reading import DEALS
from search.cli_support.tables import print_hanging

NAME = "convert"

DESCRIPTION = """\
Reads deals in the notations of other programs and writes them in another one. The notation is told from the
text; where a text could be several deals, they are listed with the option that chooses each. A lone - reads
standard input: a deal a line, pairs of lines that begin with 1: and 2:, JSON objects, or CSV with a column
named deal. Suits are not kept: where the new notation has suits they are given out in order.

examples:
  camicia convert 010/002
  camicia convert "2S JH | 10D QC" --to digits+bar
  camicia convert J-Q- --deal alternately
  camicia convert - --from judge < contest.txt
  camicia convert --list
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument(
        "deal", nargs="?", metavar="DEAL", help="a deal, or - to read deals from standard input"
    )
    parser.add_argument(
        "--from",
        "--notation",
        dest="notation",
        metavar="NOTATION",
        help="the notation of DEAL: a name, or one for the cards and one for the hands, such as digits+bar",
    )
    parser.add_argument("--to", metavar="NOTATION", default="symbols", help="the notation to write [symbols]")
    parser.add_argument(
        "--deal",
        dest="dealt",
        choices=tuple(DEALS),
        help="how one deck is dealt: A gets the first half, or A and B get a card each in turn",
    )
    order = parser.add_mutually_exclusive_group()
    order.add_argument(
        "--bottom-first",
        action="store_const",
        const=True,
        default=False,
        help="each hand is written bottom card first; of one deck, each hand after the deal",
    )
    order.add_argument(
        "--deck-bottom-first",
        dest="bottom_first",
        action="store_const",
        const="deck",
        help="the deck is written bottom card first",
    )
    parser.add_argument("--list", action="store_true", help="list the notations")


def run(arguments: argparse.Namespace) -> int:
    """Convert and print."""
    if arguments.list:
        for notation in NOTATIONS.values():
            # Tables in the documentation need the marks of code; a terminal does not.
            print_hanging(f"{notation.name:14}", notation.description.replace("`", ""))
        return 0
    if arguments.deal is None:
        raise DealError("no deal: expected DEAL, - for standard input, or --list")
    for deal in _deals(arguments):
        print(write_deal(deal, arguments.to))
    return 0


def _deals(arguments: argparse.Namespace) -> Iterator[Deal]:
    options = {
        "notation": arguments.notation,
        "deal": arguments.dealt,
        "bottom_first": arguments.bottom_first,
    }
    text = arguments.deal.strip()
    if text != "-":
        yield read_deal(text, **options)
        return
    for number, deal in read_deals(_standard_input(), **options):
        if isinstance(deal, DealError):
            raise DealError(f"standard input, line {number}: {deal}")
        yield deal


def _standard_input() -> Iterator[str]:
    try:
        yield from sys.stdin
    except UnicodeDecodeError:
        raise DealError("standard input: not text, expected deals") from None
