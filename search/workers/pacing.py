"""Keep a run to its time limit: whether one more unit fits in, and how long to wait at the end."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from statistics import fmean

#: Seconds by which a run may exceed its limit: no unit is started that should end later than that.
#: Units in flight at the end are waited for so long, or twice as long as a unit takes if that is longer.
LATEST = 5.0

#: The longest such wait in seconds, and how long a run continues that has finished no unit when its time is
#: up: on a busy machine a unit may take many times as long as planned, and would be lost.
LONGEST_WAIT = 60.0

#: The longest time, in seconds, that a call of several short units should take: a kill loses no more.
LONGEST_CALL = 10.0

#: A unit is expected to take the mean time of the latest units, at most this many of them.
REMEMBERED = 8


class Pace:
    """The time limit of a run, and the times of its units.

    Parameters
    ----------
    seconds : float or None
        Time limit of the run; None for none.
    clock : callable
        Returns the time in seconds.

    Examples
    --------
    >>> now = 0.0
    >>> pace = Pace(60, clock=lambda: now)
    >>> pace.unit_done(20)
    >>> now = 39.0
    >>> pace.fits_another(flying=0, slots=2), pace.fits_another(flying=2, slots=2)
    (True, False)
    """

    def __init__(self, seconds: float | None, clock: Callable[[], float]) -> None:
        self._seconds = seconds
        self._clock = clock
        self._begun = 0
        self._unit_seconds: deque[float] = deque(maxlen=REMEMBERED)
        self._started = clock()

    def start(self) -> None:
        """Start the run now."""
        self._started = self._clock()

    def units_begun(self, count: int = 1) -> None:
        """Record that units were submitted."""
        self._begun += count

    @property
    def units_a_second(self) -> float:
        """How many units a worker does a second, as a mean over the latest; 0 while none is done."""
        return 1 / max(fmean(self._unit_seconds), 1e-6) if self._unit_seconds else 0.0

    @property
    def most_at_once(self) -> int:
        """How many units one call may do: they should end with the run, and none should wait for long."""
        if not self._unit_seconds:
            return 1
        seconds = max(fmean(self._unit_seconds), 1e-6)
        return max(1, math.floor(min(self.left / 4, LONGEST_CALL) / seconds))

    def unit_done(self, seconds: float) -> None:
        """Record the wall-clock time that a unit took."""
        self._unit_seconds.append(seconds)

    @property
    def elapsed(self) -> float:
        """Seconds since the run began."""
        return self._clock() - self._started

    @property
    def left(self) -> float:
        """Seconds to the end of the run, negative once it is over; infinite if it has no limit."""
        return math.inf if self._seconds is None else self._seconds - self.elapsed

    @property
    def is_over(self) -> bool:
        """Whether the time of the run is up."""
        return self.left <= 0

    @property
    def is_to_drop_waiting(self) -> bool:
        """Whether units that have not begun are to be dropped; the only ones get a moment to begin."""
        return self.left <= (0 if self._unit_seconds else -LATEST)

    @property
    def is_too_late(self) -> bool:
        """Whether to stop waiting even for the units in progress."""
        if not self._unit_seconds:
            return self.left < -LONGEST_WAIT
        return self.left < -max(LATEST, min(2 * fmean(self._unit_seconds), LONGEST_WAIT))

    def fits_another(self, flying: int, slots: int) -> bool:
        """Whether one more unit should end in time, or only a little late.

        Parameters
        ----------
        flying : int
            Units in progress or queued.
        slots : int
            Units that can run at once.
        """
        if self._seconds is None:
            return True
        slots = max(1, slots)
        if not self._unit_seconds:
            # However short the run and long its units, at least one must be finished; but start no more than
            # that until it is known how long they currently take.
            return flying < slots and (self._begun < slots or not self.is_over)
        if self.is_over:
            return False
        usual = fmean(self._unit_seconds)
        return usual * math.ceil((flying + 1) / slots) <= self.left + min(usual / 2, LATEST)
