"""`camicia status`: a summary of a ledger."""

from __future__ import annotations

import argparse

from search.cli_support.arguments import add_json, write_json
from search.cli_support.ledgers import add_ledger, the_ledger
from search.cli_support.summary_lines import print_summary
from search.cli_support.watching import watch
from search.ledger import Ledger
from search.report import summary

NAME = "status"

DESCRIPTION = """\
Summarises a ledger: deals, loops, means, rate, and the longest games. It may be run while a hunt writes the
ledger.

examples:
  camicia status climb-36-4-4-4-4.db
  camicia status climb-36-4-4-4-4.db --watch
  camicia status climb-36-4-4-4-4.db --json | python -m json.tool
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_ledger(parser)
    form = parser.add_mutually_exclusive_group()
    add_json(form)
    form.add_argument("--watch", action="store_true", help="show it again every two seconds, until Ctrl-C")


def run(arguments: argparse.Namespace) -> int:
    """Print the status."""
    if arguments.watch:
        return watch(the_ledger(arguments.ledger))
    with Ledger(the_ledger(arguments.ledger)) as ledger:
        document = summary(ledger)
    if arguments.json:
        write_json(document)
    else:
        print_summary(document)
    return 0
