"""The units that a run has to do: those of the campaign, or one machine's part of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from search.campaign import Campaign
from search.ledger import UnitSet
from search.strategies import strategy_named


class Shard(NamedTuple):
    """The part of a campaign that one machine works on.

    In an endless campaign these are the units whose number leaves a given remainder; in a campaign with a
    fixed number of units, a block of adjacent ones.
    """

    number: int = 1
    of: int = 1

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def units(self, wanted: int, there_are: int | None = None) -> range:
        """Return the numbers of the shard's units below `wanted`; the campaign has `there_are`, or no end.

        Examples
        --------
        >>> Shard(2, 3).units(11), Shard(2, 3).units(11, 11)
        (range(1, 11, 3), range(3, 7))
        """
        if there_are is None:
            return range(self.number - 1, wanted, self.of)
        first, stop = (there_are * number // self.of for number in (self.number - 1, self.number))
        return range(min(first, wanted), min(stop, wanted))

    def size(self, wanted: int, there_are: int | None = None) -> int:
        """Return how many units that is.

        Examples
        --------
        >>> Shard(2, 3).size(11), Shard(2, 3).size(11, 11)
        (4, 4)
        """
        # It may exceed what `len` of a range can return.
        units = self.units(wanted, there_are)
        return max(0, units.stop - units.start + units.step - 1) // units.step


#: An endless campaign ends at this unit.
MOST_UNITS = 1 << 63

#: The whole campaign.
WHOLE = Shard()


def units_wanted(campaign: Campaign, deals: int | None) -> int | None:
    """The number of units for a number of deals, rounded up, or all there are; None for no end.

    Examples
    --------
    >>> from camicia import STANDARD
    >>> units_wanted(Campaign("sample", STANDARD, seed=7, unit_size=1248), 2000)
    2
    """
    there_are = strategy_named(campaign.strategy).unit_count(campaign)
    wanted = None if deals is None else -(-deals // campaign.unit_size)
    return min((number for number in (there_are, wanted) if number is not None), default=None)


def units_to_do(
    done: UnitSet, wanted: int | None, shard: Shard = WHOLE, there_are: int | None = None
) -> Iterator[int]:
    """Yield the units of a shard that are not done yet, in order.

    Examples
    --------
    >>> list(units_to_do(UnitSet([range(1, 2)]), 6, Shard(2, 2)))
    [3, 5]
    """
    return done.missing(shard.units(MOST_UNITS if wanted is None else wanted, there_are))
