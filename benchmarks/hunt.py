"""What does a hunt cost on top of the kernel it runs on: workers, dealing, commits, memory, disk?

Runs the kernel alone (`simulate_many` on prepared deals) in one process, and `camicia search sample` on one
worker and on all, in turn. (The hunt deals in the very form that lanes play, so there it can beat
`simulate_many`, which converts.) Each hunt lasts a fixed time, in a ledger of its own. Rates are deals per
second of clock time, and per second of processor time of all its processes together, which a busy machine
distorts less. Shares are of the kernel alone in the same round. Medians over the rounds, with the lowest and
highest.

    python benchmarks/hunt.py --rounds 5 --seconds 20 --kernel ring
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from camicia import STANDARD, random_deals, simulate_many
from camicia.kernels.dispatch import default_kernel
from search.driver import Hunt
from search.ledger import Ledger
from search.strategies.base import UNIT_SECONDS
from search.workers import usable_cpus
from search.workers.process import NICENESS

#: Prepared deals that the kernel alone plays again and again.
PREPARED = 200_000


def kernel_alone(kernel: str, deals: np.ndarray, seconds: float) -> float:
    """Deals per second of processor time of the kernel alone, on one thread."""
    games, started = 0, time.process_time()
    while (elapsed := time.process_time() - started) < seconds:
        simulate_many(deals, kernel=kernel)
        games += len(deals)
    return games / elapsed


def hunt(kernel: str, workers: int, seconds: float, folder: str) -> dict[str, float]:
    """Run a hunt in processes of its own; returns its rates, and what it took."""
    ledger = Path(folder, f"{workers}-{time.monotonic_ns()}.db")
    words = [sys.executable, "-m", "search", "search", "sample", "--json", "--quiet"]
    words += ["--workers", str(workers), "--for", str(seconds), "--ledger", str(ledger)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = os.environ | {"CAMICIA_KERNEL": kernel}
    done = subprocess.run(words, env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    run = json.loads(done.stdout)["run"]
    return {
        "clock": run["deals_per_second"],
        "processor": int(run["deals"]) / processor,
        "busy": processor / run["seconds"] / workers,
        "bytes": ledger.stat().st_size,
        "peak_kb": after.ru_maxrss,
    }


def ledger_growth(kernel: str, units: int) -> tuple[float, float, int]:
    """Return bytes per unit, seconds per commit, and the size of a ledger after that many units."""
    from concurrent.futures import ThreadPoolExecutor

    from search.campaign import Campaign

    campaign = Campaign("sample", STANDARD, 1, 1248)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as pool:
        path = Path(folder, "hour.db")
        sizes = []
        started = time.perf_counter()
        for goal in (units // 2, units):
            with Ledger(path, "create") as ledger:
                entry = ledger.enter(campaign)
                Hunt(ledger, entry, pool, lambda: 1, deals=goal * 1248, kernel=kernel).run()
            sizes.append(path.stat().st_size)
        elapsed = time.perf_counter() - started
    return (sizes[1] - sizes[0]) / (units - units // 2), elapsed / units, sizes[1]


def spread(numbers: list[float], form: str) -> str:
    """The median, and the lowest and highest."""
    return " ".join(format(n, form) for n in (statistics.median(numbers), min(numbers), max(numbers)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="rounds (default: 5)")
    parser.add_argument("--seconds", type=float, default=20, metavar="S", help="of each hunt (default: 20)")
    parser.add_argument(
        "--alone", type=float, default=2, metavar="S", help="of the kernel alone (default: 2)"
    )
    parser.add_argument(
        "--units",
        type=int,
        default=round(3600 / UNIT_SECONDS * usable_cpus()),
        metavar="N",
        help="units of the ledger whose growth is measured (default: those of an hour of this machine)",
    )
    parser.add_argument("--kernel", help="the kernel; the fastest unless given")
    arguments = parser.parse_args()
    kernel = default_kernel(arguments.kernel)
    cpus = usable_cpus()
    deals = random_deals(STANDARD, PREPARED, seed=1)
    alone, hunts = [], {workers: [] for workers in sorted({1, cpus})}
    os.nice(NICENESS)
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(arguments.rounds):
            alone.append(kernel_alone(kernel, deals, arguments.alone))
            for workers, runs in hunts.items():
                runs.append(hunt(kernel, workers, arguments.seconds, folder))
    print(f"kernel {kernel}, {cpus} processors, load {os.getloadavg()[0]:.1f}")
    print(f"kernel alone, M/s a core:            {spread([rate / 1e6 for rate in alone], '.3f')}")
    for workers, runs in hunts.items():
        print(f"hunt on {workers} workers:")
        clock = [run["clock"] / 1e6 for run in runs]
        share = [run["clock"] / rate / workers for run, rate in zip(runs, alone, strict=True)]
        own = [run["processor"] / rate for run, rate in zip(runs, alone, strict=True)]
        print(f"  M/s by the clock:                  {spread(clock, '.3f')}")
        print(f"  share of {workers} x the kernel alone:     {spread(share, '.1%')}")
        print(f"  the same by processor time:        {spread(own, '.1%')}")
        print(f"  processor time it got, a worker:   {spread([run['busy'] for run in runs], '.1%')}")
    peak = max(run["peak_kb"] for runs in hunts.values() for run in runs)
    print(f"largest process, MB:                 {peak / 1024:.0f}")
    unit, commit, size = ledger_growth(kernel, arguments.units)
    print(
        f"ledger: {unit:.0f} bytes a unit, {1e3 * commit:.1f} ms a commit, "
        f"{size / 1e3:.0f} kB after {arguments.units:,} units"
    )


if __name__ == "__main__":
    main()
