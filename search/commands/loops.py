"""`camicia loops`: the catalogue of cycles that games of full decks fall into."""

from __future__ import annotations

import argparse
from typing import Any

from camicia import known_cycles
from camicia.results import counted
from search.cli_support import arguments as kinds
from search.cli_support.tables import print_hanging, print_table
from search.errors import VerificationError

NAME = "loops"

DESCRIPTION = """\
Lists the known cycles of the standard and the Italian deck: lengths of the cycle, how many states fall into
it, how many of these are balanced deals, the longest transient of those, and one such deal. Those in no
publication we know of are marked new; `camicia search loops` found them.

examples:
  camicia loops --deck standard
  camicia loops --all              those without a balanced deal too
  camicia loops --deals            every balanced deal, one a line
  camicia loops --check            replay them all by the rules in plain Python
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument(
        "--deck", type=kinds.deck, help="only this deck: numbers:J:Q:K:A, standard or italian"
    )
    parser.add_argument(
        "--deals", action="store_true", help="every balanced deal of these cycles, one a line"
    )
    parser.add_argument(
        "--all", action="store_true", help="list the cycles that no balanced deal falls into too"
    )
    parser.add_argument("--check", action="store_true", help="replay all of it; exit code 3 on a mismatch")
    kinds.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the catalogue, and whether it replays."""
    cycles = known_cycles.catalogue(arguments.deck)
    wrong = [text for cycle in cycles if (text := known_cycles.check(cycle))] if arguments.check else []
    deals = {cycle.name: [str(deal) for deal in known_cycles.looping_deals(cycle)] for cycle in cycles}
    if arguments.json:
        documents = [cycle.as_dict() | {"new": cycle.new} for cycle in cycles]
        if arguments.deals:
            for document in documents:
                document["looping_deals"] = deals[document["cycle"]]
        result: dict[str, Any] = {"cycles": documents}
        if arguments.check:
            result["mismatches"] = wrong
        kinds.write_json(result)
    elif arguments.deals:
        for cycle in cycles:
            print("\n".join(deals[cycle.name]), end="\n" if cycle.deals else "")
    else:
        _print_table(cycles, arguments.all)
    if arguments.check and not arguments.json:
        number = sum(cycle.deals for cycle in cycles)
        print(
            f"{counted(len(cycles), 'cycle')} and {counted(number, 'deal')} replayed, {len(wrong)} mismatched"
        )
    if wrong:
        raise VerificationError(f"{counted(len(wrong), 'cycle')} mismatched, the first: {wrong[0]}")
    return 0


def _print_table(cycles: tuple[known_cycles.KnownCycle, ...], is_whole: bool) -> None:
    listed = [cycle for cycle in cycles if is_whole or cycle.deals]
    rows = [
        (
            str(cycle.deck),
            f"{cycle.cards:,}",
            f"{cycle.tricks:,}",
            f"{cycle.basin:,}",
            f"{cycle.deals:,}",
            "" if cycle.transient_tricks is None else f"{cycle.transient_tricks:,}",
            "new" if cycle.new else "",
            cycle.deal or cycle.name,
        )
        for cycle in listed
    ]
    titles = ("deck", ">cards", ">tricks", ">basin", ">deals", ">transient", "", "a state or deal")
    if rows:
        print_table(titles, rows)
    if rest := len(cycles) - len(listed):
        text = f"{counted(rest, 'cycle')} without a balanced deal not listed; --all lists them"
        print_hanging("", text)
