"""A circle of cards as deals of a batch: all its rotations and relabellings, without encoding each.

Every payment card's link is the same in all rotations; where the circle is cut decides only which payment cards
are the first and last of a hand, and how many number cards lie before and after those. Relabelled deals differ
in what the ranks cost. So a deal takes ten bytes that are the same for all relabellings of a rotation.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

from camicia.kernels.batch cimport (
    COST, FIRST_A, FIRST_B, LAST_A, LAST_B, LEAD_A, NONE, OWED_B, TRAIL_A, TRAIL_B, WIDE_X, Batch, Form, Join,
    Reading, begin_deal, read_card,
)


cdef void lay_circle(Circle *circle, const Form *form, const uint8_t *codes, size_t size) noexcept nogil:
    """Link the payment cards of a circle of card codes; at least two cards, of the deck of the form.

    `relabellings` and `cost` are left as they are.
    """
    cdef Reading reading
    cdef Join join
    cdef uint8_t card = NONE
    cdef uint8_t gap = 0
    cdef size_t wide = 0
    cdef size_t place, i
    circle.size = size
    circle.cut = size // 2
    circle.wide[0] = circle.wide[1] = 0
    circle.before_wide[0] = circle.before_wide[1] = NONE
    memset(circle.link, 0, sizeof(circle.link))
    # Read as one hand, twice round: then every payment card has one above it, and what the first turn could not
    # know the second one does. A hand is no longer than the circle, so a gap longer than that is never looked at.
    begin_deal(&reading)
    for place in range(2 * size):
        if place == size:
            memset(reading.used, 0, sizeof(reading.used))
            reading.wide = 0
        card = reading.last
        if read_card(form, &reading, codes[place % size], &join) and place >= size:
            circle.link[join.row] = join.link
            if join.wide:
                circle.wide[wide] = join.wide
                circle.before_wide[wide] = card
                wide += 1
        circle.last_card[place] = reading.last
        circle.behind[place] = reading.gap
    card = NONE
    for i in range(2 * size):
        place = 2 * size - 1 - i
        if codes[place % size]:
            card = circle.last_card[place]
            gap = 0
        else:
            gap += 1
        circle.next_card[place] = card
        circle.ahead[place] = gap


cdef inline void spread(uint8_t *target, uint8_t value, size_t count) noexcept nogil:
    """Write a byte `count` times and, rounded up to words, past that: the deals there are still to be written."""
    cdef uint64_t word = value * <uint64_t> 0x0101010101010101
    cdef size_t i = 0
    while i < count:
        memcpy(target + i, &word, 8)
        i += 8


cdef inline void put_rotation(
    const Circle *circle, Batch *batch, size_t deal, size_t count, size_t rotation, size_t relabelling,
) noexcept nogil:
    """Write `count` relabellings of one rotation, from `relabelling` on."""
    cdef size_t stride = batch.stride
    cdef uint8_t *row = batch.rows + deal
    cdef size_t middle = rotation + circle.cut
    cdef size_t end = rotation + circle.size
    cdef uint8_t first_a = circle.next_card[rotation]
    cdef uint8_t lead_a = circle.ahead[rotation]
    cdef uint8_t last_a = circle.last_card[middle - 1]
    cdef uint8_t trail_a = circle.behind[middle - 1]
    cdef uint8_t first_b = circle.next_card[middle]
    cdef uint8_t lead_b = circle.ahead[middle]
    cdef uint8_t last_b = circle.last_card[end - 1]
    cdef uint8_t trail_b = circle.behind[end - 1]
    cdef uint8_t wide
    cdef int i
    # A hand without payment cards is all lead. Beyond it, or nowhere, is the payment card that was found.
    if first_a == NONE or lead_a >= circle.cut:
        first_a = last_a = NONE
        lead_a = <uint8_t> circle.cut
        trail_a = 0
    if first_b == NONE or lead_b >= circle.size - circle.cut:
        first_b = last_b = NONE
        lead_b = <uint8_t> (circle.size - circle.cut)
        trail_b = 0
    spread(row + FIRST_A * stride, first_a, count)
    spread(row + LAST_A * stride, last_a, count)
    spread(row + LEAD_A * stride, lead_a, count)
    spread(row + TRAIL_A * stride, trail_a, count)
    spread(row + FIRST_B * stride, first_b, count)
    spread(row + LAST_B * stride, last_b, count)
    spread(row + OWED_B * stride, lead_b + trail_a, count)
    spread(row + TRAIL_B * stride, trail_b, count)
    for i in range(2):
        # A gap that the cut falls into is no gap between two cards of a hand.
        wide = circle.wide[i]
        if circle.before_wide[i] == last_a or circle.before_wide[i] == last_b:
            wide = 0
        spread(row + (WIDE_X + i) * stride, wide, count)
    for i in range(4):
        memcpy(row + (COST + i) * stride, circle.cost[i] + relabelling, count)


cdef void put_rotations(
    const Circle *circle, Batch *batch, size_t deal, size_t count, size_t rotation, size_t relabelling,
) noexcept nogil:
    """Write the next `count` deals of a circle, from the given rotation and relabelling on, into a batch.

    They are written from `deal` on; the deals after them are scribbled on, up to 7.
    """
    cdef size_t many
    cdef int i
    for i in range(batch.form.links):
        memset(batch.rows + i * batch.stride + deal, circle.link[i], count)
    while count:
        many = min(count, circle.relabellings - relabelling)
        put_rotation(circle, batch, deal, many, rotation, relabelling)
        relabelling = 0
        rotation += 1
        deal += many
        count -= many
