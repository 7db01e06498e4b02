"""Fold the units of a ledger into blocks, so that its size hardly grows however long the hunt.

A *block* is one unit, or 8, 64, 512, ... of them with equal steps between their numbers, whose sums are kept.
Of each size a thousand blocks or so are kept as they are; older ones are folded, eight into one, where all
eight are done. Ten thousand million units make some ten thousand blocks. None has more than about a hundredth
of the units, so that `camicia verify` can still repeat as small a part of a hunt as it likes.

Blocks are aligned: of the numbers with one step and remainder, a block of 64 has those from a multiple of 64
on. So two blocks of one step have no unit in common, or one has all units of the other, in whatever order
they were done.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

#: Blocks that are folded into one.
FAN = 8

#: Blocks of each size that are not folded, and by how many there may be more before some are.
KEPT = 1024
SPARE = 256

#: The largest sum that a row can hold.
_MOST = (1 << 63) - 1

_MODULUS = 1 << 64


class Block(NamedTuple):
    """Units that are done, with the sums of their reports: a row of the table without its campaign.

    Parameters
    ----------
    unit, step, units : int
        The first unit, the step from each to the next (1 for a single one), and how many there are.
    games, loops, cards, tricks, checksum, milliseconds : int
        Sums over them; the checksum is modulo 2**64.
    committed : int
        When the last of them was committed, in seconds since 1970.
    origin : int or None
        Number of the origin; None if they have different ones.
    """

    unit: int
    step: int
    units: int
    games: int
    loops: int
    cards: int
    tricks: int
    checksum: int
    milliseconds: int
    committed: int
    origin: int | None

    @property
    def numbers(self) -> range:
        """The numbers of its units."""
        return range(self.unit, self.unit + self.step * (self.units - 1) + 1, self.step)


def together(blocks: Sequence[Block], step: int) -> Block | None:
    """Return the block of all units of some blocks, in order; None if its sums are too large for a row.

    Examples
    --------
    >>> two = [Block(unit, 1, 1, 10, 0, 90, 9, 2**64 - 1, 5, 1000 + unit, 1) for unit in (4, 7)]
    >>> together(two, 3)
    Block(unit=4, step=3, units=2, games=20, loops=0, cards=180, tricks=18, checksum=18446744073709551614, \
milliseconds=10, committed=1007, origin=1)
    """
    units, games, loops, cards, tricks, checksum, milliseconds = (
        sum(numbers) for numbers in list(zip(*blocks, strict=True))[2:9]
    )
    if max(units, games, cards, milliseconds) > _MOST:
        return None
    origins = {block.origin for block in blocks}
    return Block(
        blocks[0].unit,
        step,
        units,
        games,
        loops,
        cards,
        tricks,
        checksum % _MODULUS,
        milliseconds,
        max(block.committed for block in blocks),
        origins.pop() if len(origins) == 1 else None,
    )


class Fold(NamedTuple):
    """Blocks that one block replaces."""

    old: list[Block]
    new: Block


def folds(blocks: Iterable[Block], excess: int, steps: Iterable[int] = ()) -> Iterator[Fold]:
    """Yield the folds of blocks of one size, those with the smallest numbers first.

    Parameters
    ----------
    blocks : iterable of Block
        Blocks of one size, by their first unit.
    excess : int
        How many there are too many; no more folds are made than are needed.
    steps : iterable of int, optional
        The steps that single units may have been done in, those of larger blocks.

    Yields
    ------
    Fold
        The blocks, and what they become.

    Examples
    --------
    >>> single = [Block(unit, 1, 1, 10, 0, 90, 9, 1, 5, 1000, 1) for unit in range(3, 40, 2)]
    >>> [(fold.new.numbers, fold.new.games) for fold in folds(single, 100)]
    [(range(17, 32, 2), 80)]
    """
    blocks = list(blocks)
    if blocks and blocks[0].units == 1:
        step = _step_of([block.unit for block in blocks], steps)
        found = _windows(blocks, step)
    else:
        found = _windows(blocks)
    for (step, _, _), window in found:
        if excess <= 0:
            return
        if len(window) == FAN and (new := together(window, step)):
            yield Fold(window, new)
            excess -= FAN - 1


def _windows(
    blocks: Iterable[Block], step: int | None = None
) -> Iterable[tuple[tuple[int, int, int], list[Block]]]:
    """Group blocks by the block that they are part of; a step is given for single units."""
    windows: defaultdict[tuple[int, int, int], list[Block]] = defaultdict(list)
    for block in blocks:
        of = step or block.step
        index, rest = divmod(block.unit, of)
        windows[of, rest, index // (block.units * FAN)].append(block)
    return windows.items()


def _step_of(units: Sequence[int], steps: Iterable[int]) -> int:
    """Return the step by which most of some single units can be folded."""
    between = Counter(later - earlier for earlier, later in pairwise(units))
    candidates = {1, *steps, *(step for step, _ in between.most_common(1))}

    def full(step: int) -> int:
        windows = Counter((unit % step, unit // step // FAN) for unit in units)
        return sum(1 for number in windows.values() if number == FAN)

    return max(sorted(candidates), key=full)


def folded_to(blocks: Iterable[Block], kept: int) -> list[Block]:
    """Fold blocks until about `kept` are left of each size, where all that belong together are there.

    Examples
    --------
    >>> single = [Block(unit, 1, 1, 10, 0, 90, 9, 1, 5, 1000, 1) for unit in range(5, 1000, 10)]
    >>> [(block.unit, block.units) for block in folded_to(single, 2)]
    [(965, 1), (975, 1), (985, 1), (995, 1), (645, 8), (725, 8), (805, 8), (885, 8), (5, 64)]
    """
    of_size: defaultdict[int, list[Block]] = defaultdict(list)
    for block in blocks:
        of_size[block.units].append(block)
    units = 1
    while units <= max(of_size, default=0):
        same = sorted(of_size[units])
        steps = {block.step for size, larger in of_size.items() if size > units for block in larger}
        gone = set()
        for fold in folds(same, len(same) - kept, steps):
            gone.update(fold.old)
            of_size[fold.new.units].append(fold.new)
        of_size[units] = [block for block in same if block not in gone]
        units *= FAN
    return [block for same in of_size.values() for block in same]
