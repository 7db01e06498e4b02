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

from camicia.ring cimport Outcome


cdef enum:
    MAX_LINKS = 16

#: The code of an ace.
cdef enum:
    HIGHEST_CODE = 4

#: The rows of a batch; the first `MAX_LINKS` are the links.
cdef enum:
    FIRST_A = 16            # first payment card of hand A, or NONE
    LAST_A = 17             # its last payment card
    LEAD_A = 18             # number cards before the first
    TRAIL_A = 19            # number cards after the last
    FIRST_B = 20
    LAST_B = 21
    OWED_B = 22             # hand B's lead plus hand A's trail: see the start of a game in lanes.pxi
    TRAIL_B = 23
    WIDE_X = 24             # a wide gap, 0 if there is none
    WIDE_Y = 25
    COST = 26               # four rows: the penalty of each rank
    ROWS = 30

#: In place of a card number; no shifted number has this bit.
cdef enum:
    NONE = 8

#: Bytes past the last deal of a row that the lanes may read, and that writers may scribble on.
cdef enum:
    MARGIN = 64

#: A packed result: cards, then tricks, then the winner; 0 means that `late` tells.
cdef enum:
    TRICKS_SHIFT = 16
    WINNER_SHIFT = 31
    CARDS_MASK = 0xFFFF
    TRICKS_MASK = 0x7FFF


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
    uint32_t *results       # of each deal, packed
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
    # of a batch; `misfits` gets FITS or MISFIT for each, and a misfit becomes some game of two cards. The codes
    # are read once, so whoever changes them meanwhile gets other games, no worse. It ends at the first that no
    # card has, which it puts into `fault`.
    void (*encode)(
        Batch *batch, const uint8_t *codes, Py_ssize_t deal_stride, Py_ssize_t card_stride,
        const int64_t *index, size_t count, size_t cut, uint8_t *misfits, Fault *fault,
    ) noexcept nogil


cdef Form form_for(const uint16_t *counts) noexcept nogil
cdef Batch *open_batch(const uint16_t *counts, size_t capacity) noexcept nogil
cdef void close_batch(Batch *batch) noexcept nogil
cdef void put_deal(Batch *batch, size_t deal, const uint8_t *codes, size_t cut) noexcept nogil
cdef size_t get_deal(const Batch *batch, size_t deal, uint8_t *codes) noexcept nogil
