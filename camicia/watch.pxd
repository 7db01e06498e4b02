"""Watching for Ctrl-C, and for a caller who has given up, in long work without the GIL."""

from libc.stdint cimport int64_t


cdef class Stop:
    cdef int stopped


cdef struct Watch:
    int64_t due                 # when to look at signals next, in nanoseconds of a clock that never goes back
    bint hears_signals          # whether this is the thread that they are delivered to
    const int *stopped          # of the Stop of who waits for this work; NULL if nobody does


cdef Watch watch_for(Stop stop)
cdef int look(Watch *watch) except -1 nogil
