"""The walk back through all ancestors of a state.

The leader of a state has just collected, so the pile of the trick
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

from libc.stdint cimport UINT32_MAX, int64_t, uint32_t

from camicia.ancestry.longest cimport keep, may_keep
from camicia.ancestry.walker cimport (
    PENALTY, PENALTY_BITS, Frame, Hand, Walker, bottom, has_predecessors, write_row,
)
from camicia.watch cimport look

#: Steps of a walk between two looks at the watch, some milliseconds; a power of two.
cdef enum:
    LOOK = 1 << 16

#: No child left to enter; larger than any number of cards.
cdef uint32_t NONE = UINT32_MAX

#: No trick to avoid: every trick that leads to a state has at least two cards.
cdef enum:
    NOTHING = 0


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
