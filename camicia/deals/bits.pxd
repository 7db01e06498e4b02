"""Uniform whole numbers from NumPy's raw random words, for every compiled module that shuffles."""

from libc.stdint cimport uint64_t
from numpy.random cimport bitgen_t

from camicia.wide cimport u128


cdef inline uint64_t below(bitgen_t *bits, uint64_t bound) noexcept nogil:
    """A uniform whole number from 0 to `bound` - 1."""
    cdef u128 product = <u128> bits.next_uint64(bits.state) * bound
    cdef uint64_t threshold
    if <uint64_t> product < bound:
        threshold = (0 - bound) % bound
        while <uint64_t> product < threshold:
            product = <u128> bits.next_uint64(bits.state) * bound
    return <uint64_t> (product >> 64)
