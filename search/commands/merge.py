"""`camicia merge`: join ledgers of several machines."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from search.cli_support.arguments import add_json, write_json
from search.cli_support.summary_lines import print_summary
from search.errors import LedgerError
from search.ledger import Ledger, merge
from search.report import summary
from search.workers import interrupted_by_any

NAME = "merge"

DESCRIPTION = """\
Joins ledgers of the same deck and strategy into a new one: campaigns with different seeds, or different
units of one campaign (see --shard of `camicia search`). Deals that two of them hold are refused: the seed and
the number of a unit decide what it deals, whatever else differs. Of complete searches, ranges of ranks are
joined, and gaps between them are named.

examples:
  camicia merge all.db monday.db tuesday.db
  camicia merge whole.db shard-1.db shard-2.db shard-3.db
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("out", type=Path, metavar="OUT", help="the new ledger; no file may have its name")
    parser.add_argument("ledgers", type=Path, nargs="+", metavar="LEDGER", help="the ledgers to join")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Merge, and print a summary."""
    if os.path.exists(arguments.out):
        raise LedgerError(f"ledger {str(arguments.out)!r}: is there already, expected the name of a new one")
    with interrupted_by_any():
        merge(arguments.out, arguments.ledgers)
    with Ledger(arguments.out) as ledger:
        document = summary(ledger)
    if arguments.json:
        write_json(document)
    else:
        print_summary(document)
    return 0
