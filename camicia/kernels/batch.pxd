"""Batches of deals in the form the lanes play: a deal a column, one row of bytes for each thing to know.

Only payment cards matter, so a hand is a chain of them. Each payment card of a deal has a number; its *link*
says which card comes next in the same hand and how many number cards lie between. A link is one byte: the
number of the next card in its upper bits, the gap in its lower `GAP_BITS`. The two highest gaps are codes for
a gap too wide for those bits, kept in row `WIDE_X` or `WIDE_Y`; a deck with room for a third such gap at once
is not played in lanes. Card numbers rise with rank: those below `limit[0]` are of the first rank, and so on;
what each rank costs is told deal by deal, so that relabelled deals differ in those rows only.

Card numbers stand shifted left by the gap bits wherever they are kept. `NONE` stands for no card.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memset

from camicia.kernels.ring cimport Outcome


cdef extern from "form.h" nogil:
    enum:
        HIGHEST_CODE
        MAX_LINKS
        MOST_CARDS_IN_LANES
        FIRST_A
        LAST_A
        LEAD_A
        TRAIL_A
        FIRST_B
        LAST_B
        OWED_B
        TRAIL_B
        WIDE_X
        WIDE_Y
        COST
        ROWS
        NONE
        BATCH_DEALS
        MOST_LANES
        MARGIN
        MOST_RELABELLINGS
        CARDS_MASK
        TRICKS_MASK
    uint8_t widest_gap(int gap_bits)
    uint32_t packed_result(uint32_t cards, uint32_t tricks, uint32_t winner)
    uint32_t packed_cards(uint32_t result)
    uint32_t packed_tricks(uint32_t result)
    uint32_t packed_winner(uint32_t result)


cdef struct Late:
    uint32_t deal           # index in the batch
    Outcome outcome


cdef struct Form:
    uint8_t links           # 8, 12 or 16 payment cards at most; 0 if the lanes cannot hold the deck
    uint8_t gap_bits        # 5 for 8 links, else 4
    uint8_t limit[3]        # shifted numbers where the second, third and fourth rank begin
    uint8_t room[4]         # payment cards of each rank there is room for
    uint8_t most_numbers    # number cards there is room for
    uint8_t cut_off         # games of 256 times so many cards are past the cut-off


cdef struct Batch:
    size_t size             # cards of a deal
    size_t capacity         # deals there is room for
    Form form
    uint8_t *rows           # in lanes: ROWS rows of `stride` bytes; else `capacity` deals of `size` card codes
    size_t stride
    uint16_t *cut           # not in lanes: cards of hand A of each deal
    const void *writer      # who filled it last, if that is who wants to know which rows are still good
    uint32_t *results       # of each deal, packed; 0 means that `late` tells
    Late *late              # the deals whose result does not fit or was found by the ring, in order
    size_t late_count


#: Whether a row of card codes has the form of a batch.
cdef enum:
    FITS = 0
    MISFIT = 1

#: A code that no card has, in an array of deals.
cdef struct Fault:
    bint found
    size_t deal             # of those handed in together
    size_t place
    uint8_t code


#: One build of the lanes kernel.
cdef struct Lanes:
    # Plays deals `start` to `stop` of a batch; a packed result of 0 is past the cut-off.
    void (*play)(const Batch *batch, size_t start, size_t stop) noexcept nogil
    # Writes `count` rows of card codes, those of `index` or the first ones if that is NULL, as deals 0, 1, ...
    # of a batch. `misfits`, with MARGIN to spare, gets FITS or MISFIT for each, and a misfit becomes some game of
    # two cards. The codes are read once, so whoever changes them meanwhile gets other games, no worse. It ends at
    # the first code that no card has, which it puts into `fault`.
    void (*encode)(
        Batch *batch, const uint8_t *codes, Py_ssize_t deal_stride, Py_ssize_t card_stride,
        const int64_t *index, size_t count, size_t cut, uint8_t *misfits, Fault *fault,
    ) noexcept nogil


#: What is known of a deal that is read card by card: of the hand so far, but for the last two.
cdef struct Reading:
    uint8_t first           # first payment card, or NONE
    uint8_t last            # last one
    uint8_t lead            # number cards before the first, once there is one
    uint8_t gap             # number cards since the last one, or since the hand began
    uint8_t wide            # wide gaps so far, in both hands
    uint8_t used[5]         # cards of each code so far, in both hands


#: The link that a payment card gets when the next one of its hand is read.
cdef struct Join:
    uint8_t row             # where it stands
    uint8_t link
    uint8_t wide_row        # where its gap stands, if that is a wide one
    uint8_t wide            # that gap, else 0


cdef inline void begin_hand(Reading *reading) noexcept nogil:
    reading.first = reading.last = NONE
    reading.lead = reading.gap = 0


cdef inline void begin_deal(Reading *reading) noexcept nogil:
    memset(reading, 0, sizeof(Reading))
    begin_hand(reading)


cdef inline bint read_card(const Form *form, Reading *reading, uint8_t code, Join *join) noexcept nogil:
    """Read one card more of the hand. Returns whether it is joined to a payment card above it, and then how."""
    cdef bint joins = reading.last != NONE
    cdef uint8_t number
    if code == 0:
        reading.gap += 1
        return False
    number = <uint8_t> (reading.used[code] << form.gap_bits)
    if code > 1:
        number += form.limit[code - 2]
    reading.used[code] += 1
    if joins:
        join.row = reading.last >> form.gap_bits
        join.wide = 0
        if reading.gap > widest_gap(form.gap_bits):
            join.wide_row = <uint8_t> (WIDE_X + reading.wide)
            join.wide = reading.gap
            reading.wide += 1
            reading.gap = widest_gap(form.gap_bits) + reading.wide
        join.link = number | reading.gap
    else:
        reading.first = number
        reading.lead = reading.gap
    reading.last = number
    reading.gap = 0
    return joins


cdef inline uint8_t lead_of(const Reading *reading) noexcept nogil:
    """Number cards before a hand's first payment card; a hand without payment cards is all lead."""
    return reading.gap if reading.last == NONE else reading.lead


cdef inline uint8_t trail_of(const Reading *reading) noexcept nogil:
    """Number cards after a hand's last payment card."""
    return 0 if reading.last == NONE else reading.gap


cdef Form form_for(const uint16_t *counts) noexcept nogil
cdef Batch *open_batch(const uint16_t *counts, size_t capacity) noexcept nogil
cdef void close_batch(Batch *batch) noexcept nogil
cdef void put_deal(Batch *batch, size_t deal, const uint8_t *codes, size_t cut) noexcept nogil
cdef size_t get_deal(const Batch *batch, size_t deal, uint8_t *codes) noexcept nogil
