# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The walk back through all ancestors of a state.

A hand is its payment cards from the top, each a token with the number cards that follow it, and a *lead*,
the number cards before the first. The leader of a state has just collected, so the pile of the trick
before is the bottom of the leader's hand. To take a trick back is to *lift* payment cards from that
bottom, one by one, and put each on top of the hand of whoever laid it: the last one is the leader's own,
and each further up was laid by the other player than the one below. After each lift, the number cards now
at the bottom may have opened the trick, laid in turn: none of them, one, two, and so on. So a lift and a
number j are a predecessor, and lifting more of the same pile goes on to the next: nothing is copied,
everything is taken back on the way down.

Most states have no predecessors, because the leader's hand does not end in a payment card paid in full.
Which values of j lead to one that has is known without trying them: all of one parity or none where the
other player led, and at most one where the leader led. The same goes for equal hands. So the states of
one lift are counted together, and only those from which the walk goes on, or which are balanced, are
looked at.
"""

from libc.stdint cimport UINT32_MAX, int64_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from camicia.longest cimport keep, may_keep
from camicia.watch cimport look

#: A token keeps the penalty in its lowest three bits, the number cards after the card above them.
cdef enum:
    PENALTY_BITS = 3
    PENALTY = 7

#: Steps of a walk between two looks at the watch, some milliseconds; a power of two.
cdef enum:
    LOOK = 1 << 16

#: No child left to enter; larger than any number of cards.
cdef uint32_t NONE = UINT32_MAX

#: No trick to avoid: every trick that leads to a state has at least two cards.
cdef enum:
    NOTHING = 0


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

cdef void set_hand(
    const Walker *walker, Hand *hand, const uint8_t *cards, size_t count, Py_ssize_t stride
) noexcept nogil:
    cdef size_t i
    cdef uint8_t card
    hand.head = hand.count = hand.lead = 0
    hand.size = <uint32_t> count
    for i in range(count):
        card = cards[<Py_ssize_t> i * stride]
        if card:
            hand.ring[hand.count] = card
            hand.count += 1
        elif hand.count:
            hand.ring[hand.count - 1] += 1 << PENALTY_BITS
        else:
            hand.lead += 1


cdef void set_state(
    Walker *walker, const uint8_t *leader_hand, size_t leader_count, const uint8_t *other_hand,
    size_t other_count, Py_ssize_t stride,
) noexcept nogil:
    """Take a state: card codes 0 to 4, top card first, `stride` bytes apart; both hands have cards."""
    walker.leader = 0
    set_hand(walker, &walker.hand[0], leader_hand, leader_count, stride)
    set_hand(walker, &walker.hand[1], other_hand, other_count, stride)


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


cdef inline uint32_t bottom(const Walker *walker, const Hand *hand) noexcept nogil:
    return hand.ring[(hand.head + hand.count - 1) & walker.mask]


cdef bint has_predecessors(const Walker *walker, const Hand *hand) noexcept nogil:
    """Whether a leader with this hand can have collected: it ends in a payment card paid in full."""
    cdef uint32_t token
    if hand.count == 0:
        return False
    token = bottom(walker, hand)
    return token >> PENALTY_BITS == token & PENALTY


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
    cdef uint32_t opening, first, second, cards, penalty, gap, i
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
    opening = cards = first + second
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
    put_under(walker, owner, opening)
    for i in range(laid):
        owner.ring[(owner.head + owner.count) & walker.mask] = walker.pile[i]
        owner.count += 1
    owner.size += cards
    walker.leader = layer
    return cards


# ---- backward: one payment card at a time ----

cdef inline void lift(Walker *walker, uint32_t leader, uint32_t layer) noexcept nogil:
    """Move the leader's last payment card on top of `layer`'s hand, its number cards on the other's."""
    cdef Hand *collector = &walker.hand[leader]
    cdef Hand *owner = &walker.hand[layer]
    cdef Hand *payer = &walker.hand[layer ^ 1]
    cdef uint32_t token = bottom(walker, collector)
    cdef uint32_t gap = token >> PENALTY_BITS
    collector.count -= 1
    collector.size -= gap + 1
    payer.lead += gap
    payer.size += gap
    owner.head -= 1
    owner.count += 1
    owner.size += 1
    owner.ring[owner.head & walker.mask] = owner.lead << PENALTY_BITS | (token & PENALTY)
    owner.lead = 0


