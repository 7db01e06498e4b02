"""Sets of unit numbers, kept as runs of equal steps: they stay small however many units are done."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from heapq import merge
from math import gcd


class UnitSet:
    """A set of unit numbers.

    A campaign is done in order, or in order within a shard that takes every N-th unit. So the set is kept as
    runs: for each step and each remainder, the stretches of numbers with that remainder. Adjacent stretches
    are joined.

    Parameters
    ----------
    runs : iterable of range
        The numbers, as ranges with a positive step that have none in common.

    Examples
    --------
    >>> done = UnitSet([range(0, 100), range(100, 200), range(301, 401, 10)])
    >>> 150 in done, 311 in done, 312 in done, len(done)
    (True, True, False, 210)
    >>> list(done.runs())
    [range(0, 200), range(301, 392, 10)]
    """

    def __init__(self, runs: Iterable[range] = ()) -> None:
        # For each step and remainder, starts and ends of the stretches, as numbers of steps.
        self._starts: dict[int, dict[int, list[int]]] = {}
        self._stops: dict[int, dict[int, list[int]]] = {}
        for run in runs:
            self.add(run)

    @classmethod
    def of(cls, blocks: Iterable[range]) -> UnitSet:
        """Return a set of ranges in order of their first numbers, whose single numbers may have equal steps.

        Examples
        --------
        >>> UnitSet.of([range(3, 4), range(7, 8), range(11, 12), range(12, 20)])
        UnitSet([range(12, 20), range(3, 12, 4)])
        """
        found = cls()
        single = range(0)
        for block in blocks:
            if len(block) > 1:
                found.add(block)
            elif len(single) > 1 and block[0] == single[-1] + single.step:
                single = range(single[0], block[0] + 1, single.step)
            elif len(single) == 1:
                single = range(single[0], block[0] + 1, block[0] - single[0])
            else:
                found.add(single)
                single = block
        found.add(single)
        return found

    def add(self, run: range) -> None:
        """Add numbers that the set does not have."""
        if not run:
            return
        step = run.step if len(run) > 1 else 1
        (first, rest), last = divmod(run[0], step), run[-1] // step
        starts = self._starts.setdefault(step, {}).setdefault(rest, [])
        stops = self._stops.setdefault(step, {}).setdefault(rest, [])
        place = bisect_right(starts, first)
        joins_left = place > 0 and stops[place - 1] == first
        joins_right = place < len(starts) and starts[place] == last + 1
        if joins_left and joins_right:
            stops[place - 1] = stops.pop(place)
            del starts[place]
        elif joins_left:
            stops[place - 1] = last + 1
        elif joins_right:
            starts[place] = first
        else:
            starts.insert(place, first)
            stops.insert(place, last + 1)

    def remove(self, run: range) -> None:
        """Take out numbers that the set has.

        Raises
        ------
        KeyError
            If it lacks one of them; then nothing is taken out.

        Examples
        --------
        >>> units = UnitSet([range(0, 12)])
        >>> units.remove(range(2, 9, 3))
        >>> list(units)
        [0, 1, 3, 4, 6, 7, 9, 10, 11]
        """
        parts = [(part, common) for part in list(self._parts_near(run)) if (common := common_part(part, run))]
        if sum(len(common) for _, common in parts) != len(run):
            raise KeyError(run)
        for part, common in parts:
            self._drop(part)
            self.add(range(part[0], common[0], part.step))
            self.add(range(common[-1] + part.step, part[-1] + 1, part.step))
            # Between them stay the other remainders of its numbers.
            for first in range(common[0] + part.step, common[0] + common.step, part.step):
                self.add(range(first, common[-1], common.step))

    def _drop(self, part: range) -> None:
        """Take out a whole stretch."""
        starts, stops = (of[part.step][part[0] % part.step] for of in (self._starts, self._stops))
        place = bisect_right(starts, part[0] // part.step) - 1
        del starts[place], stops[place]

    def update(self, other: UnitSet) -> None:
        """Add the numbers of another set that has none of this one's."""
        for run in other.runs():
            self.add(run)

    def __contains__(self, unit: object) -> bool:
        return isinstance(unit, int) and self._stop_after(unit) is not None

    def _stop_after(self, unit: int) -> tuple[int, int] | None:
        """Return the step of the stretch that a number is in, and the first number after it, or None."""
        for step, of_rest in self._starts.items():
            index, rest = divmod(unit, step)
            if (starts := of_rest.get(rest)) is None:
                continue
            place = bisect_right(starts, index) - 1
            if place >= 0 and index < (stop := self._stops[step][rest][place]):
                return step, stop * step + rest
        return None

    def __len__(self) -> int:
        return sum(len(run) for run in self.runs())

    def __bool__(self) -> bool:
        return any(starts for of_rest in self._starts.values() for starts in of_rest.values())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, UnitSet):
            return len(self) == len(other) and all(unit in other for unit in self)
        return set(self) == other if isinstance(other, (set, frozenset)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"UnitSet({list(self.runs())})"

    def __iter__(self) -> Iterator[int]:
        return merge(*self.runs())

    def runs(self) -> Iterator[range]:
        """Yield the set as ranges that have no number in common."""
        for step, of_rest in self._starts.items():
            for rest, starts in of_rest.items():
                for start, stop in zip(starts, self._stops[step][rest], strict=True):
                    yield range(start * step + rest, (stop - 1) * step + rest + 1, step)

    def first(self) -> int:
        """Return the smallest number; the set must not be empty."""
        return min(run[0] for run in self.runs())

    def missing(self, numbers: range) -> Iterator[int]:
        """Yield the numbers of an ascending range that are not in the set, skipping whole stretches.

        Parameters
        ----------
        numbers : range
            The numbers; its step must be positive.

        Examples
        --------
        >>> list(UnitSet([range(0, 10**12)]).missing(range(0, 10**12 + 9, 4)))
        [1000000000000, 1000000000004, 1000000000008]
        """
        unit, stop, step = numbers.start, numbers.stop, numbers.step
        while unit < stop:
            found = self._stop_after(unit)
            if found is None:
                yield unit
                unit += step
            elif step % found[0] == 0:
                # All numbers of the range up to the end of the stretch are in it.
                last = found[1] - found[0]
                unit += step * ((last - unit) // step + 1)
            else:
                unit += step

    def count_in(self, numbers: range) -> int:
        """Return how many numbers of a range are in the set.

        Examples
        --------
        >>> UnitSet([range(0, 100), range(105, 200, 5)]).count_in(range(0, 1000, 10))
        19
        """
        return sum(len(common_part(run, numbers)) for run in self.runs())

    def overlaps(self, run: range) -> bool:
        """Return whether any number of a range is in the set."""
        return any(common_part(run, part) for part in self._parts_near(run))

    def twice(self) -> int | None:
        """Return a number that was added twice; None if there is none."""
        runs = list(self.runs())
        for run in runs:
            for part in self._parts_near(run):
                both = common_part(run, part)
                if both and (part.start, part.step) != (run.start, run.step):
                    return both[0]
        return None

    def common(self, other: UnitSet) -> UnitSet:
        """Return the numbers that both sets have.

        Examples
        --------
        >>> UnitSet([range(0, 100, 2)]).common(UnitSet([range(10, 30, 3), range(96, 99)]))
        UnitSet([range(10, 29, 6), range(96, 99, 2)])
        """
        found = UnitSet()
        small, large = sorted((self, other), key=lambda one: sum(1 for _ in one.runs()))
        for run in small.runs():
            for part in large._parts_near(run):
                if both := common_part(run, part):
                    found.add(both)
        return found

    def _parts_near(self, run: range) -> Iterator[range]:
        """Yield the stretches that may have a number in common with a run."""
        for step, of_rest in self._starts.items():
            shared = gcd(step, run.step)
            for rest in self._rests(of_rest, run, step, shared):
                starts, stops = of_rest[rest], self._stops[step][rest]
                place = max(0, bisect_right(starts, (run[0] - rest) // step) - 1)
                while place < len(starts) and starts[place] * step + rest <= run[-1]:
                    yield range(starts[place] * step + rest, (stops[place] - 1) * step + rest + 1, step)
                    place += 1

    @staticmethod
    def _rests(of_rest: dict[int, list[int]], run: range, step: int, shared: int) -> Iterator[int]:
        """Yield the remainders of the set whose numbers may be in a run."""
        if shared == step:
            return iter([run[0] % step] if run[0] % step in of_rest else [])
        if len(run) < len(of_rest):
            return (rest for rest in {unit % step for unit in run} if rest in of_rest)
        return (rest for rest in of_rest if (rest - run[0]) % shared == 0)


def common_part(one: range, other: range) -> range:
    """Return the numbers that two ascending ranges have in common.

    Examples
    --------
    >>> common_part(range(0, 100, 6), range(3, 50, 9)), len(common_part(range(0, 9, 2), range(1, 9, 2)))
    (range(12, 49, 18), 0)
    """
    shared = gcd(one.step, other.step)
    if not one or not other or (other.start - one.start) % shared:
        return range(0)
    step = one.step // shared * other.step
    # The Chinese remainder theorem: the first number of `one`, so many steps on, that `other` has too.
    steps = (other.start - one.start) // shared * pow(one.step // shared, -1, other.step // shared)
    number = one.start + steps % (other.step // shared) * one.step
    least, most = max(one.start, other.start), min(one[-1], other[-1])
    first = number + -(-(least - number) // step) * step
    return range(first, most + 1, step) if first <= most else range(0)
