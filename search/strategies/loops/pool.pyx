"""The loops that a walk among loops may go on from: the recent ones, of which those near to the deck are preferred."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

#: Loops that a walk remembers to go on from. Recent ones are preferred, so older ones are not missed.
cdef enum:
    POOL = 1 << 16


cdef bint open_pool(Pool *pool, uint32_t stride) noexcept nogil:
    """Room for loops of up to `stride` cards; whether there was memory."""
    pool.count = 0
    pool.capacity = POOL
    pool.stride = stride
    pool.loops = <Loop *> malloc(POOL * sizeof(Loop))
    pool.rows = <uint8_t *> malloc(<size_t> POOL * stride)
    return pool.loops is not NULL and pool.rows is not NULL


cdef void close_pool(Pool *pool) noexcept nogil:
    """Give the room back."""
    free(pool.loops)
    free(pool.rows)


cdef void put_loop(Pool *pool, const Loop *loop, const uint8_t *row) noexcept nogil:
    """Put a loop in, with the state that stands for its cycle, in place of the oldest if there is no room."""
    cdef uint64_t place = pool.count % pool.capacity
    pool.count += 1
    pool.loops[place] = loop[0]
    memcpy(pool.rows + place * pool.stride, row, loop.size)


cdef uint64_t candidate(const Pool *pool, bitgen_t *bits, uint64_t have, int64_t recency) noexcept nogil:
    """The place of a loop, recent ones more often."""
    cdef uint64_t age = pick(bits, have)
    cdef int64_t i
    for i in range(recency - 1):
        age = min(age, pick(bits, have))
    return (pool.count - 1 - age) % pool.capacity


cdef const uint8_t *draw_loop(
    const Pool *pool, bitgen_t *bits, int64_t recency, int64_t nearness, Loop *loop,
) noexcept nogil:
    """Take the one nearest to the deck of some loops. Returns the state that stands for its cycle."""
    cdef uint64_t have = min(pool.count, pool.capacity)
    cdef uint64_t place = candidate(pool, bits, have, recency)
    cdef uint64_t rival
    cdef int64_t i
    for i in range(nearness - 1):
        rival = candidate(pool, bits, have, recency)
        if pool.loops[rival].cost < pool.loops[place].cost:
            place = rival
    loop[0] = pool.loops[place]
    return pool.rows + place * pool.stride
