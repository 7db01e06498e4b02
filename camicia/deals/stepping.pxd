"""Consecutive deals for other compiled modules, written in the form that the lanes play."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

from camicia.kernels.batch cimport MAX_LINKS, Batch, Form, Reading
from camicia.deals.runs cimport Runs
from camicia.deals.source cimport DealSource


cdef struct Endings:
    uint32_t count          # arrangements of these cards; 0 if they are too many for a group
    uint32_t stride         # bytes from a row to the next
    uint8_t size            # cards
    uint8_t payment_cards
    uint8_t counts[5]       # cards of each code
    uint8_t links[MAX_LINKS]    # rows of a batch that hold the links of the payment cards, in order
    uint8_t *rows           # NULL until they are written


cdef class DealRange(DealSource):
    cdef Form form
    cdef size_t cut
    cdef uint8_t *codes         # the deal to come next; in a group its ending lags behind
    cdef Reading *readings      # what is known before each place
    cdef Endings *endings       # by the cards they are made of
    cdef size_t endings_count
    cdef size_t strides[5]      # from an ending to that with one card more of a code
    cdef uint16_t room[5]       # cards of each code that an ending may have
    cdef uint8_t *arena         # where the rows of the endings are
    cdef size_t arena_used
    cdef Endings *group
    cdef size_t ending          # cards that vary within the group
    cdef uint32_t at            # arrangement of the ending to come next
    cdef const Batch *filled    # the batch of the last time
    cdef Runs runs              # how far each row of the batch is written

    cdef void fill(self, Batch *batch, size_t count) noexcept nogil
    cdef void choose_group(self) noexcept nogil
    cdef void begin_group(self, Batch *batch, size_t place, size_t deal) noexcept nogil
    cdef void put_group(self, Batch *batch, size_t deal, size_t count) noexcept nogil
    cdef void put_join(self, Batch *batch, const Reading *above, size_t deal, size_t count) noexcept nogil
    cdef void make(self, Endings *group) noexcept nogil
