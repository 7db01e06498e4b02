"""`camicia census`: every deal of a small deck, in one command."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from camicia.text import long_time
from search.cli_support import arguments as kinds
from search.cli_support import hunt_arguments
from search.cli_support.hunting import command_line, run_hunt
from search.cli_support.summary_lines import print_summary
from search.commands.search import estimate
from search.errors import CampaignError
from search.session import Wish

NAME = "census"

#: The strategy that plays every deal of a deck.
STRATEGY = "enumerate"

#: A census that would take longer than this, in seconds, is not begun without `--yes`: a week.
LONG = 7 * 86_400

#: Deals of a deck up to which a census is short on any machine, and no estimate is made.
SMALL = 10**11

DESCRIPTION = """\
Plays every deal of a deck and reports the longest games with all ties, the loops by cycle, sums and
means. It keeps its work in a ledger, as `camicia search enumerate` does, and the same command resumes.
`camicia search enumerate --dry-run` estimates the time; a census of more than a week asks first.

examples:
  camicia census 8:1:1:1:1
  camicia census 12:2:2:2:0 --json
"""

#: Deals that are printed of a list; JSON has all.
DEALS_PRINTED = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument(
        "deck", type=kinds.deck, metavar="DECK", help="a name (standard, italian) or numbers:J:Q:K:A"
    )
    parser.add_argument(
        "--ledger",
        type=Path,
        metavar="FILE",
        help="the file that keeps everything (default: enumerate-DECK.db)",
    )
    parser.add_argument(
        "--workers", type=hunt_arguments.workers, metavar="N", help="processes (default: one per usable CPU)"
    )
    parser.add_argument("--histogram", action="store_true", help="print the games by number of tricks too")
    parser.add_argument("--yes", action="store_true", help="begin however long it would take")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    kinds.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Search, and print the table."""
    wish = Wish(STRATEGY, arguments.deck, ledger=arguments.ledger, workers=arguments.workers)
    if not (arguments.yes or arguments.deck.deal_count <= SMALL or wish.path.exists()):
        _ask(wish)
    again = command_line(
        NAME,
        arguments.deck,
        ledger=arguments.ledger,
        workers=arguments.workers,
        histogram=arguments.histogram,
        quiet=arguments.quiet,
        json=arguments.json,
    )
    document, code, _ = run_hunt(wish, lambda *_: again, quiet=arguments.quiet)
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


def _ask(wish: Wish) -> None:
    """See that a census which would take very long is meant.

    Raises
    ------
    CampaignError
        If it is not.
    """
    document = estimate(wish)
    if document["seconds"] <= LONG:
        return
    what = f"its census would take about {long_time(document['seconds'])} on this machine"
    if sys.stdin.isatty() and sys.stderr.isatty():
        sys.stderr.write(f"camicia: deck {wish.deck}: {what}. Begin? [y/N] ")
        sys.stderr.flush()
        if sys.stdin.readline().strip().lower() in ("y", "yes"):
            return
    raise CampaignError(f"deck {wish.deck}: {what}; give --yes to begin it, or choose a smaller deck")


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
