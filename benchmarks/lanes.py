"""How many deals per second does each build of the lanes kernel play on one core? What does the rest cost?

Plays prepared random deals in turn with the frozen yardstick: the kernel alone, results included; the dealing
of as many deals in the kernel's own form; and `simulate_many` from an array of card codes. Medians over many,
interleaved runs, with the lowest and highest; the ratio is to the yardstick of the same run.

    python benchmarks/lanes.py --repeats 15
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np

from camicia import STANDARD, Deck, random_deals, simulate_many
from camicia.deals.sampling import DealStream
from camicia.kernels import yardstick
from camicia.kernels.dispatch import available_kernels
from camicia.kernels.rows import Prepared

#: Deals prepared at a time: as in a hunt.
PREPARED = 16_384

#: Deals of the array, and how many of them the yardstick plays.
ARRAY = 65_536
SOME = 4_096


def rate(work: Callable[[], object], amount: int, clock: Callable[[], float]) -> float:
    """Deals a second."""
    start = clock()
    work()
    return amount / (clock() - start)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--deck", type=Deck.parse, default=STANDARD)
    arguments = parser.parse_args()
    deck = arguments.deck
    stream = DealStream(deck, 1, 0)
    prepared, dealt = Prepared(deck, PREPARED), Prepared(deck, PREPARED)
    stream.prepare(prepared, PREPARED)
    array = random_deals(deck, ARRAY, seed=1)
    cards, tricks = np.zeros(SOME, np.int64), np.zeros(SOME, np.int64)
    names = available_kernels()[2:]

    work: dict[str, tuple[Callable[[], object], int]] = {
        "yardstick": (lambda: yardstick.play_rows(array[:SOME], cards, tricks), SOME),
        "dealing": (lambda: [stream.prepare(dealt, PREPARED) for _ in range(20)], 20 * PREPARED),
    }
    for name in names:
        work[f"{name} alone"] = (lambda name=name: [prepared.play(name) for _ in range(4)], 4 * PREPARED)
        work[f"{name} array"] = (lambda name=name: simulate_many(array, kernel=name), ARRAY)
        work[f"{name} array, 2 threads"] = (
            lambda name=name: simulate_many(array, kernel=name, threads=2), ARRAY
        )  # fmt: skip
    rates: dict[str, list[float]] = {what: [] for what in work}
    for _ in range(arguments.repeats):
        for what, (call, amount) in work.items():
            # Processor time excludes other load on the machine; for two threads it is the sum.
            clock = time.perf_counter if "threads" in what else time.process_time
            rates[what].append(rate(call, amount, clock))
    yard = statistics.median(rates["yardstick"])
    print(f"{'million deals a second':<28}{'median':>8}{'low':>8}{'high':>8}{'ratio':>8}")
    for what, measured in rates.items():
        median = statistics.median(measured)
        print(
            f"{what:<28}{median / 1e6:8.2f}{min(measured) / 1e6:8.2f}{max(measured) / 1e6:8.2f}"
            f"{median / yard:8.1f}"
        )


if __name__ == "__main__":
    main()
