"""The account of a unit's games for other compiled modules: give it batches of results, in order."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from camicia.kernels.batch cimport Batch
from camicia.wide cimport u128
from search.scan.histogram cimport Histogram
from search.scan.toplist cimport TopList


cdef struct Candidates:
    int64_t least_tricks
    Py_ssize_t count
    Py_ssize_t room
    int64_t *lengths        # cards and tricks of each
    uint8_t *codes


cdef class Account:
    cdef TopList by_cards
    cdef TopList by_tricks
    cdef TopList looping
    cdef Candidates wanted
    cdef Histogram finished     # games that end
    cdef Py_ssize_t group
    cdef Py_ssize_t group_left
    cdef int64_t group_cards
    cdef int64_t group_tricks
    cdef u128 squared_cards
    cdef u128 squared_tricks
    cdef bint out_of_memory
    cdef readonly Py_ssize_t size
    cdef readonly uint64_t games
    cdef readonly uint64_t loops
    cdef readonly int64_t cards
    cdef readonly int64_t tricks
    cdef readonly uint64_t checksum
    cdef readonly int64_t most_cards
    cdef readonly uint64_t most_cards_games
    cdef uint32_t *sides        # games by tricks, several counters each
    cdef uint8_t *deal          # the deal that is looked at

    cdef void add_played(self, const Batch *batch, uint64_t first_number, size_t count) noexcept nogil
    cdef void count_played(
        self, const Batch *batch, size_t first, uint64_t first_number, size_t count,
    ) noexcept nogil
    cdef void look_through(
        self, const Batch *batch, size_t first, uint64_t first_number, size_t count,
    ) noexcept nogil
    cdef void count_tricks(self, int64_t tricks) noexcept nogil
    cdef void end_part(self, Py_ssize_t games) noexcept nogil
    cdef void pick(self, const uint8_t *codes, uint8_t status, int64_t cards, int64_t tricks) noexcept nogil
