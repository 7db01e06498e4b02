"""The loops that a walk among loops may go on from, for other compiled modules."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from camicia.deals.bits cimport bitgen_t
from camicia.wide cimport u128


cdef struct Loop:
    uint32_t size           # cards
    uint32_t leads          # cards of the leader in the state that stands for the cycle
    int64_t cost            # how far from the deck, payment cards weighed; small ones are preferred
    int64_t states          # of the cycle


cdef struct Pool:
    Loop *loops             # the most recent ones, in a ring
    uint8_t *rows           # a state of the cycle of each, `stride` bytes apart
    uint32_t stride
    uint64_t count          # loops ever put in
    uint64_t capacity


cdef bint open_pool(Pool *pool, uint32_t stride) noexcept nogil
cdef void close_pool(Pool *pool) noexcept nogil
cdef void put_loop(Pool *pool, const Loop *loop, const uint8_t *row) noexcept nogil
cdef const uint8_t *draw_loop(
    const Pool *pool, bitgen_t *bits, int64_t recency, int64_t nearness, Loop *loop,
) noexcept nogil


cdef inline uint64_t pick(bitgen_t *bits, uint64_t bound) noexcept nogil:
    """A random whole number from 0 to `bound` - 1."""
    return <uint64_t> (<u128> bits.next_uint64(bits.state) * bound >> 64)
