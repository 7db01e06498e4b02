"""`camicia plot`: a picture of a ledger, as PNG and SVG."""

from __future__ import annotations

import argparse
import os

from search.cli_support.arguments import out_file
from search.cli_support.ledgers import add_ledger, the_ledger
from search.cli_support.output import STANDARD, print_name, write_file
from search.errors import CampaignError
from search.ledger import Ledger
from search.report import CHARTS, drawn

NAME = "plot"

DESCRIPTION = """\
Draws a picture of what a ledger holds, as PNG and as SVG. It needs matplotlib, which comes with the extra
`report`: pip install 'camicia[report]'.

examples:
  camicia plot climb-36-4-4-4-4.db --kind survival
  camicia plot climb-36-4-4-4-4.db --kind finds --out finds
"""

#: The formats of a picture.
FORMATS = ("png", "svg")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_ledger(parser)
    parser.add_argument(
        "--kind",
        choices=CHARTS,
        default="survival",
        help="games still running after n tricks (survival), deals a second over time (rate), the longest "
        "game so far over time (best), or cards against tricks of the longest games (finds) "
        "(default: survival)",
    )
    parser.add_argument(
        "--out",
        type=out_file,
        metavar="FILE",
        help="a name ending in .png or .svg to write that format only, a name without an ending to write "
        "both, or - for standard output (default: the kind)",
    )
    parser.add_argument("--format", choices=FORMATS, help="write this format only")


def run(arguments: argparse.Namespace) -> int:
    """Write the pictures."""
    pictures = _pictures(arguments.out or arguments.kind, arguments.format)
    with Ledger(the_ledger(arguments.ledger)) as ledger:
        for name, form in pictures:
            write_file(name, drawn(ledger, arguments.kind, form))
            print_name(name)
    return 0


def _pictures(out: str, form: str | None) -> list[tuple[str, str]]:
    """The names of the files to write, and the format of each."""
    if out == STANDARD:
        if form is None:
            raise CampaignError(f"--out -: expected --format with it, one of {', '.join(FORMATS)}")
        return [(out, form)]
    ending = os.path.splitext(out)[1].lower().removeprefix(".")
    if form:
        return [(out if ending == form else f"{out}.{form}", form)]
    return [(out, ending)] if ending in FORMATS else [(f"{out}.{each}", each) for each in FORMATS]
