"""The walk back for other compiled modules: with one walker any number of trees."""

from libc.stdint cimport int64_t, uint32_t

from camicia.ancestry.longest cimport Best
from camicia.ancestry.walker cimport Frame, Walker


cdef struct Tree:
    # Given by the caller.
    uint32_t cut            # a state is balanced if its leader has this many cards
    int64_t max_states
    Best cards
    Best tricks
    int64_t *depths         # states by tricks above the root, walker.max_depth + 1 bins; may be NULL
    # Added to by each walk.
    int64_t states
    int64_t balanced
    int64_t deepest
    bint truncated


cdef void open_frame(Walker *walker, Frame *frame, int64_t cards) noexcept nogil
cdef bint next_lift(Walker *walker, Frame *frame) noexcept nogil
cdef void take_opening(Walker *walker, const Frame *frame, uint32_t numbers) noexcept nogil
cdef void return_opening(Walker *walker, const Frame *frame, uint32_t numbers) noexcept nogil
cdef int walk(
    Walker *walker, Tree *tree, int64_t cards, int64_t tricks, uint32_t avoid
) except -1 nogil
