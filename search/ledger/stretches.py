"""The history of a campaign: what was committed in each stretch of time; older stretches are longer."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

#: Stretches take 1, 4, 16, ... seconds.
FAN = 4

#: Stretches of each length that are not folded, and by how many there may be more before some are. The last
#: two minutes of a hunt are kept by the second, the last half day by the quarter of an hour, and a year takes
#: about 1,500 rows.
KEPT = 128
SPARE = 32


class Stretch(NamedTuple):
    """What was committed in a stretch of time.

    Parameters
    ----------
    start : int
        Its beginning, in seconds since 1970.
    seconds : int
        Its length: a power of `FAN`, of which the beginning is a multiple.
    units, deals : int
        Units committed in it, and their deals.
    cards, tricks : int
        The longest finite game that they found, by each length; 0 for none.
    """

    start: int
    seconds: int
    units: int
    deals: int
    cards: int
    tricks: int

    @property
    def end(self) -> int:
        """Its end, in seconds since 1970."""
        return self.start + self.seconds

    def joined(self, other: Stretch) -> Stretch:
        """Return this stretch with what was committed in another that is part of it.

        Examples
        --------
        >>> Stretch(0, 4, 1, 100, 500, 70).joined(Stretch(2, 1, 3, 300, 400, 80))
        Stretch(start=0, seconds=4, units=4, deals=400, cards=500, tricks=80)
        """
        return self._replace(
            units=self.units + other.units,
            deals=self.deals + other.deals,
            cards=max(self.cards, other.cards),
            tricks=max(self.tricks, other.tricks),
        )


def is_to_fold(stretches: Iterable[tuple[int, int]]) -> bool:
    """Return whether there are too many stretches of one length, given start and length of each."""
    numbers = Counter(seconds for _, seconds in stretches)
    return any(number > KEPT + SPARE for number in numbers.values())


def folded(stretches: Iterable[Stretch]) -> tuple[set[Stretch], dict[tuple[int, int], Stretch]]:
    """Fold the oldest stretches where there are too many of one length.

    Returns
    -------
    set of Stretch
        The stretches that are replaced.
    dict of (int, int) to Stretch
        Those that are new or changed, by start and length.

    Examples
    --------
    >>> old, new = folded([Stretch(second, 1, 1, 100, 50, 7) for second in range(1000, 1162)])
    >>> len(old), min(new.items())
    (36, ((1000, 4), Stretch(start=1000, seconds=4, units=4, deals=400, cards=50, tricks=7)))
    """
    present = {(stretch.start, stretch.seconds): stretch for stretch in stretches}
    before = dict(present)
    seconds = 1
    while any(length >= seconds for _, length in present):
        same = sorted(start for start, length in present if length == seconds)
        if len(same) > KEPT + SPARE:
            longer = seconds * FAN
            windows: defaultdict[int, list[int]] = defaultdict(list)
            for start in same:
                windows[start // longer * longer].append(start)
            excess = len(same) - KEPT
            for window, starts in windows.items():
                if excess <= 0:
                    break
                whole = present.get((window, longer), Stretch(window, longer, 0, 0, 0, 0))
                for start in starts:
                    whole = whole.joined(present.pop((start, seconds)))
                present[window, longer] = whole
                excess -= len(starts)
        seconds *= FAN
    old = {stretch for key, stretch in before.items() if present.get(key) != stretch}
    new = {key: stretch for key, stretch in present.items() if before.get(key) != stretch}
    return old, new


def without(stretches: Iterable[Stretch], taken: Iterable[Stretch]) -> list[Stretch]:
    """Return stretches without the units and deals of others that were joined to them, the changed ones only.

    The longest games stay: who takes a history out puts a longer one of the same hunt in its place.

    Examples
    --------
    >>> without([Stretch(0, 4, 5, 50, 9, 3)], [Stretch(1, 1, 2, 20, 9, 3)])
    [Stretch(start=0, seconds=4, units=3, deals=30, cards=9, tricks=3)]
    """
    present = {(stretch.start, stretch.seconds): stretch for stretch in stretches}
    changed = {}
    longest = max((seconds for _, seconds in present), default=0)
    for stretch in taken:
        seconds = stretch.seconds
        # It may have become part of a longer one.
        while seconds <= longest:
            key = stretch.start // seconds * seconds, seconds
            held = present.get(key)
            if held and held.units >= stretch.units and held.deals >= stretch.deals:
                present[key] = changed[key] = held._replace(
                    units=held.units - stretch.units, deals=held.deals - stretch.deals
                )
                break
            seconds *= FAN
    return list(changed.values())


def joined(histories: Iterable[Iterable[Stretch]]) -> list[Stretch]:
    """Return the history of several campaigns together, in order of time.

    Examples
    --------
    >>> joined([[Stretch(8, 1, 1, 10, 5, 1)], [Stretch(4, 4, 1, 10, 7, 1), Stretch(8, 1, 2, 20, 9, 2)]])
    [Stretch(start=4, seconds=4, units=1, deals=10, cards=7, tricks=1), \
Stretch(start=8, seconds=1, units=3, deals=30, cards=9, tricks=2)]
    """
    sums: dict[tuple[int, int], Stretch] = {}
    for history in histories:
        for stretch in history:
            key = stretch.start, stretch.seconds
            sums[key] = sums[key].joined(stretch) if key in sums else stretch
    return [stretch for _, stretch in sorted(sums.items())]
