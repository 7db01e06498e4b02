"""`camicia census`: every deal of a small deck, in one command."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from camicia.deals.ranks import rank_text
from search.cli_support import arguments as kinds
from search.cli_support.summary_lines import print_summary
from search.commands.search import hunt
from search.strategies.enumerate import Enumerate

NAME = "census"

DESCRIPTION = """\
Plays every deal of a deck, and tells what there is: the longest games with all ties, the loops by cycle, sums
and means. What is done is kept in a ledger, as by `camicia search enumerate`; the same command goes on.
`camicia search enumerate --dry-run` tells how long it takes.

examples:
  camicia census 8:1:1:1:1
  camicia census 12:2:2:2:0 --json
"""

#: Deals that are printed of a list; JSON has all.
DEALS_PRINTED = 10


def add_parser(subparsers: Any) -> None:
    """Add the command's parser."""
    parser = subparsers.add_parser(NAME, help="every deal of a small deck", description=DESCRIPTION)
    parser.add_argument(
        "deck", type=kinds.deck, metavar="DECK", help="numbers:J:Q:K:A, or standard or italian"
    )
    parser.add_argument(
        "--ledger", type=Path, metavar="FILE", help="where all is kept; enumerate-DECK.db unless given"
    )
    parser.add_argument(
        "--workers", type=kinds.workers, metavar="N", help="processes; one a usable processor unless given"
    )
    parser.add_argument("--histogram", action="store_true", help="print the games by number of tricks too")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    kinds.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Search, and print the table."""
    whole = {"from": "0", "to": rank_text(arguments.deck.deal_count)}
    left_out = dict.fromkeys(("seed", "unit_size", "keep", "seconds", "deals", "shard", "on_record"))
    options = vars(arguments) | left_out | whole | {"strategy": Enumerate.name}
    document, code = hunt(argparse.Namespace(**options))
    if arguments.json:
        kinds.write_json(document)
        return code
    print_summary(document)
    for line in table_lines(document):
        print(line)
    if arguments.histogram:
        print("\ntricks  games")
        for tricks, games in document["histogram"].items():
            print(f"{tricks:>6}  {int(games):,}")
    return code


def table_lines(document: dict[str, Any]) -> list[str]:
    """The deals of the longest games, and the cycles."""
    lines = []
    for by in ("cards", "tricks"):
        deals = document[f"longest_{by}_deals"]
        lines += ["", f"longest by {by}:"]
        lines += [
            f"{deal['cards']:>6} cards {deal['tricks']:>5} tricks  {deal['deal']}  rank {deal['rank']}"
            for deal in deals[:DEALS_PRINTED]
        ]
        if (left := int(document[f"longest_{by}_count"]) - len(deals[:DEALS_PRINTED])) > 0:
            lines.append(f"   and {left:,} more")
    if document["cycle_list"]:
        lines += ["", "cycle: cards  tricks  loops  its smallest state"]
    for cycle in document["cycle_list"]:
        lengths = f"{cycle['cycle_cards']:>12} {cycle['cycle_tricks']:>7}"
        lines.append(f"{lengths} {int(cycle['loops']):>6,}  {cycle['cycle']}")
    return lines
