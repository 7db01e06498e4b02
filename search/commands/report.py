"""`camicia report`: a page about a ledger."""

from __future__ import annotations

import argparse

from search.cli_support.arguments import count, out_file
from search.cli_support.ledgers import add_ledger, the_ledger
from search.cli_support.output import print_name, write_file
from search.ledger import Ledger
from search.report import TOP, report_page

NAME = "report"

DESCRIPTION = """\
Writes a page about a ledger for any browser: one file that fetches nothing. It says how long until something
new, what was found, whether all is well, and how the hunt went. Every deal opens in the player, which is part
of the page. Of each tree the longest game is shown and the others are folded; loops are listed by cycle, with
which cycles are known and which are new. The page of a ledger of `search loops` is about cycles only.

examples:
  camicia report climb-36-4-4-4-4.db --out report.html
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_ledger(parser)
    parser.add_argument(
        "--out",
        type=out_file,
        default="report.html",
        metavar="FILE",
        help="the file to write; - for standard output (default: report.html)",
    )
    parser.add_argument(
        "--top",
        type=count,
        default=TOP,
        metavar="N",
        help=f"number of trees whose longest games are listed (default: {TOP})",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the page."""
    with Ledger(the_ledger(arguments.ledger)) as ledger:
        text = report_page(ledger, arguments.top)
    write_file(arguments.out, text)
    print_name(arguments.out)
    return 0
