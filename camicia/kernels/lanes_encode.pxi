"""From rows of card codes to deals in the form the lanes play, as many at once as there are lanes.

Included after lanes.pxi. Card by card of both hands, a lane numbers its payment cards and links each to the one
before it in the same hand.
"""

from libc.stdint cimport int64_t

from camicia.kernels.batch cimport FITS, HIGHEST_CODE, MISFIT, MOST_CARDS_IN_LANES, Fault, Form, Lanes


cdef struct Encoding:
    chain links
    vec next_number[4]      # of each rank, shifted
    vec used[4]             # payment cards seen of each rank
    vec wide_x
    vec wide_y
    vec first               # of the hand in hand
    vec last
    vec lead
    vec gap                 # number cards since the last payment card
    vec highest             # code so far


cdef inline void take_rank(Encoding *e, int rank, vec code, vec *number, int gap_bits) noexcept nogil:
    """Number the card where it is of this rank."""
    cdef mask here = equal(code, splat(rank + 1))
    number[0] = choose(here, e.next_number[rank], number[0])
    e.next_number[rank] = plus_where(here, e.next_number[rank], splat(1 << gap_bits))
    e.used[rank] = plus_where(here, e.used[rank], splat(1))


cdef inline void take_card(Encoding *e, vec code, int links, int gap_bits) noexcept nogil:
    """Add a card to the end of the hand."""
    cdef int widest = widest_gap(gap_bits)
    cdef mask pays = more(code, nothing())
    cdef mask opens = both(pays, equal(e.last, splat(NONE)))
    cdef mask joins = but_not(pays, opens)
    cdef mask wide = both(joins, more(e.gap, splat(widest)))
    cdef mask in_x = both(wide, equal(e.wide_x, nothing()))
    cdef mask in_y = but_not(wide, in_x)
    cdef vec number = nothing()
    e.highest = greater(e.highest, code)
    take_rank(e, 0, code, &number, gap_bits)
    take_rank(e, 1, code, &number, gap_bits)
    take_rank(e, 2, code, &number, gap_bits)
    take_rank(e, 3, code, &number, gap_bits)
    e.wide_x = choose(in_x, e.gap, e.wide_x)
    e.wide_y = choose(in_y, e.gap, e.wide_y)
    put_chain(
        &e.links, links, gap_bits, choose(joins, e.last, splat(NONE)),
        joined_bits(number, choose(in_y, splat(widest + 2), lesser(e.gap, splat(widest + 1)))),
    )
    e.first = choose(opens, number, e.first)
    e.lead = choose(opens, e.gap, e.lead)
    e.last = choose(pays, number, e.last)
    e.gap = choose(pays, nothing(), plus(e.gap, splat(1)))


cdef inline void begin_hand(Encoding *e) noexcept nogil:
    e.first = e.last = splat(NONE)
    e.lead = e.gap = nothing()


cdef inline void end_hand(Encoding *e) noexcept nogil:
    """A hand without payment cards is all lead."""
    cdef mask bare = equal(e.last, splat(NONE))
    e.lead = choose(bare, e.gap, e.lead)
    e.gap = choose(bare, nothing(), e.gap)


