"""The name of the cycle that a game falls into, for other compiled modules."""

from libc.stdint cimport int64_t, uint32_t

from camicia.ancestry.walker cimport Walker


cdef struct CycleName:
    int64_t states          # different states, each seen from its leader
    int64_t cards           # cards played in going once through them
    bint swapped            # whether the players then have changed places: the absolute cycle is double
    uint32_t leader_cards   # in the smallest state, whose row is walker.row


cdef struct Course:
    int64_t cards           # cards and tricks played
    int64_t tricks


cdef int64_t reach_cycle(Walker *walker, Course *course) except -1 nogil
cdef int name_reached(Walker *walker, int64_t states, CycleName *cycle) except -1 nogil
cdef int name_cycle(Walker *walker, CycleName *cycle) except -1 nogil
