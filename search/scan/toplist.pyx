"""A list of the best deals met so far, in order and each once, for other compiled modules.

Unlike the heap of `camicia.ancestry.longest`, which a walk fills with deals that it meets once each, this sees the same
deal again and again and keeps it once.
"""

from libc.stdint cimport INT64_MIN, int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memmove

from search.finds import Find


cdef int open_list(TopList *top, Py_ssize_t limit, size_t size) except -1:
    """Make an empty list of at most `limit` deals of `size` cards."""
    cdef Py_ssize_t i
    top.limit = limit
    top.count = 0
    top.size = size
    top.floor = INT64_MIN
    top.entries = <Entry *> calloc(limit + 1, sizeof(Entry))
    top.codes = <uint8_t *> malloc((limit + 1) * size)
    if top.entries is NULL or top.codes is NULL:
        raise MemoryError(f"no memory for a list of {limit:,} deals")
    for i in range(limit + 1):
        top.entries[i].codes = top.codes + <size_t> i * size
    return 0


cdef void close_list(TopList *top) noexcept nogil:
    free(top.entries)
    free(top.codes)


cdef void offer(TopList *top, int64_t value, int64_t cards, int64_t tricks, const uint8_t *codes) noexcept nogil:
    """Put a deal where it belongs in the list, unless it is there or belongs below its end."""
    cdef Py_ssize_t low = 0
    cdef Py_ssize_t high = top.count
    cdef Py_ssize_t middle
    cdef int order
    cdef uint8_t *slot
    if top.limit == 0 or value < top.floor:
        return
    while low < high:
        middle = (low + high) // 2
        if top.entries[middle].value != value:
            order = 1 if top.entries[middle].value < value else -1
        else:
            order = memcmp(top.entries[middle].codes, codes, top.size)
        if order == 0:
            return
        if order > 0:
            high = middle
        else:
            low = middle + 1
    if low == top.limit:
        return
    # The entry beyond the last is free: its slot takes the codes.
    slot = top.entries[top.count].codes
    memmove(top.entries + low + 1, top.entries + low, (top.count - low) * sizeof(Entry))
    memcpy(slot, codes, top.size)
    top.entries[low].value = value
    top.entries[low].cards = cards
    top.entries[low].tricks = tricks
    top.entries[low].codes = slot
    if top.count < top.limit:
        top.count += 1
    if top.count == top.limit:
        top.floor = top.entries[top.count - 1].value


cdef list contents(const TopList *top):
    """The deals of a list, best first."""
    cdef Py_ssize_t i
    cdef const Entry *entry
    found = []
    for i in range(top.count):
        entry = top.entries + i
        found.append(Find((<const char *> entry.codes)[: top.size], entry.cards, entry.tricks))
    return found
