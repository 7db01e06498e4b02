"""`camicia view`: a page that replays one game in a browser."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from camicia.cards import Deal
from search.commands.arguments import checked
from search.commands.output import write_file
from search.view import view_page

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
    parser.add_argument("deal", type=checked(Deal.parse), metavar="DEAL", help="such as J--/-JA")
    parser.add_argument(
        "--out", type=Path, default=Path("game.html"), metavar="FILE", help="game.html unless given"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the page."""
    write_file(arguments.out, view_page(arguments.deal))
    print(arguments.out)
    return 0
