"""Deal <-> rank: the place of a deal among all deals of its deck, and the step from a deal to the next.

The rank of a deal is its place, from 0, in the lexicographic order of hand A followed by hand B, number
card before Jack before Queen before King before Ace. Of `deals` ways to lay out the `n` cards that are left,
exactly the share `deals * c / n` begins with one of the `c` cards of a code: so a rank is a sum of such
shares, a card at a time.

Decks whose number of deals times their size is below 2**128 (the 52-card deck needs 75 bits) are ranked in C;
larger ones, of up to 65,535 cards, with Python's integers. To enumerate a range, only its first deal is
unranked: `next_deal` steps from there.
"""

from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from camicia.deals.order cimport Ranking, next_deal, next_deals, open_ranking, rank_codes, unrank_codes
from camicia.watch cimport Watch, look, watch_for
from camicia.wide cimport number_of, u128, wide_from

import math
import sys

import numpy as np

from camicia.checks import items_of, plain_array, shortened
from camicia.errors import RankError
from camicia.deals.ranks import checked_rank

#: Bytes that can be in memory.
_MOST = sys.maxsize

#: Cards written between two looks at the watch, some milliseconds.
cdef enum:
    LOOK = 1 << 20

cdef bint _open(Ranking *ranking, tuple counts):
    """`open_ranking` for counts that are Python ints."""
    cdef uint32_t words[5]
    cdef int code
    for code in range(5):
        words[code] = counts[code]
    return open_ranking(ranking, words)


def rank(tuple counts, bytes codes):
    """Find the rank of a deal; `Deck.rank` checks the deal and calls this.

    Parameters
    ----------
    counts : tuple of five int
        Cards of each code in the deck.
    codes : bytes
        Card codes, hand A followed by hand B, of exactly these counts.

    Returns
    -------
    int
        The place of the deal in the order of all deals, from 0.

    Examples
    --------
    >>> from camicia.deals.ranking import rank
    >>> rank((2, 1, 0, 0, 1), bytes([0, 0, 4, 1]))
    1
    """
    cdef Ranking ranking
    if _open(&ranking, counts):
        return number_of(rank_codes(&ranking, <const uint8_t *> PyBytes_AsString(codes)))
    left = list(counts)
    whole = len(codes)
    deals = deal_count(counts)
    found = 0
    for code in codes:
        found += deals * sum(left[:code]) // whole
        deals = deals * left[code] // whole
        left[code] -= 1
        whole -= 1
    return found


