"""The work of a ledger over time: its rate in the past and at present."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from search.ledger import Ledger

#: Mean number of units in a stretch of a run: with fewer, the rate would be mostly noise.
UNITS_A_BIN = 6


class Bin(NamedTuple):
    """A stretch of time in which the hunt was running.

    Parameters
    ----------
    start : float
        Seconds since 1970.
    seconds : float
        Its length.
    deals : int
        Deals whose units were committed in it.
    """

    start: float
    seconds: float
    deals: int

    @property
    def rate(self) -> float:
        """Deals a second."""
        return self.deals / self.seconds


def work(ledger: Ledger) -> list[tuple[int, int]]:
    """Return when each unit was committed, in seconds since 1970, with its deals; in order of time."""
    return sorted(
        (unit["committed"], unit["games"]) for entry in ledger.campaigns() for unit in ledger.units(entry)
    )


def runs(ledger: Ledger) -> list[tuple[int, int]]:
    """Return start and end of each run that lasted."""
    found = (
        (run["started"], run["started"] + run["seconds"])
        for entry in ledger.campaigns()
        for run in ledger.runs(entry)
    )
    return sorted((start, end) for start, end in found if end > start)


class Rate(NamedTuple):
    """The present rate of a hunt.

    Parameters
    ----------
    deals : float
        Deals a second.
    what : str
        What the rate is of, in words.
    workers : int
        Number of workers.
    """

    deals: float
    what: str
    workers: int


def present_rate(ledger: Ledger) -> Rate | None:
    """Return the rate of the last run, or of one worker if no run lasted; None if nothing is done."""
    units, last = work(ledger), _last_run(ledger)
    if last:
        start, end, workers = last
        # Times are whole seconds: a unit committed as the run ended may carry the next second.
        deals = sum(games for committed, games in units if start <= committed <= end + 1)
        if deals:
            return Rate(deals / (end - start), "the last run", workers)
    totals = [ledger.totals(entry) for entry in ledger.campaigns()]
    milliseconds = sum(total.milliseconds for total in totals)
    if not milliseconds:
        return None
    return Rate(1000 * sum(total.games for total in totals) / milliseconds, "one worker", 1)


def _last_run(ledger: Ledger) -> tuple[int, int, int] | None:
    """Return start, end and workers of the last run that lasted."""
    found = [
        (run["started"], run["started"] + run["seconds"], run["workers"])
        for entry in ledger.campaigns()
        for run in ledger.runs(entry)
        if run["seconds"] > 0
    ]
    return max(found, default=None)


class Clock:
    """The time in which the hunt was running, without the pauses between its runs.

    Parameters
    ----------
    spans : sequence of (int, int)
        Start and end of each run; time in which several ran counts once.

    Examples
    --------
    >>> clock = Clock([(100, 110), (105, 120), (1000, 1010)])
    >>> clock.spans, [clock(moment) for moment in (100, 115, 500, 1003, 2000)]
    ([(100, 120), (1000, 1010)], [0, 15, 20, 23, 30])
    """

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        self.spans: list[tuple[int, int]] = []
        for start, end in sorted(spans):
            if self.spans and start <= self.spans[-1][1]:
                first, last = self.spans[-1]
                self.spans[-1] = first, max(last, end)
            else:
                self.spans.append((start, end))

    def __call__(self, moment: float) -> float:
        """Return the seconds that the hunt had been running at a moment."""
        return sum(min(max(moment - start, 0), end - start) for start, end in self.spans)


def binned(units: Sequence[tuple[int, int]], spans: Sequence[tuple[int, int]], most: int = 200) -> list[Bin]:
    """Cut each run into stretches of equal length, with the deals of each.

    Parameters
    ----------
    units : sequence of (int, int)
        When units were committed, with their deals.
    spans : sequence of (int, int)
        Start and end of each run.
        most : int, optional
        Approximate total number of stretches; fewer if there are few units.

    Examples
    --------
    >>> [bin.rate for bin in binned([(1, 50), (3, 100), (4, 60)] * 4, [(0, 4)], most=2)]
    [100.0, 320.0]
    """
    units = sorted(units)
    most = max(1, min(most, len(units) // UNITS_A_BIN))
    times = np.array([committed for committed, _ in units])
    sums = np.concatenate([[0], np.cumsum([games for _, games in units])])
    length = max(1.0, sum(end - start for start, end in spans) / most)
    bins = []
    for start, end in spans:
        edges = np.linspace(start, end, max(1, round((end - start) / length)) + 1)
        # The last stretch includes what was committed as the run ended.
        places = np.searchsorted(times, [*edges[:-1], end + 1])
        for place, (left, right) in enumerate(pairwise(edges)):
            deals = int(sums[places[place + 1]] - sums[places[place]])
            bins.append(Bin(float(left), float(right - left), deals))
    return bins
