# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Deal <-> rank: the place of a deal among all deals of its deck, and the step from a deal to the next.

The rank of a deal is its place, from 0, in the lexicographic order of hand A followed by hand B, number
card before Jack before Queen before King before Ace. Of `deals` ways to lay out the `n` cards that are left,
exactly the share `deals * c / n` begins with one of the `c` cards of a code: so a rank is a sum of such
shares, a card at a time.

Decks whose number of deals times their size is below 2**128 (the 52-card deck needs 75 bits) are ranked in C;
larger ones, of up to 65,535 cards, with Python's integers. To enumerate a range, only its first deal is
unranked: `next_deal` steps from there.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

import math
import sys

import numpy as np

from camicia.watch cimport Watch, look, watch_for

from camicia.checks import items_of, plain_array, shortened
from camicia.errors import RankError
from camicia.ranks import checked_rank

cdef extern from *:
    """
    typedef unsigned __int128 camicia_u128;
    """
    # Cython needs only to know that it is unsigned; the C compiler knows its true width.
    ctypedef unsigned long long u128 "camicia_u128"

#: Bytes that can be in memory.
MOST = sys.maxsize

#: Cards written between two looks at the watch, some milliseconds.
cdef enum:
    LOOK = 1 << 20

#: Below so many bits a number of deals times a count of cards (under 2**16) fits a 64-bit word, where
#: dividing is cheap.
cdef enum:
    NARROW_BITS = 48


cdef inline u128 joined(Rank rank) noexcept nogil:
    return (<u128> rank.high << 64) | rank.low


cdef inline Rank parted(u128 number) noexcept nogil:
    cdef Rank rank
    rank.high = <uint64_t> (number >> 64)
    rank.low = <uint64_t> number
    return rank


cdef inline u128 share(u128 deals, uint32_t part, uint32_t whole) noexcept nogil:
    """The deals that begin with one of `part` of the `whole` cards left; the division has no remainder."""
    if <uint64_t> (deals >> NARROW_BITS) == 0:
        return <uint64_t> deals * part / whole
    return deals * part / whole


cdef bint open_ranking(Ranking *ranking, const uint32_t *counts) noexcept nogil:
    """Count the deals of a deck, given its counts by code; False if its ranks need more than 128 bits.

    The deck has a card or more, and at most 65,535.
    """
    cdef u128 deals = 1
    cdef u128 largest = ~(<u128> 0)
    cdef uint32_t size = 0
    cdef uint32_t code, i
    for code in range(5):
        ranking.counts[code] = counts[code]
        for i in range(counts[code]):
            size += 1
            if deals > largest / size:
                return False
            deals = deals * size / (i + 1)
    ranking.size = size
    ranking.deal_count = parted(deals)
    return deals <= largest / size


cdef Rank rank_codes(const Ranking *ranking, const uint8_t *codes) noexcept nogil:
    """The rank of a deal of this deck: hand A followed by hand B, as card codes."""
    cdef uint32_t left[5]
    cdef u128 deals = joined(ranking.deal_count)
    cdef u128 rank = 0
    cdef uint32_t whole = ranking.size
    cdef uint32_t below, code
    memcpy(left, ranking.counts, sizeof(left))
    # Once all the cards left are alike, nothing more can come before.
    while deals > 1:
        below = 0
        for code in range(codes[0]):
            below += left[code]
        if below:
            rank += share(deals, below, whole)
        deals = share(deals, left[codes[0]], whole)
        left[codes[0]] -= 1
        whole -= 1
        codes += 1
    return parted(rank)


cdef void unrank_codes(const Ranking *ranking, Rank rank, uint8_t *codes) noexcept nogil:
    """Write the deal of a rank below the number of deals as card codes, hand A followed by hand B."""
    cdef uint32_t left[5]
    cdef u128 deals = joined(ranking.deal_count)
    cdef u128 after = joined(rank)
    cdef u128 first
    cdef uint32_t whole
    cdef uint8_t code
    memcpy(left, ranking.counts, sizeof(left))
    for whole in range(ranking.size, 0, -1):
        code = 0
        while True:
            first = share(deals, left[code], whole)
            if after < first:
                break
            after -= first
            code += 1
        deals = first
        left[code] -= 1
        codes[0] = code
        codes += 1


