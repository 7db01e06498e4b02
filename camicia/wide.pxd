"""Numbers of 128 bits for other compiled modules."""

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    typedef unsigned __int128 camicia_u128;
    """
    # Cython needs only to know that it is unsigned; the C compiler knows its true width.
    ctypedef unsigned long long u128 "camicia_u128"


cdef inline object number_of(u128 wide):
    """Such a number as a Python int."""
    return (<object> <uint64_t> (wide >> 64)) << 64 | <uint64_t> wide


cdef inline u128 wide_from(object number) except? 0:
    """A Python int of at most 128 bits as such a number."""
    cdef uint64_t high = number >> 64
    cdef uint64_t low = number & 0xFFFF_FFFF_FFFF_FFFF
    return <u128> high << 64 | low
