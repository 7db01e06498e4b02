# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The walk back through all ancestors of a state, and the names of cycles.

A hand is its payment cards from the top, each a token with the number cards that follow it, and a *lead*,
the number cards before the first. The leader of a state has just collected, so the pile of the trick before
is the bottom of the leader's hand. To take a trick back is to *lift* payment cards from that bottom, one by one,
and put each on top of the hand of whoever laid it: the last one is the leader's own, and each further up was
laid by the other player than the one below. After each lift, the number cards now at the bottom may have opened
the trick, laid in turn: none of them, one, two, and so on. So a lift and a number j are a predecessor, and
lifting more of the same pile goes on to the next: nothing is copied, everything is taken back on the way down.

Most states have no predecessors, because the leader's hand does not end in a payment card paid in full. Which
values of j lead to one that has is known without trying them: all of one parity or none where the other player led,
and at most one where the leader led. The same goes for equal hands. So the states of one lift are counted
together, and only those from which the walk goes on, or which are balanced, are looked at.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport UINT32_MAX, int64_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

import numpy as np

#: A token keeps the penalty in its lowest three bits, the number cards after the card above them.
cdef enum:
    PENALTY_BITS = 3
    PENALTY = 7

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


cdef inline bint has_predecessors(const Walker *walker, const Hand *hand) noexcept nogil:
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
    """Take the leader's last payment card to the top of `layer`'s hand, the number cards after it to the other's."""
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


cdef inline void take_opening(Walker *walker, const Frame *frame, uint32_t numbers) noexcept nogil:
    """Deal the number cards that opened the trick back to both hands, and give the lead to who laid the first."""
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


cdef inline void return_opening(Walker *walker, const Frame *frame, uint32_t numbers) noexcept nogil:
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


cdef inline void open_frame(Walker *walker, Frame *frame, int64_t cards) noexcept nogil:
    """Begin to take back the trick before the walker's state, which has predecessors."""
    frame.cards = cards
    frame.leader = walker.leader
    frame.layer = walker.leader ^ 1
    frame.tokens = walker.hand[walker.leader].count
    frame.lifted = 0
    frame.pile = 0
    frame.led_by_other = frame.led_by_leader = NONE


cdef inline bint next_lift(Walker *walker, Frame *frame) noexcept nogil:
    """Lift one payment card more, if it belongs to the same pile, and see which children have predecessors."""
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


# ---- the best deals of a tree ----

cdef bint open_best(Best *best, bint by_tricks, uint32_t capacity, size_t cards) noexcept nogil:
    """Room for the best `capacity` deals of `cards` cards; whether there was memory."""
    best.by_tricks = by_tricks
    best.capacity = capacity
    best.count = 0
    best.entries = <Entry *> malloc(<size_t> capacity * sizeof(Entry) + 1)
    best.rows = <uint8_t *> malloc(<size_t> capacity * cards + 1)
    return best.entries is not NULL and best.rows is not NULL


cdef void close_best(Best *best) noexcept nogil:
    """Give the room back."""
    free(best.entries)
    free(best.rows)


cdef inline bint worse(
    const Best *best, size_t size, const Entry *one, const uint8_t *one_row, const Entry *other
) noexcept nogil:
    """Whether one entry stands behind another: shorter, or as long with the larger rank."""
    cdef int64_t length = one.tricks if best.by_tricks else one.cards
    cdef int64_t other_length = other.tricks if best.by_tricks else other.cards
    if length != other_length:
        return length < other_length
    # Rows of card codes stand in the order of their ranks.
    return memcmp(one_row, best.rows + other.slot * size, size) > 0


cdef inline bint may_keep(const Best *best, int64_t cards, int64_t tricks) noexcept nogil:
    if best.count < best.capacity:
        return True
    if best.capacity == 0:
        return False
    return tricks >= best.entries[0].tricks if best.by_tricks else cards >= best.entries[0].cards