cdef inline uint64_t encode_group(
    Batch *batch, size_t deal, const uint8_t *cards, size_t cut, uint8_t *misfits, int links, int gap_bits,
) noexcept nogil:
    """Encode the deals of `cards`, one vec a card, as LANES deals of the batch from `deal`.

    Returns the lanes with a code that no card has, whose deals may be anything.
    """
    cdef Encoding e
    cdef const Form *form = &batch.form
    cdef size_t stride = batch.stride
    cdef uint8_t *row = batch.rows + deal
    cdef vec trail_a
    cdef mask misfit
    cdef size_t i
    clear_chain(&e.links)
    e.next_number[0] = nothing()
    for i in range(3):
        e.next_number[i + 1] = splat(form.limit[i])
    for i in range(4):
        e.used[i] = nothing()
    e.wide_x = e.wide_y = e.highest = nothing()
    begin_hand(&e)
    for i in range(cut):
        take_card(&e, load(cards + i * LANES), links, gap_bits)
    end_hand(&e)
    store(row + FIRST_A * stride, e.first)
    store(row + LAST_A * stride, e.last)
    store(row + LEAD_A * stride, e.lead)
    store(row + TRAIL_A * stride, e.gap)
    trail_a = e.gap
    begin_hand(&e)
    for i in range(cut, batch.size):
        take_card(&e, load(cards + i * LANES), links, gap_bits)
    end_hand(&e)

    # Number cards are what is left of the size; all counts are below 128.
    misfit = more(
        splat(<int> batch.size - form.most_numbers),
        plus(plus(e.used[0], e.used[1]), plus(e.used[2], e.used[3])),
    )
    for i in range(4):
        misfit = either(misfit, more(e.used[i], splat(form.room[i])))
    store(misfits, choose(misfit, splat(MISFIT), splat(FITS)))

    # In place of a misfit, a number card each: A lays one, B lays one, A has none.
    store(row + FIRST_A * stride, choose(misfit, splat(NONE), load(row + FIRST_A * stride)))
    store(row + LAST_A * stride, choose(misfit, splat(NONE), load(row + LAST_A * stride)))
    store(row + LEAD_A * stride, choose(misfit, splat(1), load(row + LEAD_A * stride)))
    store(row + TRAIL_A * stride, choose(misfit, nothing(), trail_a))
    store(row + FIRST_B * stride, choose(misfit, splat(NONE), e.first))
    store(row + LAST_B * stride, choose(misfit, splat(NONE), e.last))
    store(row + OWED_B * stride, choose(misfit, splat(1), plus(e.lead, trail_a)))
    store(row + TRAIL_B * stride, choose(misfit, nothing(), e.gap))
    store(row + WIDE_X * stride, e.wide_x)
    store(row + WIDE_Y * stride, e.wide_y)
    for i in range(4):
        store(row + (COST + i) * stride, splat(<int> i + 1))
    for i in range(links):
        store(row + i * stride, e.links.link[i])
    return lanes_of(below(splat(HIGHEST_CODE), e.highest))


cdef void tell_fault(Fault *fault, const uint8_t *cards, size_t size, int lane, size_t deal) noexcept nogil:
    """Say which of the cards in a lane has a code that no card has."""
    fault.found = True
    fault.deal = deal
    fault.place = 0
    while fault.place + 1 < size and cards[fault.place * LANES + lane] <= HIGHEST_CODE:
        fault.place += 1
    fault.code = cards[fault.place * LANES + lane]


cdef void encode(
    Batch *batch, const uint8_t *codes, Py_ssize_t deal_stride, Py_ssize_t card_stride,
    const int64_t *index, size_t count, size_t cut, uint8_t *misfits, Fault *fault,
) noexcept nogil:
    """Write rows of card codes as deals of a batch; see `Lanes` in batch.pxd."""
    cdef const uint8_t *deals[MOST_LANES]
    cdef uint8_t cards[MOST_CARDS_IN_LANES * MOST_LANES]
    cdef uint8_t group_misfits[MOST_LANES]
    cdef size_t deal = 0
    cdef size_t lane, which
    cdef uint64_t faulty
    while deal < count:
        for lane in range(LANES):
            # A last group that is not full repeats the last deal, in the margin of the batch.
            which = min(deal + lane, count - 1)
            deals[lane] = codes + (which if index is NULL else <size_t> index[which]) * deal_stride
        turn(deals, card_stride, batch.size, cards)
        if batch.form.links == 8:
            faulty = encode_group(batch, deal, cards, cut, group_misfits, 8, 5)
        elif batch.form.links == 12:
            faulty = encode_group(batch, deal, cards, cut, group_misfits, 12, 4)
        else:
            faulty = encode_group(batch, deal, cards, cut, group_misfits, 16, 4)
        if faulty:
            lane = <size_t> lowest_bit(faulty)
            tell_fault(fault, cards, batch.size, <int> lane, min(deal + lane, count - 1))
            return
        for lane in range(min(<size_t> LANES, count - deal)):
            misfits[deal + lane] = group_misfits[lane]
        deal += LANES


cdef Lanes _build
_build.play = play
_build.encode = encode


def build():
    """The address of this build's functions, a `Lanes` of batch.pxd, for camicia.kernels.dispatch alone."""
    return <size_t> &_build
