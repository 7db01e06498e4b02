"""`camicia convert`: deals from one notation to another."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from camicia.cards import Deal
from camicia.errors import DealError
from camicia.notation import NOTATIONS, write_deal
from search.cli_support.notations import add_notation, written_as
from search.cli_support.tables import print_hanging

NAME = "convert"

DESCRIPTION = """\
Reads deals in the notations of other programs and writes them in another one. The notation is detected
from the text; where a text could be several deals, they are listed with the option that chooses each. A
lone - reads standard input: a deal a line, pairs of lines that begin with 1: and 2:, JSON objects, or
CSV with a column named deal. Suits are not kept: where the new notation has suits they are given out in
order.

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
        "--to", metavar="NOTATION", default="symbols", help="the notation to write (default: symbols)"
    )
    add_notation(parser, "--from")
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
    written = written_as(arguments)
    text = arguments.deal.strip()
    if text != "-":
        yield written.read(text)
        return
    for number, deal in written.read_lines(_standard_input()):
        if isinstance(deal, DealError):
            raise DealError(f"standard input, line {number}: {deal}")
        yield deal


def _standard_input() -> Iterator[str]:
    try:
        yield from sys.stdin
    except UnicodeDecodeError:
        raise DealError("standard input: not text, expected deals") from None
