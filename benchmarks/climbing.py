"""How long a game do sampling and climbing each find in the same time on one core?

For each seed, a campaign of each strategy runs unit by unit in this process, in turn, for the given time.
Times are processor times, so that other load on the machine counts little. Prints the most tricks after each
time, the median over the seeds, and the share of the time that climbing spent walking.

    python benchmarks/climbing.py --seeds 1 2 3 4 5 --times 10 60
"""

from __future__ import annotations

import argparse
import statistics
import time

from camicia import STANDARD
from search.campaign import Campaign
from search.cli_support.arguments import deck
from search.strategies import STRATEGIES, Request
from search.workers import run_unit

#: Units are this much shorter than the shortest time, so that each time falls near the end of one.
UNITS_A_TIME = 20


class Run:
    """A campaign that is run step by step, and the longest game after each of several times."""

    def __init__(self, campaign: Campaign, times: list[float]) -> None:
        self.campaign = campaign
        self.times = times
        self.most: list[int] = []
        self.games = self.unit = self.longest = 0
        self.seconds = self.walking = self.elapsed = 0.0
        self.kernel = ""

    def step(self) -> None:
        """Do one unit."""
        started = time.process_time()
        report = run_unit(self.campaign, self.unit)
        self.seconds += time.process_time() - started
        self.unit += 1
        self.games += report.games
        self.elapsed += report.seconds
        self.walking += report.counters.get("walk_microseconds", 0) / 1e6
        self.kernel = report.kernel
        self.longest = max([self.longest, *(find.tricks for find in report.finds)])
        while len(self.most) < len(self.times) and self.seconds >= self.times[len(self.most)]:
            self.most.append(self.longest)


def campaign_of(strategy: str, arguments: argparse.Namespace, seed: int) -> Campaign:
    """Plan a campaign with settings measured on this machine, and short units."""
    seconds = min(arguments.times)
    return STRATEGIES[strategy].plan(
        Request(deck=arguments.deck, seed=seed, seconds=seconds * 8 / UNITS_A_TIME)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5], metavar="SEED", help="default: 1 to 5"
    )
    parser.add_argument("--times", type=float, nargs="+", default=[10, 60], metavar="SECONDS")
    parser.add_argument("--deck", type=deck, default=STANDARD)
    arguments = parser.parse_args()
    arguments.times.sort()

    found: dict[str, list[list[int]]] = {"sample": [], "climb": []}
    for seed in arguments.seeds:
        runs = {name: Run(campaign_of(name, arguments, seed), arguments.times) for name in found}
        while slower := [run for run in runs.values() if len(run.most) < len(arguments.times)]:
            min(slower, key=lambda run: run.seconds).step()
        for name, run in runs.items():
            found[name].append(run.most)
            settings = ", ".join(f"{key} {value}" for key, value in sorted(run.campaign.settings.items()))
            print(
                f"seed {seed} {name:6} {run.kernel}: {run.games / run.seconds / 1e6:.2f} M deals/s, "
                f"{100 * run.walking / run.elapsed:.1f}% walking; most tricks {run.most} {settings}",
                flush=True,
            )
    print(f"\n{'seconds':>8} {'sample':>20} {'climb':>20} {'difference':>10}")
    for place, seconds in enumerate(arguments.times):
        columns = [sorted(most[place] for most in found[name]) for name in ("sample", "climb")]
        medians = [statistics.median(column) for column in columns]
        texts = [
            f"{median:g} ({column[0]} to {column[-1]})"
            for median, column in zip(medians, columns, strict=True)
        ]
        print(f"{seconds:8g} {texts[0]:>20} {texts[1]:>20} {medians[1] - medians[0]:10g}")


if __name__ == "__main__":
    main()
