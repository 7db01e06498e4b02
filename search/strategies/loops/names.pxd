"""A set of 64-bit names for other compiled modules: no Python object, no GIL."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t


cdef struct Names:
    uint64_t *slots         # open addressing; 0 is an empty slot
    uint64_t mask
    uint64_t count


cdef bint open_names(Names *names) noexcept nogil
cdef void close_names(Names *names) noexcept nogil
cdef bint make_slots(Names *names) noexcept nogil
cdef bint enter(Names *names, uint64_t name) noexcept nogil
cdef uint64_t hash_state(const uint8_t *row, uint32_t size, uint32_t leads) noexcept nogil
