"""The longest deals met so far, for other compiled modules: a heap with the worst of them first."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy


cdef bint open_best(Best *best, bint by_tricks, uint32_t capacity, size_t cards) noexcept nogil:
    """Room for the best `capacity` deals of `cards` cards; whether there was memory."""
    best.by_tricks = by_tricks
    best.capacity = capacity
    best.count = 0
    best.entries = <Entry *> malloc(<size_t> capacity * sizeof(Entry) + 1)
    best.rows = <uint8_t *> malloc(<size_t> capacity * cards + 1)
    return best.entries is not NULL and best.rows is not NULL


cdef void close_best(Best *best) noexcept nogil:
    """Give the room back."""
    free(best.entries)
    free(best.rows)


cdef inline bint worse(
    const Best *best, size_t size, const Entry *one, const uint8_t *one_row, const Entry *other
) noexcept nogil:
    """Whether one entry stands behind another: shorter, or as long with the larger rank."""
    cdef int64_t length = one.tricks if best.by_tricks else one.cards
    cdef int64_t other_length = other.tricks if best.by_tricks else other.cards
    if length != other_length:
        return length < other_length
    # Rows of card codes stand in the order of their ranks.
    return memcmp(one_row, best.rows + other.slot * size, size) > 0


cdef bint may_keep(const Best *best, int64_t cards, int64_t tricks) noexcept nogil:
    if best.count < best.capacity:
        return True
    if best.capacity == 0:
        return False
    return tricks >= best.entries[0].tricks if best.by_tricks else cards >= best.entries[0].cards


cdef void keep(Best *best, size_t size, const uint8_t *row, int64_t cards, int64_t tricks) noexcept nogil:
    """Keep a deal if it is among the best: a heap with the worst first, which a better one replaces."""
    cdef Entry entry
    cdef uint32_t place, child
    if not may_keep(best, cards, tricks):
        return
    entry.cards = cards
    entry.tricks = tricks
    if best.count < best.capacity:
        place = entry.slot = best.count
        best.count += 1
        while place and worse(best, size, &entry, row, &best.entries[(place - 1) // 2]):
            best.entries[place] = best.entries[(place - 1) // 2]
            place = (place - 1) // 2
    else:
        if worse(best, size, &entry, row, &best.entries[0]):
            return
        entry.slot = best.entries[0].slot
        place = 0
        while True:
            child = 2 * place + 1
            if child >= best.count:
                break
            if child + 1 < best.count and worse(
                best, size, &best.entries[child + 1], best.rows + best.entries[child + 1].slot * size,
                &best.entries[child],
            ):
                child += 1
            if worse(best, size, &entry, row, &best.entries[child]):
                break
            best.entries[place] = best.entries[child]
            place = child
    best.entries[place] = entry
    memcpy(best.rows + entry.slot * size, row, size)


cdef list entries_of(const Best *best, size_t size):
    found = [
        (best.entries[i].cards, best.entries[i].tricks,
         PyBytes_FromStringAndSize(<char *> best.rows + best.entries[i].slot * size, size))
        for i in range(best.count)
    ]
    found.sort(key=lambda entry: (-entry[1 if best.by_tricks else 0], entry[2]))
    return found
