"""What does Dask cost compared with the local pool? Time per unit on each, in turn, on one machine.

Two things are measured: hunts of the same units at the default unit size, whose ratio is the real cost but is
blurred by other load on the machine; and units of no work, whose time is the cost of submitting alone.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
import time
from concurrent.futures import Executor
from pathlib import Path
from statistics import median

from camicia.cards import Deck
from search.campaign import Campaign
from search.driver import Hunt
from search.ledger import Ledger
from search.strategies import strategy_named
from search.strategies.request import Request
from search.workers import ClusterExecutor, LocalPool


def hunt(pool: LocalPool | ClusterExecutor, campaign: Campaign, units: int) -> float:
    """Hunt for so many units; returns seconds a unit took, of one worker."""
    with tempfile.TemporaryDirectory() as folder, Ledger(Path(folder) / "hunt.db", "create") as ledger:
        started = time.perf_counter()
        Hunt(ledger, ledger.enter(campaign), pool, pool.slots, deals=units * campaign.unit_size).run()
        return (time.perf_counter() - started) / units * pool.slots()


def main() -> None:
    """Measure and print."""
    import distributed

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--units", type=int, default=8, help="units of a hunt, a round")
    parser.add_argument("--unit-size", type=int, help="deals of a unit (default: as in a hunt)")
    arguments = parser.parse_args()
    logging.getLogger("distributed").setLevel(logging.ERROR)
    usual = strategy_named("sample").plan(Request(seed=1, unit_size=arguments.unit_size))
    small = Campaign("sample", Deck(4, 2, 0, 0, 0), seed=1, unit_size=1248)
    with distributed.LocalCluster(
        n_workers=arguments.workers, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        pools: dict[str, Executor] = {
            "local": LocalPool(arguments.workers),
            "dask": ClusterExecutor(cluster.scheduler_address),
        }
        for title, campaign, units in (
            (f"units of {usual.unit_size:,} deals", usual, arguments.units),
            ("units of no work", small, 40 * arguments.units),
        ):
            times: dict[str, list[float]] = {name: [] for name in pools}
            for number in range(arguments.rounds + 1):
                for name, pool in pools.items():
                    seconds = hunt(pool, campaign, units)
                    # The first round starts workers.
                    if number:
                        times[name].append(seconds)
            ratios = [dask / local for dask, local in zip(times["dask"], times["local"], strict=True)]
            print(title)
            for name, seconds_of in times.items():
                spread = max(seconds_of) - min(seconds_of)
                print(f"  {name:<6}{1000 * median(seconds_of):9.1f} ms a unit, spread {1000 * spread:.1f} ms")
            print(f"  dask / local: {median(ratios):.3f}, from {min(ratios):.3f} to {max(ratios):.3f}")
        for pool in pools.values():
            pool.kill()


if __name__ == "__main__":
    main()
