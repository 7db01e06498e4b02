"""The walk among loops for other compiled modules."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from camicia.ancestry.walker cimport Walker
from camicia.deals.bits cimport bitgen_t
from camicia.watch cimport Watch
from search.scan.histogram cimport Histogram
from search.strategies.loops.names cimport Names
from search.strategies.loops.pool cimport Loop, Pool


cdef class Wander:
    cdef object generator
    cdef bitgen_t *bits
    cdef Walker *walker
    cdef Watch watch
    cdef Pool pool
    cdef Names names        # of the cycles met
    cdef Names layouts      # of those gone on from, if one of alike ones is
    cdef Histogram histogram    # of the finite games
    cdef int64_t games
    cdef int64_t loops      # games that loop, the same cycle counted each time
    cdef int64_t met        # cycles not met before, of any deck
    cdef int64_t cards      # of the finite games
    cdef int64_t tricks
    cdef uint64_t checksum
    cdef uint8_t *row       # the state that is edited
    cdef uint8_t *layout    # where payment cards stand, then how many there are of each card
    cdef uint8_t *unedited
    cdef uint8_t *wanted    # smallest states of the cycles of exactly the deck: leader's cards, then the row
    cdef int64_t wanted_count
    cdef int64_t wanted_room
    cdef uint32_t counts[5]
    cdef uint32_t stride
    cdef int64_t surplus
    cdef int64_t longest_cycle
    cdef int64_t uneven
    cdef int64_t recency
    cdef int64_t nearness
    cdef int64_t payment_weight
    cdef bint alike
    cdef bint out_of_memory

    cdef uint8_t card(self) noexcept nogil
    cdef int64_t far_from_deck(self, uint32_t size, int64_t payment_weight) noexcept nogil
    cdef bint new_layout(self, uint32_t size, uint32_t leads) noexcept nogil
    cdef void want(self, uint32_t leads) noexcept nogil
    cdef uint32_t edited(self, uint32_t size, uint32_t *leads) noexcept nogil
    cdef bint within(self, uint32_t size, uint32_t leads) noexcept nogil
    cdef int test(self, uint32_t size, uint32_t leads, uint64_t number) except -1 nogil
    cdef int note(self, uint32_t size, int64_t states) except -1 nogil
    cdef void choose(self, Loop *loop) noexcept nogil
