"""A circle of cards as deals of a batch: all its rotations and relabellings, without encoding each."""

from libc.stdint cimport uint8_t

from camicia.kernels.batch cimport MAX_LINKS, MOST_CARDS_IN_LANES, MOST_RELABELLINGS, Batch, Form


cdef struct Circle:
    size_t size
    size_t cut
    uint8_t link[MAX_LINKS]
    # By place, twice round: the payment card at or after it, and the number cards before that; the payment
    # card at or before it, and the number cards after that.
    uint8_t next_card[2 * MOST_CARDS_IN_LANES]
    uint8_t ahead[2 * MOST_CARDS_IN_LANES]
    uint8_t last_card[2 * MOST_CARDS_IN_LANES]
    uint8_t behind[2 * MOST_CARDS_IN_LANES]
    # The two gaps too wide for a link, and the payment cards they follow; 0 and NONE if there are none.
    uint8_t wide[2]
    uint8_t before_wide[2]
    # The penalty of each rank in each relabelling.
    uint8_t relabellings
    uint8_t cost[4][MOST_RELABELLINGS]


cdef void lay_circle(Circle *circle, const Form *form, const uint8_t *codes, size_t size) noexcept nogil
cdef void put_rotations(
    const Circle *circle, Batch *batch, size_t deal, size_t count, size_t rotation, size_t relabelling,
) noexcept nogil
