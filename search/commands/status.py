"""`camicia status`: a summary of a ledger."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from search.cli_support.arguments import add_json, write_json
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


def add_parser(subparsers: Any) -> None:
    """Add the command's parser."""
    parser = subparsers.add_parser(NAME, help="summarise a ledger", description=DESCRIPTION)
    parser.add_argument("ledger", type=Path, metavar="LEDGER", help="the file that `camicia search` made")
    form = parser.add_mutually_exclusive_group()
    add_json(form)
    form.add_argument("--watch", action="store_true", help="show it again every two seconds, until Ctrl-C")


def run(arguments: argparse.Namespace) -> int:
    """Print the status."""
    if arguments.watch:
        return watch(arguments.ledger)
    with Ledger(arguments.ledger) as ledger:
        document = summary(ledger)
    if arguments.json:
        write_json(document)
    else:
        print_summary(document)
    return 0
