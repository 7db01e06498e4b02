"""`camicia forecast`: what a record costs."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from camicia.results import counted
from camicia.text import large_number, rate_text, rough_time, with_error
from search.cli_support import arguments as kinds
from search.cli_support.tables import print_hanging, screen_width, table
from search.errors import CampaignError
from search.ledger import Ledger
from search.report import MACHINES, Facts, Price, facts_of, goal, prices, shipped_facts
from search.strategies import core_rates

NAME = "forecast"

DESCRIPTION = """\
Computes what a long game costs: how many deals must be played until the first game of at least so many
tricks, and how long that takes. The law by which the number of running games halves every 20 tricks or so is
fitted to a long hunt of the standard deck, whose figures come with the program, or to a ledger of yours. The
rate is measured now, for a moment, unless it is given. All times are means: half of all hunts need less than
0.7 times as long.

examples:
  camicia forecast
  camicia forecast climb-36-4-4-4-4.db
  camicia forecast --tricks 900 --cores 64
  camicia forecast --rate 20M
"""

#: The most tricks that are asked for: no share is that small.
_MOST_TRICKS = 20_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument(
        "ledger",
        type=Path,
        nargs="?",
        metavar="LEDGER",
        help="a ledger of `search climb` or `search sample` (default: the figures of a long hunt)",
    )
    parser.add_argument(
        "--tricks",
        type=kinds.count_up_to(_MOST_TRICKS),
        metavar="N",
        help="the least number of tricks (default: one more than the longest known game has)",
    )
    parser.add_argument(
        "--cores", type=kinds.count, metavar="N", help="give the time for this many cores as well"
    )
    parser.add_argument(
        "--rate",
        type=_rate,
        metavar="R",
        help="deals a second of one core, as in 20M (default: measured on this machine)",
    )
    kinds.add_json(parser)


def _rate(text: str) -> float:
    if not re.fullmatch(r"\d{1,15}(\.\d{1,9})?[kM]?", text, re.ASCII) or not float(text.rstrip("kM")):
        raise argparse.ArgumentTypeError(f"rate {text!r}: expected a number above 0, as in 20M or 500000")
    return float(text.rstrip("kM")) * {"k": 1e3, "M": 1e6}.get(text[-1], 1.0)


def run(arguments: argparse.Namespace) -> int:
    """Compute, and print."""
    if arguments.ledger is None:
        facts = shipped_facts()
    else:
        with Ledger(arguments.ledger) as ledger:
            facts = facts_of(ledger)
    tricks = arguments.tricks or goal(facts.deck)
    if tricks <= facts.halving.start:
        raise CampaignError(
            f"tricks {tricks}: the law only holds for longer games, expected more than {facts.halving.start}"
        )
    rates = core_rates(facts.deck)
    if arguments.rate:
        rates = {name: arguments.rate * rate / rates["sample"] for name, rate in rates.items()}
    found = prices(facts, tricks, rates)
    machines = MACHINES | ({counted(arguments.cores, "core"): arguments.cores} if arguments.cores else {})
    if arguments.json:
        kinds.write_json(document(facts, tricks, found, machines))
        return 0
    for line in lines(facts, tricks, found, machines, is_measured=not arguments.rate):
        print_hanging("", line) if line else print()
    for line in table(*rows(found, machines), screen_width()):
        print(line)
    return 0


def document(facts: Facts, tricks: int, found: list[Price], machines: dict[str, int]) -> dict[str, object]:
    """The forecast under its JSON field names."""
    halving, gain = facts.halving, facts.gain
    return {
        "deck": str(facts.deck),
        "tricks": tricks,
        "facts": facts.source,
        "games": str(facts.games),
        "halving_tricks": halving.tricks,
        "halving_error": halving.error,
        "gain": gain and {"times": gain.times, "error": gain.times * gain.error, "tricks": gain.tricks},
        "cores": machines,
        "prices": [price.as_dict(machines) for price in found],
    }


def lines(
    facts: Facts, tricks: int, found: list[Price], machines: dict[str, int], *, is_measured: bool
) -> list[str]:
    """What the forecast rests on, in sentences."""
    halving, gain = facts.halving, facts.gain
    text = [
        f"The first game of at least {tricks:,} tricks, deck {facts.deck}:",
        "",
        f"The law is fitted to {large_number(facts.games)} games ({facts.source}): beyond {halving.start} "
        f"tricks the number of games halves every {with_error(halving.tricks, halving.error)} tricks.",
    ]
    if gain:
        text.append(
            f"Climbing finds long games {large_number(gain.times)} times as often as they are dealt, within "
            f"{100 * gain.error:.0f}%, measured on the {gain.trees} best trees, at {gain.tricks:,} tricks."
        )
    measured = "measured now" if is_measured else "as given"
    each = ", ".join(f"{price.strategy} {rate_text(price.rate)}" for price in found)
    text.append(f"One core plays, {measured}: {each}.")
    if not all(price.exists for price in found):
        text.append("If the law holds that far, the deck probably has no such deal.")
    named = ", ".join(f"{name} has {cores:,} cores" for name, cores in machines.items() if "core" not in name)
    return [*text, f"Here {named}.", ""]


def rows(found: list[Price], machines: dict[str, int]) -> tuple[list[str], list[list[str]]]:
    """The table: its columns and its rows."""
    columns = ["", "deals to play", "up to a factor", "core-years", *(f"on {name}" for name in machines)]
    return columns, [
        [
            price.strategy,
            large_number(price.deals),
            f"{price.factor:.3g}",
            large_number(price.core_seconds / (365.25 * 86_400)),
            *(rough_time(price.core_seconds / cores) for cores in machines.values()),
        ]
        for price in found
    ]
