"""How a run keeps to its time: whether one more unit fits in, and how long to wait at the end."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from statistics import fmean

#: Seconds by which a run of a given length may be late: no unit is begun that should end later than that.
#: Units in flight at the end are waited for so long, or twice as long as a unit takes if that is longer.
LATEST = 5.0

#: The longest such wait in seconds, and how long a run is continued that has no unit done when its time is
#: over: on a busy machine a unit may take many times what it was planned for, and would be lost.
LONGEST_WAIT = 60.0

#: A unit is expected to take the mean time of the last ones, of this many at most.
REMEMBERED = 8


class Pace:
    """The time of a run, and what its units take.

    Parameters
    ----------
    seconds : float or None
        How long the run is to last; None for no end.
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
        """Let the run begin now."""
        self._started = self._clock()

    def unit_begun(self) -> None:
        """Note that a unit is handed out."""
        self._begun += 1

    def unit_done(self, seconds: float) -> None:
        """Note what a unit took by the clock."""
        self._unit_seconds.append(seconds)

    @property
    def elapsed(self) -> float:
        """Seconds since the run began."""
        return self._clock() - self._started

    @property
    def left(self) -> float:
        """Seconds to the end of the run, negative once it is over; infinite if there is none."""
        return math.inf if self._seconds is None else self._seconds - self.elapsed

    @property
    def is_over(self) -> bool:
        """Whether the time of the run is over."""
        return self.left <= 0

    @property
    def is_to_drop_waiting(self) -> bool:
        """Whether units that have not begun are to be dropped; the only ones get a moment to begin."""
        return self.left <= (0 if self._unit_seconds else -LATEST)

    @property
    def is_too_late(self) -> bool:
        """Whether even the units that have begun are not waited for any longer."""
        if not self._unit_seconds:
            return self.left < -LONGEST_WAIT
        return self.left < -max(LATEST, min(2 * fmean(self._unit_seconds), LONGEST_WAIT))

    def fits_another(self, flying: int, slots: int) -> bool:
        """Whether one more unit should end in time, or only a little late.

        Parameters
        ----------
        flying : int
            Units that are being done, or wait for that.
        slots : int
            Units that can be done at once.
        """
        if self._seconds is None:
            return True
        slots = max(1, slots)
        if not self._unit_seconds:
            # However short the run and long its units, there must be something to keep; but no more than that
            # until it is known how long they are just now.
            return flying < slots and (self._begun < slots or not self.is_over)
        if self.is_over:
            return False
        usual = fmean(self._unit_seconds)
        return usual * math.ceil((flying + 1) / slots) <= self.left + min(usual / 2, LATEST)
