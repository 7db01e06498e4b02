"""How many games of War per second does the kernel play, and how many times faster is it than plain Python?

Both play random deals of the standard 52 cards, in turn, on one core. The plain version is the one that the
tests compare against; it keeps a table of all states seen. Times are processor times. Prints medians over the
repeats, with the lowest and highest ratio.

    python benchmarks/war.py --repeats 15
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

from camicia.guests.war import simulate_war_many
from camicia.guests.war_cards import WarDeal
from camicia.guests.war_random import random_war_deals
from camicia.guests.war_rules import COLLECT, play


def rate(work: Callable[[], object], games: int) -> float:
    """Games a second."""
    start = time.process_time()
    work()
    return games / max(time.process_time() - start, 1e-9)


def main() -> None:
    """Measure and print a line for each way of collecting."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--games", type=int, default=100_000, help="games in a repeat (default: 100,000)")
    parser.add_argument("--plain", type=int, default=200, help="games of the plain version (default: 200)")
    arguments = parser.parse_args()
    deals = random_war_deals(arguments.games, seed=1)
    plain = [WarDeal(row[:26].tobytes(), row[26:].tobytes()) for row in deals[: arguments.plain]]
    print(f"{'collect':<13} {'kernel':>11} {'plain':>9} {'ratio':>6}   lowest to highest")
    for collect in COLLECT:
        rows = []
        for _ in range(arguments.repeats):
            fast = rate(lambda how=collect: simulate_war_many(deals, collect=how), len(deals))
            slow = rate(lambda how=collect: [play(deal, how) for deal in plain], len(plain))
            rows.append((fast, slow, fast / slow))
        fast, slow, ratio = (statistics.median(column) for column in zip(*rows, strict=True))
        low, high = min(row[2] for row in rows), max(row[2] for row in rows)
        print(f"{collect:<13} {fast:>9,.0f}/s {slow:>7,.0f}/s {ratio:>6.0f}   {low:.0f} to {high:.0f}")


if __name__ == "__main__":
    main()
