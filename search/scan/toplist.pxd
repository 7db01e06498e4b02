"""A list of the best deals met so far, in order and each once, for other compiled modules."""

from libc.stdint cimport int64_t, uint8_t


cdef struct Entry:
    int64_t value           # what the list is sorted by
    int64_t cards
    int64_t tricks
    uint8_t *codes


cdef struct TopList:
    Py_ssize_t limit        # entries it may hold
    Py_ssize_t count        # entries it holds
    size_t size             # cards of a deal
    int64_t floor           # a smaller value cannot enter
    Entry *entries          # largest value first, ties to the smaller codes; one more than the limit
    uint8_t *codes


cdef int open_list(TopList *top, Py_ssize_t limit, size_t size) except -1
cdef void close_list(TopList *top) noexcept nogil
cdef void offer(TopList *top, int64_t value, int64_t cards, int64_t tricks, const uint8_t *codes) noexcept nogil
cdef list contents(const TopList *top)
