"""`camicia report`: a page about a ledger."""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import nullcontext
from pathlib import Path

from search.cli_support.arguments import count, out_file
from search.cli_support.hunt_arguments import duration
from search.cli_support.ledgers import add_ledger, the_ledger
from search.cli_support.output import STANDARD, print_name, write_file
from search.errors import CampaignError
from search.ledger import Ledger
from search.report import TOP, report_page
from search.workers import interrupted_by_any

#: Seconds between two pages that are written with --watch.
EVERY = 60.0

NAME = "report"

DESCRIPTION = """\
Writes a page about a ledger for any browser: one file that fetches nothing. It says how long until something
new, what was found, whether all is well, and how the hunt went. Every deal opens in the player, which is part
of the page. Of each tree the longest game is shown and the others are folded; loops are listed by cycle, with
which cycles are known and which are new. The page of a ledger of `search loops` is about cycles only.

With --watch the page is written again every minute until Ctrl-C, and an open page reloads itself.

examples:
  camicia report climb-36-4-4-4-4.db --out report.html
  camicia report climb-36-4-4-4-4.db --watch
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
    parser.add_argument(
        "--watch", action="store_true", help="write it again and again, until Ctrl-C; it reloads itself"
    )
    parser.add_argument(
        "--every",
        type=duration,
        metavar="TIME",
        help="time between two pages, with --watch (default: 1m)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the page."""
    if arguments.every is not None and not arguments.watch:
        raise CampaignError("--every: is for --watch, expected both or none")
    if arguments.watch and arguments.out == STANDARD:
        raise CampaignError("--watch: expected the name of a file after --out, not standard output")
    path = the_ledger(arguments.ledger)
    seconds = (arguments.every or EVERY) if arguments.watch else None
    try:
        with interrupted_by_any() if arguments.watch else nullcontext():
            _write(path, arguments, seconds)
            print_name(arguments.out)
            sys.stdout.flush()
            while seconds is not None:
                time.sleep(seconds)
                _write(path, arguments, seconds)
    except KeyboardInterrupt:
        if not arguments.watch:
            raise
    return 0


def _write(path: Path, arguments: argparse.Namespace, seconds: float | None) -> None:
    with Ledger(path) as ledger:
        text = report_page(ledger, arguments.top, reload_seconds=seconds)
    write_file(arguments.out, text)
