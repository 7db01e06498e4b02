"""Does the driver keep up with a large fleet? Units are fakes, and each figure is printed beside its goal.

First an executor that answers at once: units handed out and committed a second by one process, and how its
memory grows. Then a Dask cluster on this machine whose workers only sleep: the share of the time for which
they are busy, from the first unit to the last, with units as long as those of a common hunt.

    python benchmarks/driver.py --units 1000000 --workers 200 --sleep 3 --rounds 100
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import sys
import tempfile
import time
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from camicia import STANDARD
from search.campaign import Campaign, UnitReport
from search.driver import Hunt
from search.ledger import Ledger
from search.workers import ClusterExecutor, run_unit

#: Deals of the one unit that is really played.
DEALS = 1248

#: Units after which memory is measured first: by then everything is loaded.
SETTLED = 20_000

CAMPAIGN = Campaign("sample", STANDARD, seed=1, unit_size=DEALS)


class Instant(Executor):
    """Answers at once, with the report of one unit under other numbers.

    Parameters
    ----------
    report : UnitReport
        The report.
    """

    def __init__(self, report: UnitReport) -> None:
        self._report = report
        self.units = 0
        self.settled = 0.0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Make the reports of the units that were asked for."""
        _, units, _ = args
        future: Future[Any] = Future()
        future.set_result([replace(self._report, unit=unit, seconds=0.001) for unit in units])
        self.units += len(units)
        if not self.settled and self.units >= SETTLED:
            self.settled = resident()
        return future


def resident() -> float:
    """Return the most megabytes that this process had resident."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1e-6 if sys.platform == "darwin" else 1e-3)


def show(what: str, figure: float, unit: str, goal: float, at_least: bool) -> None:
    """Print a figure beside its goal."""
    good = figure >= goal if at_least else figure <= goal
    word = "at least" if at_least else "at most"
    print(f"{what:52} {figure:12,.1f} {unit:16} {word} {goal:,g}: {'yes' if good else 'NO'}", flush=True)


def measure_driver(units: int, folder: str) -> None:
    """Measure how many instant units a second one driver commits."""
    report = replace(run_unit(CAMPAIGN, 0), finds=(), loop_finds=())
    executor = Instant(report)
    with Ledger(Path(folder, "instant.db"), "create") as ledger:
        hunt = Hunt(ledger, ledger.enter(CAMPAIGN), executor, lambda: 8, deals=units * DEALS)
        started, spent = time.perf_counter(), time.process_time()
        hunt.run()
        elapsed, spent = time.perf_counter() - started, time.process_time() - spent
        assert ledger.totals(hunt.entry).units == units
    print(f"{units:,} units that take no time: {elapsed:.1f} s, {spent:.1f} s of processor time")
    show("handed out and committed", units / elapsed, "units a second", 2000, True)
    if executor.settled:
        show(
            f"memory after {SETTLED:,} units and after all",
            resident() - executor.settled,
            "MB more",
            20,
            False,
        )


class Sleeping(ClusterExecutor):
    """A cluster whose workers sleep instead of playing."""

    report: UnitReport
    seconds: float
    slept = 0.0
    generator = random.Random(3)

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Sleep for as long as units take, then make their reports."""
        _, units, _ = args
        future: Future[Any] = Future()
        # Units take about the same time, not the same: workers do not all end at once.
        seconds = [self.seconds * self.generator.uniform(0.8, 1.2) for _ in units]
        reports = [
            replace(self.report, unit=unit, seconds=one) for unit, one in zip(units, seconds, strict=True)
        ]
        self.slept += sum(seconds)
        slept = super().submit(time.sleep, sum(seconds))
        slept.add_done_callback(lambda done: future.set_result(reports))
        return future


def measure_cluster(workers: int, seconds: float, rounds: int, folder: str) -> None:
    """Measure the share of the time for which the workers of a cluster are busy."""
    import distributed

    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=workers,
        processes=False,
        protocol="tcp",
        dashboard_address=None,
        silence_logs=50,
    ) as cluster:
        pool = Sleeping(cluster.scheduler_address)
        pool.report, pool.seconds = replace(run_unit(CAMPAIGN, 0), finds=(), loop_finds=()), seconds
        units = workers * rounds
        with Ledger(Path(folder, "cluster.db"), "create") as ledger:
            hunt = Hunt(ledger, ledger.enter(CAMPAIGN), pool, pool.slots, deals=units * DEALS)
            hunt.run()
            assert ledger.totals(hunt.entry).units == units
            lasted = hunt.lasted
        with suppress(Exception):
            pool.kill()
    print(
        f"{units:,} units of about {seconds:g} s of sleep on {workers} Dask workers (threads): {lasted:.1f} s"
    )
    show("workers busy", 100 * pool.slept / workers / lasted, "% of the time", 98, True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--units", type=int, default=200_000, help="units that take no time")
    parser.add_argument("--workers", type=int, default=200, help="workers of the cluster")
    parser.add_argument("--sleep", type=float, default=3.0, help="seconds of a unit there")
    parser.add_argument("--rounds", type=int, default=20, help="units for each worker")
    arguments = parser.parse_args()
    print(f"{os.uname().machine}, {os.cpu_count()} CPUs, Python {sys.version.split()[0]}")
    with tempfile.TemporaryDirectory() as folder:
        measure_driver(arguments.units, folder)
        measure_cluster(arguments.workers, arguments.sleep, arguments.rounds, folder)


if __name__ == "__main__":
    main()
