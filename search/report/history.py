"""The work of a ledger over time: its rate in the past and at present."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from search.ledger import Ledger, Stretch, joined

#: Mean number of units in a stretch of a run: with fewer, the rate would be mostly noise.
UNITS_A_BIN = 6

#: Where no run is noted, as in a merged ledger, a hunt was running between two commits no further apart than
#: this many seconds, or than so many units take.
LONGEST_GAP = 60.0
_GAP_UNITS = 5


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


def history(ledger: Ledger) -> list[Stretch]:
    """Return what all campaigns together have committed in each stretch of time, in order."""
    return joined(ledger.history(entry) for entry in ledger.campaigns())


def runs(ledger: Ledger) -> list[tuple[int, int]]:
    """Return start and end of each run that lasted; those of merged ledgers as far as their commits show."""
    entries = ledger.campaigns()
    found = sorted(
        (run["started"], run["started"] + run["seconds"])
        for entry in entries
        for run in ledger.runs(entry)
        if run["seconds"] > 0
    )
    totals = [ledger.totals(entry) for entry in entries]
    units = sum(total.units for total in totals)
    usual = sum(total.milliseconds for total in totals) / 1000 / units if units else 0.0
    clock = Clock(found)
    # A commit as a run ended may carry the next second.
    outside = [stretch for stretch in history(ledger) if clock(stretch.end + 1) == clock(stretch.start - 1)]
    return sorted([*found, *bridged(outside, max(LONGEST_GAP, _GAP_UNITS * usual))])


def bridged(stretches: Sequence[Stretch], gap: float) -> list[tuple[int, int]]:
    """Return the times in which a hunt was running that committed in some stretches, in order.

    Parameters
    ----------
    stretches : sequence of Stretch
        When something was committed.
    gap : float
        Seconds between two commits for which it was running too.

    Examples
    --------
    >>> bridged([Stretch(second, 1, 1, 10, 0, 0) for second in (100, 103, 110, 500, 502)], 60)
    [(100, 111), (500, 503)]
    """
    spans: list[tuple[int, int]] = []
    for stretch in stretches:
        if spans and stretch.start - spans[-1][1] <= gap:
            first, last = spans[-1]
            spans[-1] = first, max(last, stretch.end)
        else:
            spans.append((stretch.start, stretch.end))
    return spans


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
    lasted = [run for entry in ledger.campaigns() for run in ledger.runs(entry) if run["seconds"] > 0]
    if lasted:
        last = max(lasted, key=lambda run: (run["started"], run["started"] + run["seconds"], run["workers"]))
        if last["deals"]:
            return Rate(last["deals"] / last["seconds"], "the last run", last["workers"])
    totals = [ledger.totals(entry) for entry in ledger.campaigns()]
    milliseconds = sum(total.milliseconds for total in totals)
    if not milliseconds:
        return None
    return Rate(1000 * sum(total.games for total in totals) / milliseconds, "one worker", 1)


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


def binned(stretches: Sequence[Stretch], spans: Sequence[tuple[int, int]], most: int = 200) -> list[Bin]:
    """Cut each run into stretches of equal length, with the deals of each.

    Parameters
    ----------
    stretches : sequence of Stretch
        What was committed when. What was committed in a stretch is spread over the time of it in which the
        hunt was running.
    spans : sequence of (int, int)
        Start and end of each run, in order; none begins before the last one ended.
    most : int, optional
        Approximate total number of stretches; fewer if there are few units.

    Examples
    --------
    >>> work = [Stretch(1, 1, 8, 200, 0, 0), Stretch(2, 1, 8, 640, 0, 0)]
    >>> [bin.rate for bin in binned(work, [(0, 4)], most=2)]
    [100.0, 320.0]
    """
    units = sum(stretch.units for stretch in stretches)
    most = max(1, min(most, units // UNITS_A_BIN))
    clock = Clock(spans)
    # Deals by the time that the hunt had been running: what a stretch has is spread evenly over its part of
    # that.
    times, sums = [0.0], [0.0]
    for stretch in sorted(stretches, key=lambda stretch: stretch.end):
        start, end = clock(stretch.start), clock(stretch.end)
        if start > times[-1]:
            times.append(start)
            sums.append(sums[-1])
        times.append(max(end, times[-1]))
        sums.append(sums[-1] + stretch.deals)
    length = max(1.0, sum(end - start for start, end in spans) / most)
    bins = []
    for start, end in spans:
        edges = np.linspace(start, end, max(1, round((end - start) / length)) + 1)
        # What was committed as a run ended is part of its last stretch: of equal times the last is taken.
        reached = np.rint(np.interp([clock(edge) for edge in edges], times, sums)).astype(int)
        for place, (left, right) in enumerate(pairwise(edges)):
            bins.append(Bin(float(left), float(right - left), int(reached[place + 1] - reached[place])))
    return bins
