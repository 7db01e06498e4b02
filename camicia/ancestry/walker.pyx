"""A state in its hands, and one trick forward.

A hand is its payment cards from the top, each a token with the number cards that follow it, and a *lead*,
the number cards before the first.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset


cdef Walker *open_walker(size_t cards, size_t payment_cards, int64_t max_depth) noexcept nogil:
    """Room for states of up to `cards` cards, to be closed by `close_walker`; NULL if there is no memory."""
    cdef Walker *walker = <Walker *> calloc(1, sizeof(Walker))
    cdef size_t slots = 2
    if walker is NULL:
        return NULL
    while slots < payment_cards:
        slots *= 2
    walker.mask = <uint32_t> slots - 1
    walker.room = <uint32_t> cards
    walker.max_depth = max_depth
    walker.hand[0].ring = <uint32_t *> malloc(slots * sizeof(uint32_t))
    walker.hand[1].ring = <uint32_t *> malloc(slots * sizeof(uint32_t))
    walker.frames = <Frame *> malloc(<size_t> (max_depth + 1) * sizeof(Frame))
    walker.pile = <uint32_t *> malloc(slots * sizeof(uint32_t))
    walker.snapshot = <uint32_t *> malloc((slots + 4) * sizeof(uint32_t))
    walker.row = <uint8_t *> malloc(2 * cards + 2)
    if (walker.hand[0].ring is NULL or walker.hand[1].ring is NULL or walker.frames is NULL
            or walker.pile is NULL or walker.snapshot is NULL or walker.row is NULL):
        close_walker(walker)
        return NULL
    return walker


cdef void close_walker(Walker *walker) noexcept nogil:
    """Give the room back."""
    if walker is NULL:
        return
    free(walker.hand[0].ring)
    free(walker.hand[1].ring)
    free(walker.frames)
    free(walker.pile)
    free(walker.snapshot)
    free(walker.row)
    free(walker)


# ---- a state in its hands ----

cdef void set_hand(const Walker *walker, Hand *hand, const uint8_t *cards, size_t count) noexcept nogil:
    cdef size_t i
    cdef uint8_t card
    hand.head = hand.count = hand.lead = 0
    hand.size = <uint32_t> count
    for i in range(count):
        card = cards[i]
        if card:
            hand.ring[hand.count] = card
            hand.count += 1
        elif hand.count:
            hand.ring[hand.count - 1] += 1 << PENALTY_BITS
        else:
            hand.lead += 1


cdef void set_state(
    Walker *walker, const uint8_t *leader_hand, size_t leader_count, const uint8_t *other_hand, size_t other_count,
) noexcept nogil:
    """Take a state: card codes 0 to 4, top card first; both hands have cards."""
    walker.leader = 0
    set_hand(walker, &walker.hand[0], leader_hand, leader_count)
    set_hand(walker, &walker.hand[1], other_hand, other_count)


cdef uint8_t *write_hand(const Walker *walker, const Hand *hand, uint8_t *row) noexcept nogil:
    cdef uint32_t i, token
    memset(row, 0, hand.size)
    row += hand.lead
    for i in range(hand.count):
        token = hand.ring[(hand.head + i) & walker.mask]
        row[0] = token & PENALTY
        row += 1 + (token >> PENALTY_BITS)
    return row


cdef void write_row(const Walker *walker, uint8_t *row) noexcept nogil:
    """Write the state as card codes: the leader's hand, then the other hand."""
    row = write_hand(walker, &walker.hand[walker.leader], row)
    write_hand(walker, &walker.hand[walker.leader ^ 1], row)


# ---- forward: one trick ----

cdef inline void put_under(Walker *walker, Hand *hand, uint32_t numbers) noexcept nogil:
    if hand.count:
        hand.ring[(hand.head + hand.count - 1) & walker.mask] += numbers << PENALTY_BITS
    else:
        hand.lead += numbers


cdef uint32_t play_trick(Walker *walker) noexcept nogil:
    """Play one trick and return its cards, or 0 if the game ended; then no state is left in the walker."""
    cdef Hand *leads = &walker.hand[walker.leader]
    cdef Hand *follows = &walker.hand[walker.leader ^ 1]
    cdef uint32_t layer = walker.leader
    cdef uint32_t laid_in_turn, first, second, cards, penalty, gap, i
    cdef uint32_t laid = 0
    cdef Hand *owner
    cdef Hand *payer
    # Number cards are laid in turn until a payment card shows, or somebody has none left to show.
    if leads.lead <= follows.lead:
        first = second = leads.lead
    else:
        first = follows.lead + 1
        second = follows.lead
        layer ^= 1
    laid_in_turn = cards = first + second
    leads.lead -= first
    leads.size -= first
    follows.lead -= second
    follows.size -= second
    while True:
        owner = &walker.hand[layer]
        payer = &walker.hand[layer ^ 1]
        if owner.count == 0:
            return 0
        penalty = owner.ring[owner.head & walker.mask]
        owner.head += 1
        owner.count -= 1
        owner.size -= 1
        owner.lead = penalty >> PENALTY_BITS
        penalty &= PENALTY
        gap = min(payer.lead, penalty)
        payer.lead -= gap
        payer.size -= gap
        walker.pile[laid] = gap << PENALTY_BITS | penalty
        laid += 1
        cards += gap + 1
        if gap == penalty:
            break
        layer ^= 1
    if payer.size == 0:
        return 0
    put_under(walker, owner, laid_in_turn)
    for i in range(laid):
        owner.ring[(owner.head + owner.count) & walker.mask] = walker.pile[i]
        owner.count += 1
    owner.size += cards
    walker.leader = layer
    return cards
