"""`camicia view`: a page that replays games in a browser, and pictures of a game."""

from __future__ import annotations

import argparse
import os
import webbrowser
from pathlib import Path

from camicia.cards import Deal
from camicia.checks import shortened
from search.cli_support.arguments import count, out_file
from search.cli_support.notations import add_notation, written_as
from search.cli_support.output import STANDARD, print_name, write_file
from search.cli_support.reading import only_deal
from search.errors import CampaignError, HuntError
from search.report import FORMATS, TRICKS, animation, curve, longest_record, view_page

NAME = "view"

DESCRIPTION = """\
Writes the player: a page that replays games in any browser and fetches nothing from a network. It shows both
hands and the pile, card by card or trick by trick, with the curve of the whole game. Any other deal can be
typed or pasted into it, given by its rank, or chosen from the known records and loops. With a DEAL, the page
starts with its game.

With --picture it draws the game instead: the curve of both hands (.png or .svg), or the game itself, card by
card (.gif). Pictures need the extra `report`: pip install 'camicia[report]'.

examples:
  camicia view --open
  camicia view ---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A--- --out game.html
  camicia view J--/-J- --picture loop.svg
  camicia view J--/-JA --picture game.gif --tricks all
"""

#: What stands for all tricks of a game.
_ALL = "all"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument(
        "deal",
        nargs="?",
        metavar="DEAL",
        help="such as J--/-JA; - to read one from standard input (default: the longest known game)",
    )
    parser.add_argument(
        "--out",
        type=out_file,
        metavar="FILE",
        help="where to write the page; - for standard output (default: game.html; player.html without DEAL)",
    )
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    parser.add_argument(
        "--picture",
        type=_picture_file,
        metavar="FILE",
        help="draw the game to a file ending in .png, .svg or .gif; the page is then written only with --out",
    )
    parser.add_argument(
        "--tricks",
        type=_tricks,
        metavar="N",
        help=f"how many tricks a .gif shows, or all (default: {TRICKS})",
    )
    add_notation(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the page, the picture, or both."""
    given = arguments.deal is not None
    out = arguments.out
    if not (out or arguments.picture) or (arguments.open and not out):
        out = "game.html" if given else "player.html"
    if arguments.open and out == STANDARD:
        raise CampaignError("--out -: expected the name of a file for --open")
    if arguments.tricks and not (arguments.picture and _form(arguments.picture) == "gif"):
        raise CampaignError(f"--tricks {arguments.tricks}: expected --picture with it, a file ending in .gif")
    deal = only_deal(arguments.deal, written_as(arguments)) if given else None
    if arguments.picture:
        write_file(
            arguments.picture, _picture(deal or longest_record().deal, arguments.picture, arguments.tricks)
        )
        print_name(arguments.picture)
    if out:
        write_file(out, view_page(deal))
        print_name(out)
    if arguments.open and not webbrowser.open(Path(out).resolve().as_uri()):
        raise HuntError(f"file {out!r}: is written, but no browser could be started; open it in one")
    return 0


def _picture(deal: Deal, name: str, tricks: int | str | None) -> bytes:
    form = _form(name)
    if form == "gif":
        return animation(deal, None if tricks == _ALL else int(tricks or TRICKS))
    return curve(deal, form)


def _form(name: str) -> str:
    return os.path.splitext(name)[1].lower().removeprefix(".")


def _picture_file(text: str) -> str:
    name = out_file(text)
    if _form(name) not in FORMATS:
        endings = " or ".join(f".{form}" for form in FORMATS)
        raise argparse.ArgumentTypeError(f"file {shortened(name)}: expected a name ending in {endings}")
    return name


def _tricks(text: str) -> int | str:
    return _ALL if text.strip().lower() == _ALL else count(text)
