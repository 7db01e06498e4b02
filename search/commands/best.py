"""`camicia best`: the longest games of a ledger."""

from __future__ import annotations

import argparse
import csv
import sys

from camicia.results import Status
from search.cli_support.arguments import count, write_json
from search.cli_support.ledgers import add_ledger, the_ledger
from search.cli_support.tables import print_game
from search.finds import LENGTHS
from search.ledger import Ledger
from search.report import find_document

NAME = "best"

DESCRIPTION = """\
Lists the longest games that a ledger holds, or the deals it holds that never end.

examples:
  camicia best climb-36-4-4-4-4.db
  camicia best climb-36-4-4-4-4.db --by tricks --top 3
  camicia best climb-36-4-4-4-4.db --format csv > finds.csv
"""

COLUMNS = ("rank", "deal", "deck", "status", "winner", "cards", "tricks", "seed", "unit")
LOOP_COLUMNS = ("transient_cards", "transient_tricks", "cycle_cards", "cycle_tricks")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_ledger(parser)
    parser.add_argument(
        "--by", choices=LENGTHS, default="cards", help="the length to sort by (default: cards)"
    )
    parser.add_argument(
        "--top", type=count, default=10, metavar="N", help="number of games to list (default: 10)"
    )
    parser.add_argument("--loops", action="store_true", help="the deals that never end, by rank, instead")
    parser.add_argument(
        "--format", choices=("table", "csv", "json"), default="table", help="the format (default: table)"
    )
    parser.add_argument(
        "--json", dest="format", action="store_const", const="json", help="the same as --format json"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the list."""
    status = Status.LOOP if arguments.loops else Status.FINISHED
    with Ledger(the_ledger(arguments.ledger)) as ledger:
        finds = [
            find_document(entry, find) for entry in ledger.campaigns() for find in ledger.finds(entry, status)
        ]
    if arguments.loops:
        finds.sort(key=lambda find: int(find["rank"]))
    else:
        finds.sort(key=lambda find: (-find[arguments.by], int(find["rank"])))
    finds = list({find["deal"]: find for find in reversed(finds)}.values())[::-1][: arguments.top]
    if arguments.format == "json":
        write_json({"finds": finds})
    elif arguments.format == "csv":
        writer = csv.DictWriter(sys.stdout, COLUMNS + LOOP_COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(finds)
    elif not finds:
        print("no finds yet")
    else:
        print(f"{'cards':>7} {'tricks':>7}  deal")
        for find in finds:
            print_game(find["cards"], find["tricks"], find["deal"])
    return 0