cdef size_t next_deal(uint8_t *codes, size_t size) noexcept nogil:
    """Step to the deal of the next rank, in place. Returns the first place that changed.

    After the last deal nothing changes, and `size` is returned. On average over a deck only the last few
    cards change, whatever its size.
    """
    cdef size_t pivot, left, right
    cdef uint8_t card
    if size < 2:
        return size
    # The cards from `pivot + 1` on do not rise: they are the last of their arrangements.
    pivot = size - 2
    while codes[pivot] >= codes[pivot + 1]:
        if pivot == 0:
            return size
        pivot -= 1
    card = codes[pivot]
    right = size - 1
    while codes[right] <= card:
        right -= 1
    codes[pivot] = codes[right]
    codes[right] = card
    left = pivot + 1
    right = size - 1
    while left < right:
        card = codes[left]
        codes[left] = codes[right]
        codes[right] = card
        left += 1
        right -= 1
    return pivot


cdef Rank rank_from(object number) except *:
    """A Python int of at most 128 bits as two words."""
    cdef Rank rank
    rank.high = number >> 64
    rank.low = number & 0xFFFF_FFFF_FFFF_FFFF
    return rank


cdef object rank_number(Rank rank):
    """Two words as a Python int."""
    return (<object> rank.high) << 64 | rank.low


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
    >>> from camicia.ranking import rank
    >>> rank((2, 1, 0, 0, 1), bytes([0, 0, 4, 1]))
    1
    """
    cdef Ranking ranking
    if _open(&ranking, counts):
        return rank_number(rank_codes(&ranking, <const uint8_t *> PyBytes_AS_STRING(codes)))
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
    >>> from camicia.ranking import unrank
    >>> unrank((2, 1, 0, 0, 1), 1)
    b'\\x00\\x00\\x04\\x01'
    """
    cdef Ranking ranking
    cdef bytes codes
    total = deal_count(counts)
    after = checked_rank(counts, rank, total)
    if _open(&ranking, counts):
        codes = PyBytes_FromStringAndSize(NULL, ranking.size)
        unrank_codes(&ranking, rank_from(after), <uint8_t *> PyBytes_AS_STRING(codes))
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
    >>> from camicia.ranking import unrank_many
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
    cdef Rank rank
    cdef Watch watch = watch_for(None)
    cdef Py_ssize_t since = 0
    cdef Py_ssize_t i, count
    total = deck.deal_count
    ranks = _checked_ranks(counts, ranks, total)
    count = _count(ranks, MOST // <Py_ssize_t> size)
    codes = np.empty((count, size), np.uint8)
    if count == 0:
        return codes
    rows = codes
    if isinstance(ranks, range) and ranks.step == 1:
        codes[0] = np.frombuffer(unrank(counts, ranks[0]), np.uint8)
        with nogil:
            for i in range(1, count):
                memcpy(&rows[i, 0], &rows[i - 1, 0], size)
                next_deal(&rows[i, 0], size)
                since += <Py_ssize_t> size
                if since >= LOOK:
                    since = 0
                    look(&watch)
    elif _open(&ranking, counts):
        words = _words(ranks)
        with nogil:
            for i in range(count):
                rank.high = words[i, 0]
                rank.low = words[i, 1]
                unrank_codes(&ranking, rank, &rows[i, 0])
                since += <Py_ssize_t> size
                if since >= LOOK:
                    since = 0
                    look(&watch)
    else:
        for row, number in zip(codes, ranks):
            row[:] = np.frombuffer(unrank(counts, int(number)), np.uint8)
    return codes


def _checked_ranks(tuple counts, ranks, total):
    """The ranks as a range, or as a list of int or an array of int64 or uint64 that nobody else can change."""
    if isinstance(ranks, range):
        # The last by hand: here an index of -1 is not the last.
        for end in (ranks.start, ranks.start + (_count(ranks, MOST) - 1) * ranks.step) if ranks else ():
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
    >>> from camicia.ranking import rows_between
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
    >>> from camicia.ranking import deal_count
    >>> deal_count((8, 1, 1, 1, 1))
    11880
    """
    cdef Ranking ranking
    if _open(&ranking, counts):
        return rank_number(ranking.deal_count)
    return _merged_count([count for count in counts if count])


def _merged_count(list counts):
    """The multinomial coefficient, as a product of binomials: far faster than dividing factorials."""
    total, size = 1, counts[0]
    for count in counts[1:]:
        size += count
        total *= math.comb(size, count)
    return total