def unrank(tuple counts, rank):
    """Write the deal of a rank; `Deck.unrank` makes a `Deal` of it.

    Parameters
    ----------
    counts : tuple of five int
        Cards of each code in the deck.
    rank : int
        From 0 to the number of deals less one.

    Returns
    -------
    bytes
        Card codes, hand A followed by hand B.

    Raises
    ------
    RankError
        If there is no deal of that rank.

    Examples
    --------
    >>> from camicia.deals.ranking import unrank
    >>> unrank((2, 1, 0, 0, 1), 1)
    b'\\x00\\x00\\x04\\x01'
    """
    cdef Ranking ranking
    cdef bytes codes
    total = deal_count(counts)
    after = checked_rank(counts, rank, total)
    if _open(&ranking, counts):
        codes = PyBytes_FromStringAndSize(NULL, ranking.size)
        unrank_codes(&ranking, wide_from(after), <uint8_t *> PyBytes_AsString(codes))
        return codes
    left = list(counts)
    row = bytearray()
    for whole in range(sum(counts), 0, -1):
        code = 0
        while after >= (first := total * left[code] // whole):
            after -= first
            code += 1
        total = first
        left[code] -= 1
        row.append(code)
    return bytes(row)


def unrank_many(deck, ranks):
    """Write the deals of many ranks at once.

    Parameters
    ----------
    deck : Deck
        The deck whose deals are meant.
    ranks : range, sequence of int or array of int
        Ranks from 0 to ``deck.deal_count - 1``, in any order. A `range` of step 1 is the fastest: only its
        first deal is unranked.

    Returns
    -------
    array of uint8, shape (len(ranks), deck.size)
        Card codes, hand A followed by hand B, a row a deal; as `simulate_many` takes them.

    Raises
    ------
    RankError
        If a rank is not a whole number or there is no deal of that rank.

    Examples
    --------
    >>> from camicia import STANDARD, Deck
    >>> from camicia.deals.ranking import unrank_many
    >>> unrank_many(Deck(2, 1, 0, 0, 1), [1, 11])
    array([[0, 0, 4, 1],
           [4, 1, 0, 0]], dtype=uint8)
    >>> unrank_many(STANDARD, range(10**20, 10**20 + 3)).shape
    (3, 52)
    """
    cdef tuple counts = deck.counts
    cdef size_t size = deck.size
    cdef uint8_t[:, ::1] rows
    cdef uint64_t[:, ::1] words
    cdef Ranking ranking
    cdef Watch watch = watch_for(None)
    cdef Py_ssize_t chunk = max(1, LOOK // <Py_ssize_t> size)
    cdef Py_ssize_t i, count
    total = deck.deal_count
    ranks = _checked_ranks(counts, ranks, total)
    count = _count(ranks, _MOST // <Py_ssize_t> size)
    codes = np.empty((count, size), np.uint8)
    if count == 0:
        return codes
    rows = codes
    if isinstance(ranks, range) and ranks.step == 1:
        codes[0] = np.frombuffer(unrank(counts, ranks[0]), np.uint8)
        with nogil:
            for i from 0 <= i < count - 1 by chunk:
                next_deals(&rows[i, 0], size, <size_t> min(chunk, count - 1 - i))
                look(&watch)
    elif _open(&ranking, counts):
        words = _words(ranks)
        with nogil:
            for i in range(count):
                unrank_codes(&ranking, <u128> words[i, 0] << 64 | words[i, 1], &rows[i, 0])
                if i % chunk == chunk - 1:
                    look(&watch)
    else:
        for row, number in zip(codes, ranks):
            row[:] = np.frombuffer(unrank(counts, int(number)), np.uint8)
    return codes


def _checked_ranks(tuple counts, ranks, total):
    """The ranks as a range, or as a list of int or an array of int64 or uint64 that nobody else can change."""
    if isinstance(ranks, range):
        # The last by hand: here an index of -1 is not the last.
        for end in (ranks.start, ranks.start + (_count(ranks, _MOST) - 1) * ranks.step) if ranks else ():
            checked_rank(counts, end, total)
        return ranks
    if isinstance(ranks, np.ndarray):
        ranks = plain_array(ranks, error=RankError)
        if ranks.ndim != 1:
            raise RankError(f"ranks: array of shape {ranks.shape}, expected (n,)")
        if ranks.dtype.kind in "iu":
            ranks = ranks.astype(np.int64 if ranks.dtype.kind == "i" else np.uint64)
            for end in (ranks.min(), ranks.max()) if len(ranks) else ():
                checked_rank(counts, int(end), total)
            return ranks
    listed = items_of(ranks)
    if listed is None:
        raise RankError(f"ranks {shortened(ranks)}: expected a range, or a sequence or array of whole numbers")
    return [checked_rank(counts, rank, total) for rank in listed]


def _count(ranks, most):
    """How many ranks there are."""
    try:
        count = len(ranks)
    except OverflowError:
        count = most + 1
    if count > most:
        raise RankError(f"ranks {shortened(ranks)}: expected at most {most:,} of them, as many as can be in memory")
    return count


def _words(ranks):
    """Ranks of at most 128 bits as a uint64 array of shape (n, 2), high word first."""
    words = np.zeros((len(ranks), 2), np.uint64)
    if isinstance(ranks, np.ndarray):
        words[:, 1] = ranks
    else:
        words[:, 0] = [rank >> 64 for rank in ranks]
        words[:, 1] = [rank & 0xFFFF_FFFF_FFFF_FFFF for rank in ranks]
    return words


def rows_between(tuple counts, start, stop):
    """Step through the deals of a range of ranks, in order; `Deck.deals` checks the range and makes Deals.

    Parameters
    ----------
    counts : tuple of five int
        Cards of each code in the deck.
    start, stop : int
        First rank, and the rank to stop before.

    Yields
    ------
    bytes
        Card codes, hand A followed by hand B.

    Examples
    --------
    >>> from camicia.deals.ranking import rows_between
    >>> [row.hex() for row in rows_between((2, 1, 0, 0, 1), 0, 3)]
    ['00000104', '00000401', '00010004']
    """
    if start >= stop:
        return
    row = bytearray(unrank(counts, start))
    cdef uint8_t[::1] codes = row
    cdef size_t size = len(row)
    while True:
        yield bytes(row)
        start += 1
        if start >= stop:
            return
        next_deal(&codes[0], size)


def deal_count(tuple counts):
    """Number of different deals with the usual cut, exactly.

    Parameters
    ----------
    counts : tuple of five int
        Cards of each code in the deck.

    Examples
    --------
    >>> from camicia.deals.ranking import deal_count
    >>> deal_count((8, 1, 1, 1, 1))
    11880
    """
    cdef Ranking ranking
    if _open(&ranking, counts):
        return number_of(ranking.deal_count)
    return _merged_count([count for count in counts if count])


def _merged_count(list counts):
    """The multinomial coefficient, as a product of binomials: far faster than dividing factorials."""
    total, size = 1, counts[0]
    for count in counts[1:]:
        size += count
        total *= math.comb(size, count)
    return total
