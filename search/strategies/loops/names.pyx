"""A set of 64-bit names, such as hashes of states, for other compiled modules."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

cdef extern from "tally.h" nogil:
    uint64_t mix(uint64_t word)

#: Slots there are at first.
cdef enum:
    FIRST_SLOTS = 1 << 16


cdef uint64_t hash_state(const uint8_t *row, uint32_t size, uint32_t leads) noexcept nogil:
    """A hash of a state; never 0, which stands for none."""
    cdef uint64_t word = mix(<uint64_t> size << 32 | leads)
    cdef uint64_t chunk
    cdef uint32_t place = 0
    while place < size:
        chunk = 0
        memcpy(&chunk, row + place, min(<uint32_t> 8, size - place))
        word = mix(word ^ chunk)
        place += 8
    return word or 1


cdef bint open_names(Names *names) noexcept nogil:
    """Make an empty set; whether there was memory."""
    names.mask = FIRST_SLOTS - 1
    names.count = 0
    names.slots = <uint64_t *> calloc(FIRST_SLOTS, sizeof(uint64_t))
    return names.slots is not NULL


cdef void close_names(Names *names) noexcept nogil:
    """Give the room back."""
    free(names.slots)


cdef bint enter(Names *names, uint64_t name) noexcept nogil:
    """Note a name in the table, which has room; whether it was not there."""
    cdef uint64_t slot = name & names.mask
    while names.slots[slot]:
        if names.slots[slot] == name:
            return False
        slot = (slot + 1) & names.mask
    names.slots[slot] = name
    names.count += 1
    return True


cdef bint make_slots(Names *names) noexcept nogil:
    """See that the table is at most half full; False if there is no memory."""
    cdef Names larger
    cdef uint64_t slot
    if 2 * names.count <= names.mask:
        return True
    larger.mask = 2 * names.mask + 1
    larger.count = 0
    larger.slots = <uint64_t *> calloc(larger.mask + 1, sizeof(uint64_t))
    if larger.slots is NULL:
        return False
    for slot in range(names.mask + 1):
        if names.slots[slot]:
            enter(&larger, names.slots[slot])
    free(names.slots)
    names[0] = larger
    return True
