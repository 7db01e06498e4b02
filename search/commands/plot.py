"""`camicia plot`: a picture of a ledger, as PNG and SVG."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from search.commands.output import written
from search.ledger import Ledger
from search.plots import KINDS, draw

NAME = "plot"

DESCRIPTION = """\
Draws a picture of what a ledger holds, as PNG and as SVG. It needs matplotlib, which comes with the extra
`report`: pip install 'camicia[report]'.

examples:
  camicia plot climb-36-4-4-4-4.db --kind survival
  camicia plot climb-36-4-4-4-4.db --kind finds --out finds
"""

#: The formats of a picture.
ENDINGS = (".png", ".svg")


def add_parser(subparsers: Any) -> None:
    """Add the command's parser."""
    parser = subparsers.add_parser(NAME, help="a picture of a ledger", description=DESCRIPTION)
    parser.add_argument("ledger", type=Path, metavar="LEDGER", help="the file that `camicia search` made")
    parser.add_argument(
        "--kind",
        choices=KINDS,
        default="survival",
        help="games still running after n tricks (survival, unless given), deals a second over time (rate), "
        "or cards against tricks of the longest games (finds)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="ending in .png or .svg to write that format only, else the name of both without ending; the "
        "kind unless given",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the pictures."""
    out: Path = arguments.out or Path(arguments.kind)
    paths = [out] if out.suffix in ENDINGS else [out.with_name(out.name + ending) for ending in ENDINGS]
    with Ledger(arguments.ledger) as ledger:
        for path in paths:
            written(path, lambda new: draw(ledger, arguments.kind, new))
            print(path)
    return 0
