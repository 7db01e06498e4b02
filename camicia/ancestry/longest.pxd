"""The longest deals met so far, for other compiled modules: a heap with the worst of them first."""

from libc.stdint cimport int64_t, uint8_t, uint32_t


cdef struct Entry:
    int64_t cards
    int64_t tricks
    uint32_t slot


cdef struct Best:
    bint by_tricks          # what is compared: tricks, else cards
    uint32_t capacity
    uint32_t count
    Entry *entries          # a heap, the worst entry first
    uint8_t *rows           # capacity rows of card codes, the leader's hand first


cdef bint open_best(Best *best, bint by_tricks, uint32_t capacity, size_t cards) noexcept nogil
cdef void close_best(Best *best) noexcept nogil
cdef bint may_keep(const Best *best, int64_t cards, int64_t tricks) noexcept nogil
cdef void keep(Best *best, size_t size, const uint8_t *row, int64_t cards, int64_t tricks) noexcept nogil
cdef list entries_of(const Best *best, size_t size)