cdef void keep(Best *best, size_t size, const uint8_t *row, int64_t cards, int64_t tricks) noexcept nogil:
    """Keep a deal if it is among the best: a heap with the worst first, which a better one replaces."""
    cdef Entry entry
    cdef uint32_t place, child
    if not may_keep(best, cards, tricks):
        return
    entry.cards = cards
    entry.tricks = tricks
    if best.count < best.capacity:
        place = entry.slot = best.count
        best.count += 1
        while place and worse(best, size, &entry, row, &best.entries[(place - 1) // 2]):
            best.entries[place] = best.entries[(place - 1) // 2]
            place = (place - 1) // 2
    else:
        if worse(best, size, &entry, row, &best.entries[0]):
            return
        entry.slot = best.entries[0].slot
        place = 0
        while True:
            child = 2 * place + 1
            if child >= best.count:
                break
            if child + 1 < best.count and worse(
                best, size, &best.entries[child + 1], best.rows + best.entries[child + 1].slot * size,
                &best.entries[child],
            ):
                child += 1
            if worse(best, size, &entry, row, &best.entries[child]):
                break
            best.entries[place] = best.entries[child]
            place = child
    best.entries[place] = entry
    memcpy(best.rows + entry.slot * size, row, size)


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
    """Count the children of the last lift together, and find the balanced ones; False if there are too many."""
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
    # Balanced where the other player led, and has the cut; then where the leader led and the other has the rest.
    # Each player laid half of the opening, and who led one more if the topmost payment card is not the leader's.
    numbers = 2 * (tree.cut - other_size) - (1 if parity == 0 else 0)
    if 0 <= numbers <= frame.above and numbers != avoided:
        offer(walker, tree, frame, <uint32_t> numbers, frame.cards + frame.pile + numbers, tricks)
    numbers = 2 * (size - tree.cut - other_size) + (0 if parity == 0 else 1)
    if 0 <= numbers <= frame.above and numbers != avoided:
        offer(walker, tree, frame, <uint32_t> numbers, frame.cards + frame.pile + numbers, tricks)
    return True


cdef void walk(Walker *walker, Tree *tree, int64_t cards, int64_t tricks, uint32_t avoid) noexcept nogil:
    """Visit all ancestors of the walker's state, depth first, and add what is found to the tree.

    `cards` and `tricks` are those from this state to the end of its game. A predecessor of this state whose
    trick has `avoid` cards is left out, with all that is above it; 0 leaves nothing out. A walk that would count
    more than `max_states`, or go deeper than the walker's `max_depth`, sets `truncated`.
    """
    cdef Frame *frame = walker.frames
    cdef int64_t depth = 0
    cdef uint32_t numbers
    if tree.states >= tree.max_states:
        tree.truncated = True
        return
    tree.states += 1
    if tree.depths is not NULL:
        tree.depths[0] += 1
    if walker.hand[walker.leader].size == tree.cut:
        offer(walker, tree, NULL, 0, cards, tricks)
    if not has_predecessors(walker, &walker.hand[walker.leader]):
        return
    if walker.max_depth == 0:
        tree.truncated = True
        return
    open_frame(walker, frame, cards)
    while True:
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
                return
        else:
            undo_lifts(walker, frame)
            if depth == 0:
                return
            depth -= 1
            frame -= 1
            return_opening(walker, frame, frame.numbers)


# ---- cycles ----

cdef void take_snapshot(Walker *walker) noexcept nogil:
    cdef uint32_t *snapshot = walker.snapshot
    cdef uint32_t turn, i
    cdef Hand *hand
    for turn in range(2):
        hand = &walker.hand[walker.leader ^ turn]
        snapshot[0] = hand.count
        snapshot[1] = hand.lead
        snapshot += 2
        for i in range(hand.count):
            snapshot[0] = hand.ring[(hand.head + i) & walker.mask]
            snapshot += 1


cdef bint in_snapshot(const Walker *walker) noexcept nogil:
    cdef const uint32_t *snapshot = walker.snapshot
    cdef uint32_t turn, i
    cdef const Hand *hand
    for turn in range(2):
        hand = &walker.hand[walker.leader ^ turn]
        if snapshot[0] != hand.count or snapshot[1] != hand.lead:
            return False
        snapshot += 2
        for i in range(hand.count):
            if snapshot[0] != hand.ring[(hand.head + i) & walker.mask]:
                return False
            snapshot += 1
    return True


cdef bint state_before(
    const uint8_t *one, uint32_t one_leads, const uint8_t *other, uint32_t other_leads, uint32_t size
) noexcept nogil:
    """Whether one state stands before another: by the leader's hand as a word, then by the other hand."""
    cdef int order = memcmp(one, other, min(one_leads, other_leads))
    if order == 0 and one_leads == other_leads:
        order = memcmp(one + one_leads, other + one_leads, size - one_leads)
    return order < 0 or (order == 0 and one_leads < other_leads)


cdef bint name_cycle(Walker *walker, CycleName *cycle) noexcept nogil:
    """Play the walker's state on to its cycle and find the smallest state there; False if the game ends.

    Leaves a state of the cycle in the walker, and the row of the smallest one in `walker.row`.
    """
    cdef uint32_t size = walker.hand[0].size + walker.hand[1].size
    cdef uint8_t *row = walker.row + size
    cdef int64_t power = 1
    cdef int64_t tricks = 0
    cdef int64_t i
    cdef uint32_t start, leads
    # Brent: the remembered state is replaced at each power of two, until it lies on the cycle and returns.
    take_snapshot(walker)
    while True:
        if play_trick(walker) == 0:
            return False
        tricks += 1
        if in_snapshot(walker):
            break
        if tricks == power:
            take_snapshot(walker)
            power *= 2
            tricks = 0
    cycle.states = tricks
    cycle.cards = 0
    cycle.leader_cards = 0
    start = walker.leader
    for i in range(tricks):
        leads = walker.hand[walker.leader].size
        write_row(walker, row)
        if i == 0 or state_before(row, leads, walker.row, cycle.leader_cards, size):
            memcpy(walker.row, row, size)
            cycle.leader_cards = leads
        cycle.cards += play_trick(walker)
    cycle.swapped = walker.leader != start
    return True


# ---- for Python ----

cdef class Room:
    """A walker and a tree that give their memory back."""

    cdef Walker *walker
    cdef Tree tree

    def __cinit__(self, size_t cards, size_t payment_cards, int64_t max_depth=0, uint32_t top=0):
        self.walker = open_walker(cards, payment_cards, max_depth)
        if (self.walker is NULL or not open_best(&self.tree.cards, False, top, cards)
                or not open_best(&self.tree.tricks, True, top, cards)):
            raise MemoryError(f"no memory to walk {max_depth:,} tricks deep and keep {top:,} deals")

    def __dealloc__(self):
        close_walker(self.walker)
        close_best(&self.tree.cards)
        close_best(&self.tree.tricks)

    cdef void put(self, bytes leader, bytes other):
        set_state(
            self.walker, <const uint8_t *> PyBytes_AS_STRING(leader), len(leader),
            <const uint8_t *> PyBytes_AS_STRING(other), len(other), 1,
        )

    cdef tuple state(self):
        cdef uint32_t leads = self.walker.hand[self.walker.leader].size
        cdef uint32_t size = self.walker.hand[0].size + self.walker.hand[1].size
        write_row(self.walker, self.walker.row)
        row = PyBytes_FromStringAndSize(<char *> self.walker.row, size)
        return row[:leads], row[leads:]


cdef Room room_for(bytes leader, bytes other):
    cdef size_t size = len(leader) + len(other)
    room = Room(size, size - leader.count(0) - other.count(0))
    room.put(leader, other)
    return room


def states_before(bytes leader, bytes other):
    """All states one trick earlier, by the cards that the trick played.

    Parameters
    ----------
    leader, other : bytes
        The leader's hand and the other one: card codes 0 to 4, top card first; taken as valid, neither empty.

    Returns
    -------
    list of tuple (leader, other, cards)
        The hands of each state, and the cards played in its trick.

    Examples
    --------
    >>> from camicia.walker import states_before
    >>> states_before(b"\\1\\0\\0\\1\\0", b"\\0")[:2]
    [(b'\\x01\\x01\\x00\\x00', b'\\x00\\x00', 2), (b'\\x00\\x00\\x00', b'\\x01\\x01\\x00', 3)]
    """
    cdef Room room = room_for(leader, other)
    cdef Walker *walker = room.walker
    cdef Frame *frame = walker.frames
    cdef uint32_t numbers
    found = []
    if not has_predecessors(walker, &walker.hand[walker.leader]):
        return found
    open_frame(walker, frame, 0)
    while next_lift(walker, frame):
        for numbers in range(frame.above + 1):
            take_opening(walker, frame, numbers)
            found.append((*room.state(), frame.pile + numbers))
            return_opening(walker, frame, numbers)
    return found


def state_after(bytes leader, bytes other, int64_t tricks):
    """Play a state on for a number of tricks.

    Parameters
    ----------
    leader, other : bytes
        The leader's hand and the other one: card codes 0 to 4, top card first; taken as valid, neither empty.
    tricks : int
        Tricks to play.

    Returns
    -------
    tuple (leader, other, cards) or None
        The hands of the state reached and the cards played; None if the game ends before it.

    Examples
    --------
    >>> from camicia.walker import state_after
    >>> state_after(b"\\1\\0\\0", b"\\0\\1\\0", 1)
    (b'\\x00\\x00\\x01\\x00', b'\\x01\\x00', 2)
    """
    cdef Room room = room_for(leader, other)
    cdef int64_t cards = 0
    cdef int64_t i
    cdef uint32_t played
    for i in range(tricks):
        played = play_trick(room.walker)
        if played == 0:
            return None
        cards += played
    return (*room.state(), cards)


def cycle_of(bytes leader, bytes other):
    """Play a state on to its cycle.

    Parameters
    ----------
    leader, other : bytes
        The leader's hand and the other one: card codes 0 to 4, top card first; taken as valid, neither empty.

    Returns
    -------
    tuple (leader, other, states, cards, swapped) or None
        The smallest state of the cycle; how many different ones it has, seen from their leaders; the cards played
        in going once through them; and whether the players have then changed places. None if the game ends.

    Examples
    --------
    >>> from camicia.walker import cycle_of
    >>> cycle_of(b"\\1\\0\\0", b"\\0\\1\\0")
    (b'\\x00\\x00\\x01\\x00', b'\\x01\\x00', 1, 3, True)
    """
    cdef Room room = room_for(leader, other)
    cdef CycleName cycle
    if not name_cycle(room.walker, &cycle):
        return None
    row = PyBytes_FromStringAndSize(<char *> room.walker.row, len(leader) + len(other))
    return row[:cycle.leader_cards], row[cycle.leader_cards:], cycle.states, cycle.cards, bool(cycle.swapped)


cdef list entries_of(const Best *best, size_t size):
    found = [
        (best.entries[i].cards, best.entries[i].tricks,
         PyBytes_FromStringAndSize(<char *> best.rows + best.entries[i].slot * size, size))
        for i in range(best.count)
    ]
    found.sort(key=lambda entry: (-entry[1 if best.by_tricks else 0], entry[2]))
    return found


def walk_back(list roots, size_t cut, int64_t max_states, int64_t max_depth, uint32_t top):
    """Walk all ancestors of some states of one deck.

    Parameters
    ----------
    roots : list of tuple (leader, other, cards, tricks, avoid)
        For each state its hands, the cards and tricks from there on, and the cards of the trick that is not to
        be taken back (0 for none). At least one; taken as valid, and no root an ancestor of another.
    cut : int
        Cards that the leader of a balanced state has.
    max_states, max_depth : int
        The most states to count, and tricks to go back.
    top : int
        Deals to keep by each length.

    Returns
    -------
    tuple (states, balanced, truncated, depths, by_cards, by_tricks)
        States counted, roots included; balanced ones; whether a limit left some out; an int64 array of the states
        by tricks above their root; and two lists of (cards, tricks, row), best first, ties to the smaller rank.

    Examples
    --------
    >>> from camicia.walker import walk_back
    >>> walk_back([(b"\\1\\0\\1\\0", b"\\0", 3, 1, 0)], 2, 100, 100, 1)[:3]
    (5, 1, False)
    """
    cdef size_t size = len(roots[0][0]) + len(roots[0][1])
    cdef Room room = Room(size, size - roots[0][0].count(0) - roots[0][1].count(0), max_depth, top)
    cdef int64_t[::1] depths = np.zeros(max_depth + 1, np.int64)
    cdef int64_t cards, tricks
    cdef uint32_t avoid
    room.tree.cut = <uint32_t> cut
    room.tree.max_states = max_states
    room.tree.depths = &depths[0]
    for leader, other, cards, tricks, avoid in roots:
        room.put(leader, other)
        with nogil:
            walk(room.walker, &room.tree, cards, tricks, avoid)
    return (
        room.tree.states, room.tree.balanced, bool(room.tree.truncated),
        np.asarray(depths)[: room.tree.deepest + 1].copy(),
        entries_of(&room.tree.cards, size), entries_of(&room.tree.tricks, size),
    )
