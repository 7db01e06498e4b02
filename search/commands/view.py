"""`camicia view`: a page that replays one game in a browser."""

from __future__ import annotations

import argparse
from typing import Any

from search.cli_support.arguments import out_file
from search.cli_support.output import print_name, write_file
from search.cli_support.reading import deal_or_standard_input, only_deal
from search.report.player import view_page

NAME = "view"

DESCRIPTION = """\
Writes a page that replays a deal's game in any browser, with nothing fetched from a network: both hands and
the pile, card by card and trick by trick, back and forth, and the number of cards in hand A over the game.

examples:
  camicia view ---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A--- --out game.html
  camicia view J--/-J- --out loop.html
"""


def add_parser(subparsers: Any) -> None:
    """Add the command's parser."""
    parser = subparsers.add_parser(NAME, help="a page that replays a game", description=DESCRIPTION)
    parser.add_argument(
        "deal",
        type=deal_or_standard_input,
        metavar="DEAL",
        help="such as J--/-JA; - to read one from standard input",
    )
    parser.add_argument(
        "--out",
        type=out_file,
        default="game.html",
        metavar="FILE",
        help="where to; - for standard output (default: game.html)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the page."""
    write_file(arguments.out, view_page(only_deal(arguments.deal)))
    print_name(arguments.out)
    return 0
