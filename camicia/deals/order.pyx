"""The order of the deals of a deck: the rank of a deal, the deal of a rank, and the step to the next deal.

A rank is a sum of shares, as camicia.deals.ranking explains. No Python object, no GIL.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from camicia.wide cimport u128

#: Below so many bits a number of deals times a count of cards (under 2**16) fits a 64-bit word, where
#: dividing is cheap.
cdef enum:
    NARROW_BITS = 48


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
    ranking.deal_count = deals
    return deals <= largest / size


cdef u128 rank_codes(const Ranking *ranking, const uint8_t *codes) noexcept nogil:
    """The rank of a deal of this deck: hand A followed by hand B, as card codes."""
    cdef uint32_t left[5]
    cdef u128 deals = ranking.deal_count
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
    return rank


cdef void unrank_codes(const Ranking *ranking, u128 rank, uint8_t *codes) noexcept nogil:
    """Write the deal of a rank below the number of deals as card codes, hand A followed by hand B."""
    cdef uint32_t left[5]
    cdef u128 deals = ranking.deal_count
    cdef u128 after = rank
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


cdef void next_deals(uint8_t *codes, size_t size, size_t count) noexcept nogil:
    """Write `count` deals one after another, beginning after that of `codes`, each the next of the one before."""
    cdef size_t i
    for i in range(count):
        memcpy(codes + size, codes, size)
        codes += size
        next_deal(codes, size)
