"""A hunt as it is now: its rate now and over the day, whether anybody is at it, and what comes next."""

from __future__ import annotations

import time
from typing import NamedTuple

from camicia.records import longest_known
from search.ledger import Ledger, Stretch, has_writer
from search.report.figures import figures
from search.report.forecast import Forecast
from search.report.history import Clock, history, runs

#: Seconds over which the present rate is taken: units come in lumps.
NOW = 60.0

DAY = 86_400.0

#: A hunt whose units take longer than the present rate is taken over counts so many of them.
_UNITS = 5


class Pace(NamedTuple):
    """What was committed in some time until now.

    Parameters
    ----------
    seconds : float
        For how long the hunt was on in that time.
    deals, units : float
        Deals and units a second of it.
    """

    seconds: float
    deals: float
    units: float


class Present(NamedTuple):
    """A hunt as it is now.

    Parameters
    ----------
    is_on : bool
        Whether a process writes the ledger.
    workers : int
        Workers of the last run, at its last commit; 0 if there was no run.
    now, day : Pace or None
        The rate now, and over the last day; None if the hunt was not on.
    best : dict of str to int
        The longest game so far by cards and by tricks.
    known : dict of str to int or None
        The longest game known of the deck.
    next : Forecast or None
        The next milestone; None if nothing can be said yet.
    """

    is_on: bool
    workers: int
    now: Pace | None
    day: Pace | None
    best: dict[str, int]
    known: dict[str, int | None]
    next: Forecast | None


def hunt_now(ledger: Ledger, moment: float | None = None) -> Present:
    """Return a hunt as it is now.

    Parameters
    ----------
    ledger : Ledger
        The ledger.
    moment : float, optional
        The time in seconds since 1970 (default: now).
    """
    moment = time.time() if moment is None else moment
    found = figures(ledger, 1)
    entries = ledger.campaigns()
    last = max((run for entry in entries for run in ledger.runs(entry)), key=_beginning, default=None)
    is_on = has_writer(ledger.path)
    spans = runs(ledger)
    if is_on and last:
        # What is on has lasted longer than its last commit.
        spans = sorted([*spans, (last["started"], round(moment))])
    work = history(ledger)
    usual = found.document["worker_seconds"] / max(1, found.document["units"]) if entries else 0.0
    longest = {
        length: document[length]
        for length in ("cards", "tricks")
        if (document := found.document["longest"][length])
    }
    return Present(
        is_on,
        last["workers"] if last else 0,
        pace(work, spans, moment, max(NOW, _UNITS * usual)) if is_on else None,
        pace(work, spans, moment, DAY),
        longest,
        {length: longest_known(found.deck, length) if found.deck else None for length in ("cards", "tricks")},
        found.forecasts[0] if found.forecasts else None,
    )


def _beginning(run: dict[str, int]) -> int:
    return run["started"]


def pace(work: list[Stretch], spans: list[tuple[int, int]], moment: float, seconds: float) -> Pace | None:
    """Return what was committed in the last so many seconds; None if the hunt was not on.

    Examples
    --------
    >>> work = [Stretch(1000 + second, 1, 2, 500, 0, 0) for second in range(100)]
    >>> pace(work, [(1000, 1100)], 1100.0, 60.0)
    Pace(seconds=60.0, deals=500.0, units=2.0)
    >>> pace(work, [(1000, 1100)], 5000.0, 60.0) is None
    True
    """
    since = moment - seconds
    clock = Clock(spans)
    on = clock(moment) - clock(since)
    deals = units = 0.0
    for stretch in work:
        # Of a long stretch, the part that is recent.
        part = min(1.0, max(0.0, (stretch.end - since) / stretch.seconds))
        deals += part * stretch.deals
        units += part * stretch.units
    return Pace(on, deals / on, units / on) if on >= 1 else None
