"""How fast is an OpenCL device, and does it play as the processor does? Figures to send in.

Random deals of the usual decks are played on both and compared. Then the device plays prepared deals, which
leaves out making them, and units of `search sample` and `search climb` as a hunt does.

    python benchmarks/gpu.py --deals 10000000
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

from camicia import ITALIAN, STANDARD, random_deals, simulate_many
from camicia.kernels.dispatch import default_kernel
from camicia.kernels.opencl import device_lines, why_not
from camicia.kernels.rows import Prepared
from search.strategies import strategy_named
from search.strategies.request import Request
from search.workers import run_unit

#: Deals that are made, played and compared at once.
CHUNK = 100_000

#: Deals that are prepared to be played again and again.
PREPARED = 16_384


def compare(deals: int) -> int:
    """Play random deals of the usual decks on both; returns how many results differ."""
    wrong = 0
    for deck in (STANDARD, ITALIAN):
        for start in range(0, deals // 2, CHUNK):
            some = random_deals(deck, min(CHUNK, deals // 2 - start), seed=16, start=start)
            wrong += int((simulate_many(some, kernel="opencl") != simulate_many(some)).sum())
    return wrong


def alone(kernel: str, seconds: float) -> float:
    """Return the prepared deals that a kernel plays per second of clock time."""
    prepared = Prepared(STANDARD, PREPARED)
    prepared.put(random_deals(STANDARD, PREPARED, seed=1), STANDARD.cut)
    prepared.play(kernel)
    played, started = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - started) < seconds:
        prepared.play(kernel)
        played += PREPARED
    return played / elapsed


def hunting(strategy: str, kernel: str, seconds: float) -> float:
    """Return the deals per second of clock time of a unit that takes about so long on a processor's core."""
    plan = strategy_named(strategy).plan(Request(seed=1, seconds=32 * seconds))
    small = replace(plan, unit_size=plan.unit_size // 1248 // 8 * 1248 or 1248)
    # The first deals of a process are slower: the device compiles its kernel.
    run_unit(small, 0, kernel)
    started = time.perf_counter()
    report = run_unit(small, 1, kernel)
    return report.games / (time.perf_counter() - started)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=1_000_000, help="deals that are compared")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long each rate is measured")
    arguments = parser.parse_args()
    if reason := why_not():
        parser.exit(1, f"{reason}\n")
    for line in device_lines():
        print(f"device: {line}")
    print(f"{arguments.deals:,} deals compared with {default_kernel()}: {compare(arguments.deals):,} differ")
    for kernel in (default_kernel(), "opencl"):
        print(
            f"{kernel:<8} play alone     {alone(kernel, arguments.seconds):16,.0f} deals a second", flush=True
        )
        for strategy in ("sample", "climb"):
            rate = hunting(strategy, kernel, arguments.seconds)
            print(f"{kernel:<8} search {strategy:<7} {rate:16,.0f} deals a second", flush=True)


if __name__ == "__main__":
    main()
