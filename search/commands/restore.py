"""`camicia restore`: go back to the backup of a ledger, or to a copy of it."""

from __future__ import annotations

import argparse
from pathlib import Path

from search.cli_support.arguments import add_json, write_json
from search.cli_support.output import tell
from search.cli_support.summary_lines import print_summary
from search.ledger import Ledger, restore
from search.report import summary

NAME = "restore"

DESCRIPTION = """\
Puts the backup of a ledger in its place, or any other copy of it. The copy is checked first, and stays. What
stands under the ledger's name is set aside with its log, never overwritten. Do not use `mv` for this: SQLite
would write a log that a killed hunt has left into the wrong file.

examples:
  camicia restore climb-36-4-4-4-4.db                         from climb-36-4-4-4-4.db.backup
  camicia restore climb-36-4-4-4-4.db --from /media/copy.db
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("ledger", type=Path, metavar="LEDGER", help="the ledger; need not be there")
    parser.add_argument(
        "--from", dest="source", type=Path, metavar="FILE", help="a copy of it (default: LEDGER.backup)"
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Restore, and print what the ledger holds then."""
    done = restore(arguments.ledger, arguments.source)
    with Ledger(arguments.ledger) as ledger:
        document = summary(ledger)
    if arguments.json:
        tell(done)
        write_json(document)
    else:
        print(done)
        print_summary(document)
    return 0
