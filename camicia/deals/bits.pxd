"""Uniform whole numbers from NumPy's raw random words, for every compiled module that shuffles."""

from libc.stdint cimport uint32_t, uint64_t

from camicia.wide cimport u128


ctypedef struct bitgen_t:
    # What the capsule of a NumPy bit generator points to, as NumPy documents it for other compilers. It is written
    # out so that NumPy need not be there to build the package.
    void *state
    uint64_t (*next_uint64)(void *state) noexcept nogil
    uint32_t (*next_uint32)(void *state) noexcept nogil
    double (*next_double)(void *state) noexcept nogil
    uint64_t (*next_raw)(void *state) noexcept nogil


cdef inline uint64_t below(bitgen_t *bits, uint64_t bound) noexcept nogil:
    """A uniform whole number from 0 to `bound` - 1."""
    cdef u128 product = <u128> bits.next_uint64(bits.state) * bound
    cdef uint64_t threshold
    if <uint64_t> product < bound:
        threshold = (0 - bound) % bound
        while <uint64_t> product < threshold:
            product = <u128> bits.next_uint64(bits.state) * bound
    return <uint64_t> (product >> 64)