cdef inline void unlift(Walker *walker, uint32_t leader, uint32_t layer, bint first) noexcept nogil:
    """Undo the last `lift`, which was the first of its pile or not."""
    cdef Hand *collector = &walker.hand[leader]
    cdef Hand *owner = &walker.hand[layer]
    cdef Hand *payer = &walker.hand[layer ^ 1]
    cdef uint32_t token = owner.ring[owner.head & walker.mask]
    cdef uint32_t penalty = token & PENALTY
    # The first card lifted was paid in full; those who paid for another laid a payment card after it, so
    # that its number cards are all they have on top.
    cdef uint32_t gap = penalty if first else payer.lead
    owner.head += 1
    owner.count -= 1
    owner.size -= 1
    owner.lead = token >> PENALTY_BITS
    payer.lead -= gap
    payer.size -= gap
    collector.ring[(collector.head + collector.count) & walker.mask] = gap << PENALTY_BITS | penalty
    collector.count += 1
    collector.size += gap + 1


cdef void take_opening(Walker *walker, const Frame *frame, uint32_t numbers) noexcept nogil:
    """Deal the number cards that opened the trick back to both hands; who laid the first leads."""
    cdef Hand *collector = &walker.hand[frame.leader]
    cdef Hand *owner = &walker.hand[frame.layer]
    cdef Hand *payer = &walker.hand[frame.layer ^ 1]
    # The collector holds a token: the first card lifted went on top of this very hand.
    collector.ring[(collector.head + collector.count - 1) & walker.mask] -= numbers << PENALTY_BITS
    collector.size -= numbers
    owner.lead += numbers >> 1
    owner.size += numbers >> 1
    payer.lead += (numbers + 1) >> 1
    payer.size += (numbers + 1) >> 1
    walker.leader = frame.layer ^ (numbers & 1)


cdef void return_opening(Walker *walker, const Frame *frame, uint32_t numbers) noexcept nogil:
    """Undo `take_opening`."""
    cdef Hand *collector = &walker.hand[frame.leader]
    cdef Hand *owner = &walker.hand[frame.layer]
    cdef Hand *payer = &walker.hand[frame.layer ^ 1]
    owner.lead -= numbers >> 1
    owner.size -= numbers >> 1
    payer.lead -= (numbers + 1) >> 1
    payer.size -= (numbers + 1) >> 1
    collector.ring[(collector.head + collector.count - 1) & walker.mask] += numbers << PENALTY_BITS
    collector.size += numbers
    walker.leader = frame.leader


cdef void open_frame(Walker *walker, Frame *frame, int64_t cards) noexcept nogil:
    """Begin to take back the trick before the walker's state, which has predecessors."""
    frame.cards = cards
    frame.leader = walker.leader
    frame.layer = walker.leader ^ 1
    frame.tokens = walker.hand[walker.leader].count
    frame.lifted = 0
    frame.pile = 0
    frame.led_by_other = frame.led_by_leader = NONE


cdef bint next_lift(Walker *walker, Frame *frame) noexcept nogil:
    """Lift one card more, if it belongs to the same pile, and see which children have predecessors."""
    cdef Hand *collector = &walker.hand[frame.leader]
    cdef uint32_t token = bottom(walker, collector)
    cdef uint32_t gap = token >> PENALTY_BITS
    cdef uint32_t parity
    # A card paid in full ends its own trick, so it cannot stand inside a pile; the first one must be.
    if frame.lifted and (frame.lifted == frame.tokens or gap >= token & PENALTY):
        return False
    frame.layer ^= 1
    lift(walker, frame.leader, frame.layer)
    frame.lifted += 1
    frame.pile += gap + 1
    token = bottom(walker, collector)
    frame.above = token >> PENALTY_BITS
    # Who laid the topmost payment card led if an even number of number cards came before it.
    parity = frame.layer ^ frame.leader
    frame.led_by_other = NONE
    if has_predecessors(walker, &walker.hand[frame.leader ^ 1]):
        frame.led_by_other = parity ^ 1
    frame.led_by_leader = NONE
    if frame.above >= token & PENALTY and ((frame.above - (token & PENALTY)) & 1) == parity:
        frame.led_by_leader = frame.above - (token & PENALTY)
    return True


cdef inline void undo_lifts(Walker *walker, Frame *frame) noexcept nogil:
    """Put the whole pile back under the leader's hand."""
    while frame.lifted:
        unlift(walker, frame.leader, frame.layer, frame.lifted == 1)
        frame.lifted -= 1
        frame.layer ^= 1
    walker.leader = frame.leader


cdef inline uint32_t next_child(Frame *frame) noexcept nogil:
    """Number cards before the next child that has predecessors itself, or NONE."""
    cdef uint32_t numbers = NONE
    if frame.led_by_other <= frame.above:
        numbers = frame.led_by_other
        frame.led_by_other += 2
    elif frame.led_by_leader <= frame.above:
        numbers = frame.led_by_leader
        frame.led_by_leader = NONE
    return numbers


