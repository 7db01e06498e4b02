"""Random deals of War, and the results of millions of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from camicia.deals.sampling import checked_seed
from camicia.errors import CamiciaError
from camicia.guests.war import checked_threads, simulate_war_many
from camicia.guests.war_cards import DECK, WarDeal
from camicia.guests.war_dealing import BLOCK, deal_rows
from camicia.guests.war_rules import AS_LAID, checked_collect


def random_war_deals(n: int, seed: int) -> npt.NDArray[np.uint8]:
    """Return independent, uniform random deals of the standard 52 cards, 26 to each player.

    Parameters
    ----------
    n : int
        How many deals.
    seed : int
        0 to 2**64 - 1; the same seed gives the same deals everywhere, and more of them begins with fewer.

    Returns
    -------
    uint8 array, shape (n, 52)
        Card codes, hand A followed by hand B.

    Raises
    ------
    CamiciaError
        If `n` is not a whole number from 0 up, or the seed is impossible.

    Examples
    --------
    >>> from camicia.guests.war_random import random_war_deals
    >>> from camicia.guests.war_cards import hand_text
    >>> hand_text(random_war_deals(1, seed=1)[0])
    'K3887Q972835T8J3AJAKA42T952J65J76AT724Q59QQ6KT4K3964'
    """
    count = _checked_count(n)
    number = checked_seed(seed)
    deals = np.empty((count, len(DECK)), np.uint8)
    for block, start in enumerate(range(0, count, BLOCK)):
        deal_rows(DECK, number, block, deals[start : start + BLOCK])
    return deals


@dataclass
class WarTally:
    """Statistics of random games.

    Parameters
    ----------
    wins : tuple of two int
        Finished games that A and B won.
    loops : int
        Games that never end.
    tricks : Counter
        Finished games by their number of tricks.
    transients, cycles : Counter
        Loops by the number of tricks before their cycle, and in their cycle.
    longest : WarDeal or None
        The first deal of the longest finished game; None if none finished.

    Examples
    --------
    >>> tally = WarTally()
    >>> tally.add(random_war_deals(10, seed=1))
    >>> tally.games, tally.finished
    (10, 10)
    """

    wins: tuple[int, int] = (0, 0)
    loops: int = 0
    tricks: Counter[int] = field(default_factory=Counter)
    transients: Counter[int] = field(default_factory=Counter)
    cycles: Counter[int] = field(default_factory=Counter)
    longest: WarDeal | None = None
    longest_tricks: int = -1

    @property
    def finished(self) -> int:
        """Games that ended."""
        return sum(self.wins)

    @property
    def games(self) -> int:
        """All games."""
        return self.finished + self.loops

    def add(self, deals: npt.NDArray[np.uint8], collect: str = AS_LAID) -> None:
        """Play deals, with half of the cards in hand A, and count the results."""
        rows = simulate_war_many(deals, collect=collect)
        ended = rows["status"] == 0
        tricks = np.where(ended, rows["tricks"], -1)
        loops = rows[~ended]
        won_by_a = int((rows["winner"] == 0).sum())
        self.wins = (self.wins[0] + won_by_a, self.wins[1] + int(ended.sum()) - won_by_a)
        self.loops += len(loops)
        for counter, lengths in (
            (self.tricks, tricks[ended]),
            (self.transients, loops["transient_tricks"]),
            (self.cycles, loops["cycle_tricks"]),
        ):
            values, counts = np.unique(lengths, return_counts=True)
            counter.update(dict(zip(values.tolist(), counts.tolist(), strict=True)))
        if len(rows) and (most := int(tricks.max())) > self.longest_tricks:
            cards = deals[int(tricks.argmax())].tobytes()
            self.longest = WarDeal(cards[: len(cards) // 2], cards[len(cards) // 2 :])
            self.longest_tricks = most

    def merge(self, later: WarTally) -> None:
        """Add a tally of later games."""
        self.wins = (self.wins[0] + later.wins[0], self.wins[1] + later.wins[1])
        self.loops += later.loops
        for mine, other in (
            (self.tricks, later.tricks),
            (self.transients, later.transients),
            (self.cycles, later.cycles),
        ):
            mine.update(other)
        if later.longest_tricks > self.longest_tricks:
            self.longest, self.longest_tricks = later.longest, later.longest_tricks


def play_random(n: int, seed: int, *, collect: str = AS_LAID, threads: int = 1) -> Iterator[WarTally]:
    """Play the deals of `random_war_deals`, block by block; yields the tally of each block, in order.

    Parameters
    ----------
    n, seed : int
        As for `random_war_deals`.
    collect : str, optional
        ``"as-laid"`` or ``"winner-first"``, as for `simulate_war`.
    threads : int, optional
        Threads to play on (default: 1); the tallies do not depend on it.

    Raises
    ------
    CamiciaError
        If an argument is impossible; raised at once, not when the first block is requested.

    Examples
    --------
    >>> [tally.games for tally in play_random(100_000, seed=1)]
    [65536, 34464]
    """
    arguments = (_checked_count(n), checked_seed(seed), checked_collect(collect), checked_threads(threads))
    return _play_blocks(*arguments)


def _play_blocks(n: int, seed: int, collect: str, threads: int) -> Iterator[WarTally]:
    def play_block(block: int) -> WarTally:
        deals = np.empty((min(BLOCK, n - block * BLOCK), len(DECK)), np.uint8)
        deal_rows(DECK, seed, block, deals)
        tally = WarTally()
        tally.add(deals, collect)
        return tally

    blocks = iter(range(-(-n // BLOCK)))
    pool = ThreadPoolExecutor(threads)
    try:
        running: list[Future[WarTally]] = []
        while True:
            # One block more than threads, so that no thread waits while the caller uses a tally.
            while len(running) <= threads and (block := next(blocks, None)) is not None:
                running.append(pool.submit(play_block, block))
            if not running:
                return
            yield running.pop(0).result()
    finally:
        pool.shutdown(cancel_futures=True)


def _checked_count(n: Any) -> int:
    if isinstance(n, bool) or not hasattr(n, "__index__") or n.__index__() < 0:
        raise CamiciaError(f"number of deals {n!r}: expected a whole number from 0 up")
    return int(n.__index__())
