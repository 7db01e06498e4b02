"""The walk among loops for other compiled modules."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from numpy.random cimport bitgen_t

from camicia.walker cimport Walker
from camicia.watch cimport Watch
from search.names cimport Names


cdef struct Loop:
    uint32_t size           # cards
    uint32_t leads          # cards of the leader in the state that stands for the cycle
    int64_t cost            # how far from the deck, payment cards weighed; small ones are preferred
    int64_t states          # of the cycle


cdef struct Pool:
    Loop *loops             # the most recent ones, in a ring
    uint8_t *rows           # a state of the cycle of each, `stride` bytes apart
    uint64_t count          # loops ever put in
    uint64_t capacity


cdef struct Tally:
    int64_t games
    int64_t loops           # games that loop, the same cycle counted each time
    int64_t met             # cycles not met before, of any deck
    int64_t cards           # of the finite games
    int64_t tricks
    uint64_t checksum
    uint64_t *bins          # finite games by their number of tricks
    int64_t room            # bins there are


cdef class Wander:
    cdef object generator
    cdef bitgen_t *bits
    cdef Walker *walker
    cdef Watch watch
    cdef Pool pool
    cdef Names names        # of the cycles met
    cdef Names layouts      # of those gone on from, if one of alike ones is
    cdef Tally tally
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
    cdef uint64_t candidate(self, uint64_t have) noexcept nogil
    cdef int64_t far_from_deck(self, uint32_t size, int64_t payment_weight) noexcept nogil
    cdef bint new_layout(self, uint32_t size, uint32_t leads) noexcept nogil
    cdef void want(self, uint32_t leads) noexcept nogil
    cdef uint32_t edited(self, uint32_t size, uint32_t *leads) noexcept nogil
    cdef bint within(self, uint32_t size, uint32_t leads) noexcept nogil
    cdef int test(self, uint32_t size, uint32_t leads, uint64_t number) except -1 nogil
    cdef int note(self, uint32_t size, int64_t states) except -1 nogil
    cdef void choose(self, Loop *loop) noexcept nogil
