"""Consecutive deals for other compiled modules, written in the form that the lanes play."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

from camicia.batch cimport MAX_LINKS, ROWS, Batch, Form


cdef struct Walk:
    uint8_t first           # first payment card of the hand so far, or NONE
    uint8_t last            # its last payment card so far, or NONE
    uint8_t lead            # number cards before the first, once there is one
    uint8_t gap             # number cards since the last payment card, or since the hand began
    uint8_t wide            # wide gaps so far, in both hands
    uint8_t used[5]         # cards of each code so far, in both hands


cdef struct Endings:
    uint32_t count          # arrangements of these cards; 0 if they are too many for a group
    uint32_t stride         # bytes from a row to the next
    uint8_t size            # cards
    uint8_t payment_cards
    uint8_t counts[5]       # cards of each code
    uint8_t links[MAX_LINKS]    # rows of a batch that hold the links of the payment cards, in order
    uint8_t *rows           # NULL until they are written


cdef class DealRange:
    cdef readonly object deck
    cdef Batch *batch           # where the deals are written; nothing else may write there
    cdef Form form
    cdef size_t size
    cdef size_t cut
    cdef uint16_t counts[5]
    cdef uint8_t *codes         # the deal to come next; in a group its ending lags behind
    cdef Walk *walks            # the walk before each place
    cdef Endings *endings       # by the cards they are made of
    cdef size_t endings_count
    cdef size_t strides[5]      # from an ending to that with one card more of a code
    cdef uint16_t room[5]       # cards of each code that an ending may have
    cdef uint8_t *arena         # where the rows of the endings are
    cdef size_t arena_used
    cdef Endings *group
    cdef size_t ending          # cards that vary within the group
    cdef uint32_t at            # arrangement of the ending to come next
    cdef uint16_t value[ROWS]   # what each row of a batch goes on with
    cdef size_t since[ROWS]     # up to where it is written
    cdef size_t length[ROWS]    # how many of its first deals have one value in a row
    cdef uint8_t whole[ROWS]    # and which

    cdef void fill(self, size_t count) noexcept nogil
    cdef void choose_group(self) noexcept nogil
    cdef void begin_group(self, Batch *batch, size_t place, size_t deal) noexcept nogil
    cdef void put_group(self, Batch *batch, size_t deal, size_t count) noexcept nogil
    cdef void put_join(self, Batch *batch, const Walk *walk, size_t deal, size_t count) noexcept nogil
    cdef void make(self, Endings *group) noexcept nogil