# ---- the walk ----

cdef inline void offer(
    Walker *walker, Tree *tree, const Frame *frame, uint32_t numbers, int64_t cards, int64_t tricks
) noexcept nogil:
    """Count a balanced state, and keep it if it is among the best; `frame` is NULL for the root itself."""
    cdef size_t size = walker.hand[0].size + walker.hand[1].size
    tree.balanced += 1
    if not may_keep(&tree.cards, cards, tricks) and not may_keep(&tree.tricks, cards, tricks):
        return
    if frame is not NULL:
        take_opening(walker, frame, numbers)
    write_row(walker, walker.row)
    if frame is not NULL:
        return_opening(walker, frame, numbers)
    keep(&tree.cards, size, walker.row, cards, tricks)
    keep(&tree.tricks, size, walker.row, cards, tricks)


cdef inline bint count_children(
    Walker *walker, Tree *tree, const Frame *frame, int64_t depth, int64_t tricks, uint32_t avoid
) noexcept nogil:
    """Count the children of the last lift, and find the balanced ones; False if there are too many."""
    cdef int64_t other_size = walker.hand[frame.leader ^ 1].size
    cdef int64_t size = other_size + walker.hand[frame.leader].size
    cdef int64_t children = <int64_t> frame.above + 1
    cdef uint32_t parity = frame.layer ^ frame.leader
    cdef int64_t numbers, avoided
    avoided = <int64_t> avoid - frame.pile
    if avoided < 0 or avoided > frame.above:
        avoided = -1
    else:
        children -= 1
    if tree.states + children > tree.max_states:
        return False
    tree.states += children
    tree.deepest = max(tree.deepest, depth)
    if tree.depths is not NULL:
        tree.depths[depth] += children
    # Balanced where the other player led, and has the cut; then where the leader led and the other has the
    # rest. Each laid half of the opening, and who led one more if the number of its cards is odd.
    numbers = 2 * (tree.cut - other_size) - (1 if parity == 0 else 0)
    if 0 <= numbers <= frame.above and numbers != avoided:
        offer(walker, tree, frame, <uint32_t> numbers, frame.cards + frame.pile + numbers, tricks)
    numbers = 2 * (size - tree.cut - other_size) + (0 if parity == 0 else 1)
    if 0 <= numbers <= frame.above and numbers != avoided:
        offer(walker, tree, frame, <uint32_t> numbers, frame.cards + frame.pile + numbers, tricks)
    return True


cdef int walk(Walker *walker, Tree *tree, int64_t cards, int64_t tricks, uint32_t avoid) except -1 nogil:
    """Visit all ancestors of the walker's state, depth first, and add what is found to the tree.

    `cards` and `tricks` are those from this state to the end of its game. A predecessor of this state whose
    trick has `avoid` cards is left out, with all that is above it; 0 leaves nothing out. A walk that would
    count more than `max_states`, or go deeper than the walker's `max_depth`, sets `truncated`. Raises what the
    walker's watch raises; the walker then holds no state.
    """
    cdef Frame *frame = walker.frames
    cdef int64_t depth = 0
    cdef uint32_t numbers
    cdef uint32_t steps = 0
    if tree.states >= tree.max_states:
        tree.truncated = True
        return 0
    tree.states += 1
    if tree.depths is not NULL:
        tree.depths[0] += 1
    if walker.hand[walker.leader].size == tree.cut:
        offer(walker, tree, NULL, 0, cards, tricks)
    if not has_predecessors(walker, &walker.hand[walker.leader]):
        return 0
    if walker.max_depth == 0:
        tree.truncated = True
        return 0
    open_frame(walker, frame, cards)
    while True:
        steps += 1
        if steps % LOOK == 0 and walker.watch is not NULL:
            look(walker.watch)
        numbers = next_child(frame)
        if numbers != NONE:
            if depth == 0 and frame.pile + numbers == avoid:
                continue
            if depth + 2 > walker.max_depth:
                tree.truncated = True
                continue
            frame.numbers = numbers
            take_opening(walker, frame, numbers)
            depth += 1
            open_frame(walker, frame + 1, frame.cards + frame.pile + numbers)
            frame += 1
        elif next_lift(walker, frame):
            if not count_children(
                walker, tree, frame, depth + 1, tricks + depth + 1, avoid if depth == 0 else NOTHING
            ):
                tree.truncated = True
                return 0
        else:
            undo_lifts(walker, frame)
            if depth == 0:
                return 0
            depth -= 1
            frame -= 1
            return_opening(walker, frame, frame.numbers)
