"""The executors that run units: processes on this machine, or a Dask cluster."""

from search.workers.builds import scheduler_address
from search.workers.cluster import ABSENCE, ClusterExecutor
from search.workers.cpus import usable_cpus
from search.workers.local import HANG_FACTOR, HANG_SECONDS, MOST_WORKERS, LocalPool
from search.workers.pacing import Pace
from search.workers.signals import StopSignals, interrupted_by_any
from search.workers.unit import run_unit, run_units

__all__ = [
    "ABSENCE",
    "HANG_FACTOR",
    "HANG_SECONDS",
    "MOST_WORKERS",
    "ClusterExecutor",
    "LocalPool",
    "Pace",
    "StopSignals",
    "interrupted_by_any",
    "run_unit",
    "run_units",
    "scheduler_address",
    "usable_cpus",
]
