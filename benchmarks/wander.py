"""How many cycles and looping deals does a walk among loops meet in a given time on one core?

For each seed, walks run unit by unit in this process for the given time. Times are processor times, so that
other load on the machine counts little. Prints edits per second, the share that loop, and what was met.

    python benchmarks/wander.py --seeds 3 --seconds 60
    python benchmarks/wander.py --seconds 60 --start small --set surplus=3 --set uneven=20
"""

from __future__ import annotations

import argparse
import time

from camicia import STANDARD
from search.cli_support.arguments import deck
from search.strategies import STRATEGIES, Request
from search.strategies.loops import cycles_met
from search.workers import run_unit


def main() -> None:
    """Walk, and print one line per seed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--deck", type=deck, default=STANDARD)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--unit-size", type=int, default=5_000_000, help="edits of a walk")
    parser.add_argument("--start", choices=("known", "small"), default="known")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=N", help="a setting of the walk")
    arguments = parser.parse_args()
    settings = {name: int(number) for name, number in (text.split("=") for text in arguments.set)}
    print(" seed   edits/s  loop share  cycles  with deals  deals")
    for seed in range(1, arguments.seeds + 1):
        request = Request(
            deck=arguments.deck,
            seed=seed,
            unit_size=arguments.unit_size,
            settings={"start": arguments.start, **settings},
        )
        campaign = STRATEGIES["loops"].plan(request)
        started = time.process_time()
        games = loops = unit = 0
        met = set()
        while time.process_time() - started < arguments.seconds:
            report = run_unit(campaign, unit)
            unit += 1
            games += report.games
            loops += report.loops
            met |= set(cycles_met(report.counters))
        rate = games / (time.process_time() - started)
        families = [cycle.deals for cycle in met if cycle.deals]
        print(
            f"{seed:5} {rate:9,.0f} {loops / games:11.4f} {len(met):7} {len(families):11} {sum(families):6}",
            flush=True,
        )


if __name__ == "__main__":
    main()
