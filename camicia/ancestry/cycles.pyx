"""The name of the cycle that a game falls into: the smallest of its states, each seen from its leader."""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memcmp, memcpy

from camicia.ancestry.walker cimport Hand, Walker, play_trick, write_row
from camicia.watch cimport look

#: Tricks between two looks at the watch, some milliseconds.
cdef enum:
    LOOK = 1 << 16


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


cdef int64_t reach_cycle(Walker *walker, Course *course) except -1 nogil:
    """Play the walker's state on to its cycle and return how many states that has; 0 if the game ends.

    Adds what was played: to the end of the game, or to where the cycle was seen. Of a game that ends the
    walker keeps what is left in the hands, of a loop a state of its cycle. Raises what the walker's watch
    raises.
    """
    cdef uint32_t size = walker.hand[0].size + walker.hand[1].size
    cdef int64_t power = 1
    cdef int64_t states = 0
    cdef uint32_t cards
    # Brent: the remembered state is replaced at each power of two, until it lies on the cycle and returns.
    take_snapshot(walker)
    while True:
        cards = play_trick(walker)
        course.tricks += 1
        if cards == 0:
            # Whatever is in neither hand was laid in the last trick.
            course.cards += size - walker.hand[0].size - walker.hand[1].size
            return 0
        course.cards += cards
        states += 1
        if in_snapshot(walker):
            return states
        if states == power:
            take_snapshot(walker)
            power *= 2
            states = 0
        if states % LOOK == LOOK - 1 and walker.watch is not NULL:
            look(walker.watch)


cdef int name_reached(Walker *walker, int64_t states, CycleName *cycle) except -1 nogil:
    """Find the smallest state of the cycle that the walker's state lies on, going through it once.

    Leaves the walker's state as it was, and the row of the smallest one in `walker.row`.
    """
    cdef uint32_t size = walker.hand[0].size + walker.hand[1].size
    cdef uint8_t *row = walker.row + size
    cdef uint32_t start = walker.leader
    cdef uint32_t leads
    cdef int64_t i
    cycle.states = states
    cycle.cards = 0
    cycle.leader_cards = 0
    for i in range(states):
        leads = walker.hand[walker.leader].size
        # Written behind the smallest one so far.
        write_row(walker, row)
        if i == 0 or state_before(row, leads, walker.row, cycle.leader_cards, size):
            memcpy(walker.row, row, size)
            cycle.leader_cards = leads
        cycle.cards += play_trick(walker)
        if i % LOOK == LOOK - 1 and walker.watch is not NULL:
            look(walker.watch)
    cycle.swapped = walker.leader != start
    return 0


cdef int name_cycle(Walker *walker, CycleName *cycle) except -1 nogil:
    """Play the walker's state on to its cycle and find the smallest state there; False if the game ends.

    Leaves a state of the cycle in the walker, and the row of the smallest one in `walker.row`.
    """
    cdef Course course
    cdef int64_t states
    course.cards = course.tricks = 0
    states = reach_cycle(walker, &course)
    if states == 0:
        return False
    name_reached(walker, states, cycle)
    return True
