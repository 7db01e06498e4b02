"""Arrays of deals, random or by rank, and the results of random games."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from camicia.cards import Deck
from camicia.checks import checked_whole
from camicia.deals import ranking
from camicia.deals.independent import block_deals, deal_block
from camicia.deals.sampling import DealStream, checked_seed
from camicia.decks import DeckLike, as_deck
from camicia.kernels import dispatch
from camicia.kernels.rows import ROW, play_rows
from camicia.simulate import play_array
from camicia.threads import in_threads
from camicia.watch import Stop

if TYPE_CHECKING:
    import numpy.typing as npt

#: The first of the units whose shuffles are dealt here; campaigns have fewer units.
SHUFFLED_UNIT = 3 << 126

#: Shuffles in a block: a few milliseconds of playing for 52 cards.
BLOCK_SHUFFLES = 64

#: Limit on the numbers of deals, so that they fit in 64 bits.
MOST_DEALS = 2**62


def random_deals(
    deck: DeckLike,
    n: SupportsIndex,
    seed: SupportsIndex | None = None,
    *,
    start: SupportsIndex = 0,
    independent: bool = True,
    threads: SupportsIndex = 1,
) -> npt.NDArray[np.uint8]:
    """Return uniform random deals of a deck, with the usual cut.

    Parameters
    ----------
    deck : Deck or str
        What is dealt: a `Deck`, a name such as ``"standard"``, or counts such as ``"12:2:2:2:0"``.
    n : int
        How many deals.
    seed : int, optional
        0 to 2**64 - 1 (default: a fresh one from the operating system). The same seed gives the same deals
        on any machine and any number of threads, and more of them begin with fewer.
    start : int, optional
        Number of the first deal, from 0: ``random_deals(deck, 1, seed, start=i)`` is deal i of the seed.
    independent : bool, optional
        Whether the deals are independent of each other. If not, they are those of `play_random` with
        ``independent=False``: read its warning.
    threads : int, optional
        Threads to deal on; no more than 1,024 are started.

    Returns
    -------
    uint8 array, shape (n, deck.size)
        Card codes 0 to 4 a row, hand A (``deck.cut`` cards) followed by hand B.

    Raises
    ------
    DeckError
        If it is not a deck.
    CamiciaError
        If another argument is impossible.

    Examples
    --------
    >>> from camicia import Deal, random_deals
    >>> deals = random_deals("standard", 1000, seed=1)
    >>> str(Deal.from_array(deals[0]))
    '-----A----J-K-J---J----AA-/----Q--K-J-Q-AK----Q----KQ'
    >>> bool((random_deals("standard", 1, seed=1, start=7)[0] == deals[7]).all())
    True
    """
    deck = as_deck(deck)
    seed = _seed(seed)
    # As many as can be addressed; NumPy reports if there is not enough memory.
    n = checked_whole("number of deals", n, 0, sys.maxsize // deck.size)
    start = checked_whole("start", start, 0, MOST_DEALS)
    threads = checked_whole("threads", threads, 1)
    deals = np.empty((n, deck.size), np.uint8)

    def deal(block: int, skip: int, place: int, end: int, stop: Stop | None) -> None:
        if independent:
            deal_block(deck, seed, block, deals[place:end], skip=skip, stop=stop)
        else:
            _shuffles(deck, seed, block, skip).write(deals[place:end], stop=stop)

    _in_blocks(deal, block_size(deck, independent), start, n, threads)
    return deals


def play_random(
    deck: DeckLike,
    n: SupportsIndex,
    seed: SupportsIndex | None = None,
    *,
    start: SupportsIndex = 0,
    independent: bool = True,
    threads: SupportsIndex = 1,
    kernel: str | None = None,
) -> npt.NDArray[np.void]:
    """Play uniform random deals of a deck without holding them in memory.

    The results are those of ``simulate_many(random_deals(deck, n, seed))``; `random_deals` with `start` shows
    the deal of any row.

    Parameters
    ----------
    deck : Deck or str
        What is dealt: a `Deck`, a name such as ``"standard"``, or counts such as ``"12:2:2:2:0"``.
    n : int
        How many games.
    seed : int, optional
        0 to 2**64 - 1 (default: a fresh one from the operating system).
    start : int, optional
        Number of the first deal, from 0.
    independent : bool, optional
        Whether every deal is shuffled by itself. If not, one shuffle serves many deals, 1,248 of 52 cards,
        and more games are played per second; see the warning.
    threads : int, optional
        Threads to play on; no more than 1,024 are started. The results are the same on any number.
    kernel : str, optional
        The kernel to play on (default: ``CAMICIA_KERNEL``, else the fastest).

    Returns
    -------
    structured array, shape (n,)
        As `simulate_many` returns it: ``status``, ``winner``, ``cards`` and ``tricks``.

    Raises
    ------
    DeckError
        If it is not a deck.
    KernelError
        If the kernel is unknown or cannot run here.
    CamiciaError
        If another argument is impossible.

    Warnings
    --------
    With ``independent=False`` the deals of one shuffle are its rotations, and the relabellings of each among
    ranks of equal count. Every one of them is uniform, so means and shares are right on average. But the
    deals of one shuffle resemble each other, and errors computed as if the games were independent are too
    small: compute them from the means of whole shuffles. Use this to look for rare games, not to measure.

    Examples
    --------
    >>> from camicia import play_random
    >>> rows = play_random("standard", 100_000, seed=1)
    >>> round(rows["cards"].mean())
    255
    """
    deck = as_deck(deck)
    seed = _seed(seed)
    n = checked_whole("number of deals", n, 0, sys.maxsize // ROW.itemsize)
    start = checked_whole("start", start, 0, MOST_DEALS)
    threads = checked_whole("threads", threads, 1)
    name = dispatch.default_kernel(kernel)
    rows = np.empty(n, ROW)

    def play(block: int, skip: int, place: int, end: int, stop: Stop | None) -> None:
        if not independent:
            _shuffles(deck, seed, block, skip).play(rows[place:end], name, stop=stop)
            return
        deals = np.empty((end - place, deck.size), np.uint8)
        deal_block(deck, seed, block, deals, skip=skip, stop=stop)
        if name == "reference":
            rows[place:end] = play_array(deals, deck.cut, 1, name)
        else:
            play_rows(deals, deck.cut, rows[place:end], name, stop=stop)

    _in_blocks(play, block_size(deck, independent), start, n, threads)
    return rows


def unrank_many(
    deck: DeckLike, ranks: range | Sequence[int] | npt.NDArray[np.integer[Any]]
) -> npt.NDArray[np.uint8]:
    """Return the deals of many ranks at once.

    Parameters
    ----------
    deck : Deck or str
        The deck whose deals are meant: a `Deck`, a name such as ``"standard"``, or counts.
    ranks : range, sequence of int or array of int
        Ranks from 0 to ``deck.deal_count - 1``, in any order. A `range` of step 1 is the fastest: only its
        first deal is unranked.

    Returns
    -------
    array of uint8, shape (len(ranks), deck.size)
        Card codes, hand A followed by hand B, a row a deal; as `simulate_many` takes them.

    Raises
    ------
    DeckError
        If it is not a deck.
    RankError
        If a rank is not a whole number or there is no deal of that rank.

    Examples
    --------
    >>> from camicia import unrank_many
    >>> unrank_many("2:1:0:0:1", [1, 11])
    array([[0, 0, 4, 1],
           [4, 1, 0, 0]], dtype=uint8)
    >>> unrank_many("standard", range(10**20, 10**20 + 3)).shape
    (3, 52)
    """
    return ranking.unrank_many(as_deck(deck), ranks)


def _seed(seed: SupportsIndex | None) -> int:
    return int.from_bytes(os.urandom(8)) if seed is None else checked_seed(seed)


def block_size(deck: Deck, independent: bool) -> int:
    """Deal a block, which has its own random bits."""
    return block_deals(deck) if independent else BLOCK_SHUFFLES * DealStream(deck, 0, 0).deals_per_shuffle


def _shuffles(deck: Deck, seed: int, block: int, skip: int) -> DealStream:
    """Return the deals of a block of shuffles, without the first ones."""
    stream = DealStream(deck, seed, SHUFFLED_UNIT + block)
    stream.skip(skip)
    return stream


def _in_blocks(
    work: Callable[[int, int, int, int, Stop | None], None], size: int, start: int, count: int, threads: int
) -> None:
    """Call `work` for each block that holds some of the deals: block, deals to skip, and rows to fill."""
    first = start // size

    def run(begin: int, end: int, stop: Stop | None) -> None:
        for block in range(first + begin, first + end):
            place = max(0, block * size - start)
            work(block, max(0, start - block * size), place, min(count, (block + 1) * size - start), stop)

    if count:
        in_threads(run, (start + count - 1) // size + 1 - first, threads)
