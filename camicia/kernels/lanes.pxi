"""The lanes kernel: as many games at once as a register has bytes, one game a byte lane, without a branch.

Written once, in the primitives of lanes.h; included by one module for each instruction set. The form of a deal
is told in batch.pxd, and a game in play keeps to it: two hands and a pile, each a chain of payment cards.

A *step* of a game ends when a payment card shows, or the end of a hand. All lanes make every step together;
which of a step's parts a lane needs is a matter of masks. An average 52-card game takes 79 steps.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from camicia.kernels.batch cimport (
    COST, FIRST_A, FIRST_B, LAST_A, LAST_B, LEAD_A, MAX_LINKS, MOST_LANES, NONE, OWED_B, TRAIL_A, TRAIL_B, WIDE_X,
    WIDE_Y, Batch, packed_result, widest_gap,
)


cdef extern from "lanes.h" nogil:
    const int LANES
    # Opaque to Cython: a vec and a mask can be passed, returned, assigned and kept in structs, no more.
    ctypedef struct vec:
        pass
    ctypedef struct mask:
        pass
    ctypedef struct chain:
        vec link[MAX_LINKS]
    ctypedef struct usher:
        pass
    vec splat(int value)
    vec nothing()
    mask nowhere()
    vec load(const uint8_t *source)
    void store(uint8_t *target, vec v)
    vec plus(vec a, vec b)
    vec minus(vec a, vec b)
    vec common_bits(vec a, vec b)
    vec joined_bits(vec a, vec b)
    vec lesser(vec a, vec b)
    vec greater(vec a, vec b)
    mask equal(vec a, vec b)
    mask more(vec a, vec b)
    mask below(vec a, vec b)
    mask both(mask m, mask n)
    mask either(mask m, mask n)
    mask but_not(mask m, mask n)
    mask differ(mask m, mask n)
    vec choose(mask m, vec yes, vec no)
    vec plus_where(mask m, vec a, vec b)
    vec keep_where(mask m, vec a)
    vec put_and_read(chain *links_of, int links, int gap_bits, vec place, vec now, vec card)
    void put_chain(chain *links_of, int links, int gap_bits, vec place, vec now)
    void clear_chain(chain *links_of)
    void seat_chain(chain *links_of, int links, const usher *u)
    void turn(const uint8_t *const *deals, Py_ssize_t stride, size_t size, uint8_t *cards)
    uint64_t lanes_of(mask m)
    usher usher_for(uint64_t seats, const uint8_t *rows, size_t stride)
    mask seats_of(const usher *u)
    vec seated(const usher *u, vec old, int row)
    int lowest_bit(uint64_t bits)
    int count_bits(uint64_t bits)


#: Steps between two looks at which games are over. A lane waits half of them for its next game, 8 in 79 steps,
#: and a look costs as much as three or four steps. From 12 to 20 the speed is the same to 3%.
cdef enum:
    BURST = 16


cdef struct Hand:
    vec first               # number of its first payment card, or NONE
    vec last                # of its last one, or NONE
    vec lead                # number cards before the first
    vec trail               # number cards after the last


cdef struct Tables:
    chain links
    Hand payer              # who owes
    Hand other              # who laid the last payment card
    vec pile_first          # the pile's first payment card
    vec pile_last           # its last one
    vec pile_lead           # number cards before the first
    vec penalty             # owed for the last
    vec wide_x              # the gaps too wide for a link, 0 for none
    vec wide_y
    vec cost[4]             # of each rank
    vec cards_low
    vec cards_high
    vec tricks_low
    vec tricks_high
    vec new_tricks          # since the last look
    mask playing
    mask b_pays             # the payer is B


cdef inline void step(Tables *t, const vec *limit, int links, int gap_bits) noexcept nogil:
    """Play every game on until a payment card shows or a hand has come to its end."""
    cdef int widest = widest_gap(gap_bits)

    # The payer turns up a payment card before all is paid, after `payer.lead` number cards; or else pays.
    cdef mask shows = more(t.penalty, t.payer.lead)
    cdef vec left = minus(t.payer.lead, t.penalty)
    cdef mask bare = equal(t.other.last, splat(NONE))

    # One link is completed by this: of the pile's last card if a card shows, else of the collector's last card,
    # which the pile now follows. A collector without payment cards has no link; no place is NONE.
    cdef vec place = choose(shows, t.pile_last, t.other.last)
    cdef vec gap = choose(shows, t.payer.lead, plus(t.other.trail, t.pile_lead))
    cdef mask wide = but_not(but_not(more(gap, splat(widest)), bare), shows)
    cdef mask in_x = both(wide, equal(t.wide_x, nothing()))
    cdef mask in_y = but_not(wide, in_x)
    t.wide_x = choose(in_x, gap, t.wide_x)
    t.wide_y = choose(in_y, gap, t.wide_y)
    cdef vec completed = joined_bits(
        choose(shows, t.payer.first, t.pile_first),
        choose(in_y, splat(widest + 2), lesser(gap, splat(widest + 1))),
    )

    # The other player collects.
    cdef mask begins = but_not(bare, shows)
    t.other.first = choose(begins, t.pile_first, t.other.first)
    t.other.lead = plus_where(begins, t.other.lead, t.pile_lead)
    t.other.last = choose(shows, t.other.last, t.pile_last)
    t.other.trail = choose(shows, t.other.trail, t.penalty)
    cdef mask beaten = but_not(both(equal(left, nothing()), equal(t.payer.first, splat(NONE))), shows)

    # The collector leads at once, and shows after both have laid `other.lead` number cards; unless the payer
    # has fewer left, and shows after both have laid those and the collector one more.
    cdef mask payer_shows = either(more(t.other.lead, left), either(shows, beaten))
    cdef vec laid = lesser(t.other.lead, left)
    laid = plus_where(payer_shows, plus(laid, laid), splat(1))
    cdef vec rest = choose(
        payer_shows, minus(minus(t.other.lead, left), splat(1)), minus(left, t.other.lead)
    )
    rest = choose(shows, t.other.lead, rest)
    t.pile_lead = choose(shows, t.pile_lead, laid)

    # Who shows a card is the other from here on, and who is not owes.
    cdef vec card = choose(payer_shows, t.payer.first, t.other.first)
    cdef vec last = choose(payer_shows, t.payer.last, t.other.last)
    cdef vec trail = choose(payer_shows, t.payer.trail, t.other.trail)
    cdef vec count = choose(shows, t.payer.lead, t.penalty)
    t.payer.first = choose(payer_shows, t.other.first, t.payer.first)
    t.payer.last = choose(payer_shows, t.other.last, t.payer.last)
    t.payer.trail = choose(payer_shows, t.other.trail, t.payer.trail)
    t.payer.lead = rest

    # The card leaves the hand. What follows the last card of a hand is `trail`, whatever its link says.
    cdef vec link = put_and_read(&t.links, links, gap_bits, place, completed, card)
    cdef mask emptied = equal(card, last)
    gap = common_bits(link, splat(widest + 2))
    in_x = but_not(equal(gap, splat(widest + 1)), emptied)
    in_y = but_not(equal(gap, splat(widest + 2)), emptied)
    gap = choose(in_y, t.wide_y, choose(in_x, t.wide_x, gap))
    t.wide_x = choose(in_x, nothing(), t.wide_x)
    t.wide_y = choose(in_y, nothing(), t.wide_y)
    t.other.first = choose(emptied, splat(NONE), common_bits(link, splat(255 - (widest + 2))))
    t.other.last = choose(emptied, splat(NONE), last)
    t.other.lead = choose(emptied, trail, gap)
    t.other.trail = trail
    t.pile_first = choose(shows, t.pile_first, card)
    t.pile_last = card
    t.penalty = choose(
        below(card, limit[0]), t.cost[0],
        choose(below(card, limit[1]), t.cost[1], choose(below(card, limit[2]), t.cost[2], t.cost[3])),
    )

    # A hand that is to show and has no payment card has run out: the game is over, with one trick more. If it
    # had nothing left when the pile was collected the game was over then, with no trick or lead after that.
    cdef mask ends = equal(card, splat(NONE))
    count = plus(count, choose(either(shows, beaten), nothing(), laid))
    count = plus(count, choose(ends, nothing(), splat(1)))
    count = keep_where(t.playing, count)
    t.cards_low = plus(t.cards_low, count)
    t.cards_high = plus_where(below(t.cards_low, count), t.cards_high, splat(1))
    t.new_tricks = plus_where(but_not(t.playing, shows), t.new_tricks, splat(1))
    t.new_tricks = plus_where(both(t.playing, but_not(ends, beaten)), t.new_tricks, splat(1))
    t.b_pays = differ(t.b_pays, both(t.playing, payer_shows))
    t.playing = but_not(t.playing, ends)


cdef inline void clear(Tables *t) noexcept nogil:
    """No game at any lane."""
    clear_chain(&t.links)
    t.payer.first = t.payer.last = t.payer.lead = t.payer.trail = nothing()
    t.other = t.payer
    t.pile_first = t.pile_last = t.pile_lead = t.penalty = t.wide_x = t.wide_y = nothing()
    t.cost[0] = t.cost[1] = t.cost[2] = t.cost[3] = nothing()
    t.cards_low = t.cards_high = t.tricks_low = t.tricks_high = t.new_tricks = nothing()
    t.playing = t.b_pays = nowhere()


cdef inline void seat(Tables *t, uint64_t seats, const Batch *batch, size_t deal, int links) noexcept nogil:
    """Start the next deals in the lanes of `seats`.

    A game starts as if A, with nothing in hand, were about to collect a pile that is A's whole hand, for which
    B pays what follows its last payment card: with both counters set back by that much.
    """
    cdef usher u = usher_for(seats, batch.rows + deal, batch.stride)
    cdef mask new = seats_of(&u)
    seat_chain(&t.links, links, &u)
    t.pile_first = seated(&u, t.pile_first, FIRST_A)
    t.pile_last = seated(&u, t.pile_last, LAST_A)
    t.pile_lead = seated(&u, t.pile_lead, LEAD_A)
    t.penalty = seated(&u, t.penalty, TRAIL_A)
    t.payer.first = seated(&u, t.payer.first, FIRST_B)
    t.payer.last = seated(&u, t.payer.last, LAST_B)
    t.payer.lead = seated(&u, t.payer.lead, OWED_B)
    t.payer.trail = seated(&u, t.payer.trail, TRAIL_B)
    t.wide_x = seated(&u, t.wide_x, WIDE_X)
    t.wide_y = seated(&u, t.wide_y, WIDE_Y)
    t.cost[0] = seated(&u, t.cost[0], COST)
    t.cost[1] = seated(&u, t.cost[1], COST + 1)
    t.cost[2] = seated(&u, t.cost[2], COST + 2)
    t.cost[3] = seated(&u, t.cost[3], COST + 3)
    t.other.first = choose(new, splat(NONE), t.other.first)
    t.other.last = choose(new, splat(NONE), t.other.last)
    t.other.lead = choose(new, nothing(), t.other.lead)
    t.other.trail = choose(new, nothing(), t.other.trail)
    t.cards_low = choose(new, minus(nothing(), t.penalty), t.cards_low)
    t.cards_high = choose(
        new, choose(equal(t.penalty, nothing()), nothing(), splat(-1)), t.cards_high
    )
    t.tricks_low = choose(new, splat(-1), t.tricks_low)
    t.tricks_high = choose(new, splat(-1), t.tricks_high)
    t.playing = either(t.playing, new)
    t.b_pays = either(t.b_pays, new)


cdef inline void report(
    const Tables *t, uint64_t done, uint64_t past, const uint32_t *deal_of, uint32_t *results,
) noexcept nogil:
    """Pack the results of the games in the lanes of `done`; those of `past`, past the cut-off, get 0."""
    cdef uint8_t cards_low[MOST_LANES]
    cdef uint8_t cards_high[MOST_LANES]
    cdef uint8_t tricks_low[MOST_LANES]
    cdef uint8_t tricks_high[MOST_LANES]
    cdef uint64_t b_wins = lanes_of(t.b_pays)       # the end of the other's hand has shown
    cdef int lane
    store(cards_low, t.cards_low)
    store(cards_high, t.cards_high)
    store(tricks_low, t.tricks_low)
    store(tricks_high, t.tricks_high)
    while done:
        lane = lowest_bit(done)
        done &= done - 1
        results[deal_of[lane]] = 0 if past >> lane & 1 else packed_result(
            cards_low[lane] | <uint32_t> cards_high[lane] << 8,
            tricks_low[lane] | <uint32_t> tricks_high[lane] << 8,
            <uint32_t> (b_wins >> lane & 1),
        )


cdef inline void play_form(
    const Batch *batch, size_t start, size_t stop, int links, int gap_bits,
) noexcept nogil:
    """Play the deals from `start` to `stop` of a batch whose form has so many links."""
    cdef Tables t
    cdef vec limit[3]
    cdef vec last_high_byte = splat(batch.form.cut_off - 1)
    cdef uint32_t deal_of[MOST_LANES]
    cdef uint64_t everyone = (<uint64_t> -1) >> (64 - LANES)
    cdef uint64_t taken = 0                         # lanes with a game whose result is not yet reported
    cdef uint64_t free, past, seats
    cdef size_t deal = start
    cdef int i
    for i in range(3):
        limit[i] = splat(batch.form.limit[i])
    clear(&t)
    while True:
        # Counters that are set back at the start are right again here: a burst lies between.
        past = lanes_of(both(t.playing, below(last_high_byte, t.cards_high)))
        free = everyone & ~lanes_of(t.playing) | past
        if free & taken:
            report(&t, free & taken, past, deal_of, batch.results)
        taken &= ~free
        if deal < stop:
            while <size_t> count_bits(free) > stop - deal:
                free &= free - 1
            seat(&t, free, batch, deal, links)
            taken |= free
            while free:
                deal_of[lowest_bit(free)] = <uint32_t> deal
                deal += 1
                free &= free - 1
        elif not taken:
            break
        t.new_tricks = nothing()
        for i in range(BURST):
            step(&t, limit, links, gap_bits)
        t.tricks_low = plus(t.tricks_low, t.new_tricks)
        t.tricks_high = plus_where(below(t.tricks_low, t.new_tricks), t.tricks_high, splat(1))


cdef void play(const Batch *batch, size_t start, size_t stop) noexcept nogil:
    """Play deals of a batch and write their packed results; 0 for those past the cut-off."""
    if batch.form.links == 8:
        play_form(batch, start, stop, 8, 5)
    elif batch.form.links == 12:
        play_form(batch, start, stop, 12, 4)
    else:
        play_form(batch, start, stop, 16, 4)
