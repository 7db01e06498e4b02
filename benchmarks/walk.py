"""How many states per second does the walk back through ancestors visit on one core?

Walks the trees above the published records of the standard deck, at several numbers of tricks to go, in turn
with the frozen yardstick playing the same deals forward. A trick that the yardstick plays and a state that
the walk visits are the same step in opposite directions, so the last column compares like with like. Medians
over repeated runs, with the lowest and highest.

    python benchmarks/walk.py --repeats 9
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from camicia import STANDARD, Status
from camicia.ancestry.ancestors import MAX_DEPTH, State
from camicia.ancestry.trees import walk_back
from camicia.kernels import yardstick
from camicia.records import records

#: Tricks to go at the roots: the long paths alone, most of the trees, and all that leads to the same end.
FROM_END = (300, 100, 1)

#: Least duration of a measurement, in seconds: far above the clock's resolution and the start of a walk.
AT_LEAST = 0.1


def rate(work: Callable[[], object], amount: int) -> float:
    """Return the work done per second, over as many calls as fill the time."""
    calls, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < AT_LEAST:
        work()
        calls += 1
    return calls * amount / elapsed


def walk_all(trees: list[list[tuple[bytes, bytes, int, int, int]]]) -> int:
    """Walk each tree, and return the total number of states."""
    return sum(walk_back(tree, STANDARD.cut, 10**9, MAX_DEPTH, 3)[0] for tree in trees)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--repeats", type=int, default=9, metavar="N", help="runs of each measurement (default: 9)"
    )
    repeats = parser.parse_args().repeats

    known = [
        record
        for record in records()
        if record.deal.deck == STANDARD and record.result.status is Status.FINISHED
    ]
    rows = np.array([record.deal.to_array() for record in known])
    played = np.empty((2, len(known)), np.int64)
    tricks = sum(record.result.tricks for record in known)

    print(f"{'tricks to go':>12} {'states':>12} {'M states/s':>10} {'lowest':>7} {'highest':>8} {'ratio':>6}")
    for from_end in FROM_END:
        roots = {State.from_end(record.deal, from_end) for record in known}
        trees = [[(root.leader, root.other, 0, from_end, 0)] for root in roots]
        states = walk_all(trees)
        walking, playing = [], []
        for _ in range(repeats):
            walking.append(rate(partial(walk_all, trees), states))
            playing.append(rate(partial(yardstick.play_rows, rows, played[0], played[1]), tricks))
        million = [value / 1e6 for value in sorted(walking)]
        median = statistics.median(million)
        ratio = statistics.median(one / other for one, other in zip(walking, playing, strict=True))
        print(f"{from_end:12} {states:12,} {median:10.1f} {million[0]:7.1f} {million[-1]:8.1f} {ratio:6.1f}")
    print("ratio: states visited for each trick the yardstick plays forward in the same time")


if __name__ == "__main__":
    main()
