"""Ranges of ranks: dividing them into units, and finding what a set of them covers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

from camicia.cards import Deck
from camicia.deals.ranks import checked_range, rank_text
from search.errors import CampaignError


class RankRange(NamedTuple):
    """The ranks from `start` up to, but not including, `stop`.

    Examples
    --------
    >>> whole = RankRange(0, 11880)
    >>> whole.unit_count(5000), whole.unit(2, 5000)
    (3, RankRange(start=10000, stop=11880))
    """

    start: int
    stop: int

    @classmethod
    def of(cls, deck: Deck, start: int = 0, stop: int | None = None) -> Self:
        """Return a checked range of a deck's ranks; if `stop` is None, it runs to the end.

        Raises
        ------
        RankError
            Unless ``0 <= start <= stop <= deck.deal_count``.
        """
        return cls(*checked_range(deck.counts, start, stop, deck.deal_count))

    @property
    def size(self) -> int:
        """Number of ranks in it; this may exceed a machine word."""
        return self.stop - self.start

    def __str__(self) -> str:
        return f"{rank_text(self.start)} to {rank_text(self.stop)}"

    def unit_count(self, unit_size: int) -> int:
        """Return the number of units of at most `unit_size` ranks."""
        return -(-self.size // unit_size)

    def unit(self, index: int, unit_size: int) -> RankRange:
        """Return the range of a unit, counted from 0; the last may be shorter."""
        start = self.start + index * unit_size
        return RankRange(start, min(start + unit_size, self.stop))


def joined(ranges: Iterable[RankRange]) -> list[RankRange]:
    """Join adjacent ranges, in order.

    Raises
    ------
    CampaignError
        If two of them share a rank.

    Examples
    --------
    >>> joined([RankRange(5, 9), RankRange(0, 5), RankRange(12, 13)])
    [RankRange(start=0, stop=9), RankRange(start=12, stop=13)]
    """
    found: list[RankRange] = []
    for part in sorted(part for part in ranges if part.size):
        if found and part.start < found[-1].stop:
            shared = RankRange(part.start, min(part.stop, found[-1].stop))
            raise CampaignError(f"ranks {shared}: are in two of the searches, expected each rank in one")
        if found and part.start == found[-1].stop:
            found[-1] = RankRange(found[-1].start, part.stop)
        else:
            found.append(part)
    return found


def gaps(whole: RankRange, covered: Sequence[RankRange]) -> list[RankRange]:
    """Return the ranges of `whole` that are missing from ranges that `joined` returned.

    Examples
    --------
    >>> gaps(RankRange(0, 20), [RankRange(0, 9), RankRange(12, 13)])
    [RankRange(start=9, stop=12), RankRange(start=13, stop=20)]
    """
    missing: list[RankRange] = []
    reached = whole.start
    for part in covered:
        if part.start > reached:
            missing.append(RankRange(reached, min(part.start, whole.stop)))
        reached = max(reached, part.stop)
    if reached < whole.stop:
        missing.append(RankRange(reached, whole.stop))
    return missing
