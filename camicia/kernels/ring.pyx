"""The exact simulator: fixed-size uint8 ring buffers, one card at a time, loops found in constant memory.

A hand is a ring of card codes, 64 slots for up to 64 cards and the next power of two for more, so no
hand ever fills its ring past the brim. The pile is written behind both tails as it grows: to collect is
one addition, and the loser's copy is overwritten by the next pile.

Games that finish pay nothing for loop detection: it starts only after `FIRST_CHECK` tricks, which one
52-card game in a hundred reaches. Then Brent's method keeps one earlier state, replaced at every power
of two, as a signature: leader, size of hand A, and the payment cards with their places. Payment cards
are all on the table of a state, so equal places of them mean equal hands. When the state returns, the
time between is the cycle; a replay with two tables one cycle apart finds where it begins.

R. P. Brent, "An improved Monte Carlo factorization algorithm", BIT 20 (1980), section 3.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from camicia.watch cimport Watch, look, watch_for

#: Slots of the smallest ring: every deck of the field fits, and both hands lie in two cache lines.
cdef enum:
    SMALLEST_RING = 64

#: Tricks before a state is first remembered; a power of two. The halving law of 20 tricks says that a
#: 52-card game gets here once in eighty, and a loop costs at most four times this or its own length.
cdef enum:
    FIRST_CHECK = 128

#: Cards between two looks at the watch, some milliseconds.
cdef enum:
    LOOK = 1 << 20

cdef enum:
    FINISHED = 0
    LOOP = 1
    NOBODY = 255


cdef Workspace *open_workspace(size_t cards, Watch *watch) noexcept nogil:
    """Room for games of up to `cards` cards, to be closed by `close_workspace`; NULL if there is no memory."""
    cdef size_t slots = SMALLEST_RING
    while slots < cards:
        slots *= 2
    # One block: the struct, four rings, then the signature's places and codes.
    cdef uint8_t *block = <uint8_t *> calloc(1, sizeof(Workspace) + 4 * slots + slots * (sizeof(uint16_t) + 1))
    if block is NULL:
        return NULL
    cdef Workspace *workspace = <Workspace *> block
    cdef uint8_t *rings = block + sizeof(Workspace)
    cdef uint32_t i
    workspace.watch = watch
    for i in range(2):
        workspace.table.ring[i] = rings + i * slots
        workspace.hare.ring[i] = rings + (2 + i) * slots
    workspace.table.mask = workspace.hare.mask = <uint32_t> slots - 1
    workspace.signature.place = <uint16_t *> (rings + 4 * slots)
    workspace.signature.code = rings + 4 * slots + slots * sizeof(uint16_t)
    return workspace


cdef void close_workspace(Workspace *workspace) noexcept nogil:
    """Give the room back."""
    free(workspace)


cdef inline void deal_out(
    Table *table, const uint8_t *hand_a, size_t count_a, const uint8_t *hand_b, size_t count_b,
) noexcept nogil:
    """Put both hands into their rings, A to lead."""
    memcpy(table.ring[0], hand_a, count_a)
    memcpy(table.ring[1], hand_b, count_b)
    table.head[0] = table.head[1] = 0
    table.tail[0] = <uint32_t> count_a
    table.tail[1] = <uint32_t> count_b
    table.leader = 0
    table.cards = 0
    table.tricks = 0


cdef inline bint play_trick(Table *table) noexcept nogil:
    """Play one trick; the winner leads. Returns whether the game goes on."""
    # Whose turn it is is kept in which variables hold which hand: to pass the turn is to swap them, and
    # all of them stay in registers.
    cdef uint32_t player = table.leader
    cdef uint32_t mask = table.mask
    cdef uint8_t *ring = table.ring[player]
    cdef uint8_t *other_ring = table.ring[player ^ 1]
    cdef uint32_t head = table.head[player]
    cdef uint32_t other_head = table.head[player ^ 1]
    cdef uint32_t tail = table.tail[player]
    cdef uint32_t other_tail = table.tail[player ^ 1]
    cdef uint32_t pile = 0
    cdef uint32_t owed = 0
    cdef uint8_t card
    while head != tail:
        card = ring[head & mask]
        head += 1
        ring[(tail + pile) & mask] = card
        other_ring[(other_tail + pile) & mask] = card
        pile += 1
        if card:
            owed = card
        elif owed:
            owed -= 1
            if owed:
                continue
            break
        player ^= 1
        ring, other_ring = other_ring, ring
        head, other_head = other_head, head
        tail, other_tail = other_tail, tail
    # Here the player has paid in full or run out of cards: the other collects and leads.
    table.head[player] = head
    table.head[player ^ 1] = other_head
    table.tail[player ^ 1] = other_tail + pile
    table.leader = player ^ 1
    table.cards += pile
    table.tricks += 1
    return head != tail


cdef void remember(const Table *table, Signature *signature) noexcept nogil:
    """Take the signature of a state: leader, size of hand A, payment cards and their places."""
    cdef uint32_t found = 0
    cdef uint32_t hand, place
    cdef uint8_t card
    for hand in range(2):
        for place in range(table.tail[hand] - table.head[hand]):
            card = table.ring[hand][(table.head[hand] + place) & table.mask]
            if card:
                signature.place[found] = <uint16_t> place
                signature.code[found] = card
                found += 1
        if hand == 0:
            signature.in_hand_a = found
    signature.payment_cards = found
    signature.leader = table.leader
    signature.count_a = table.tail[0] - table.head[0]


cdef bint returned(const Table *table, const Signature *signature) noexcept nogil:
    """Whether the state is the one of the signature."""
    cdef uint32_t i, hand
    if table.leader != signature.leader or table.tail[0] - table.head[0] != signature.count_a:
        return False
    for i in range(signature.payment_cards):
        hand = i >= signature.in_hand_a
        if table.ring[hand][(table.head[hand] + signature.place[i]) & table.mask] != signature.code[i]:
            return False
    return True


cdef bint same_state(const Table *one, const Table *other) noexcept nogil:
    """Whether two tables are in the same state."""
    cdef uint32_t hand, place
    cdef uint32_t count = one.tail[0] - one.head[0]
    if one.leader != other.leader or count != other.tail[0] - other.head[0]:
        return False
    for hand in range(2):
        for place in range(one.tail[hand] - one.head[hand]):
            if (one.ring[hand][(one.head[hand] + place) & one.mask]
                    != other.ring[hand][(other.head[hand] + place) & other.mask]):
                return False
    return True


cdef int measure_loop(
    Workspace *workspace, const uint8_t *hand_a, size_t count_a, const uint8_t *hand_b, size_t count_b,
    int64_t cycle_tricks, Outcome *outcome,
) except -1 nogil:
    """Replay a game whose cycle is known in length, and find where the cycle begins."""
    cdef Table *tortoise = &workspace.table
    cdef Table *hare = &workspace.hare
    cdef int64_t next_look = LOOK
    deal_out(tortoise, hand_a, count_a, hand_b, count_b)
    deal_out(hare, hand_a, count_a, hand_b, count_b)
    while hare.tricks < cycle_tricks or not same_state(tortoise, hare):
        if hare.tricks >= cycle_tricks:
            play_trick(tortoise)
        play_trick(hare)
        if hare.cards >= next_look:
            look(workspace.watch)
            next_look = hare.cards + LOOK
    outcome.status = LOOP
    outcome.winner = NOBODY
    outcome.cards = hare.cards
    outcome.tricks = hare.tricks
    outcome.transient_cards = tortoise.cards
    outcome.transient_tricks = tortoise.tricks
    outcome.cycle_cards = hare.cards - tortoise.cards
    outcome.cycle_tricks = cycle_tricks
    return 0


cdef int play(
    Workspace *workspace, const uint8_t *hand_a, size_t count_a, const uint8_t *hand_b, size_t count_b,
    Outcome *outcome,
) except -1 nogil:
    """Play one deal exactly. The hands are card codes 0 to 4, which nobody may change, and fit the workspace."""
    cdef Table *table = &workspace.table
    cdef int64_t next_check = FIRST_CHECK
    cdef int64_t next_look = LOOK
    cdef int64_t remembered = 0
    memset(outcome, 0, sizeof(Outcome))
    if count_a == 0:
        outcome.winner = 1
        return 0
    deal_out(table, hand_a, count_a, hand_b, count_b)
    while play_trick(table):
        if table.tricks < FIRST_CHECK:
            continue
        if remembered and returned(table, &workspace.signature):
            measure_loop(workspace, hand_a, count_a, hand_b, count_b, table.tricks - remembered, outcome)
            return 0
        if table.tricks == next_check:
            remember(table, &workspace.signature)
            remembered = next_check
            next_check *= 2
        if table.cards >= next_look:
            look(workspace.watch)
            next_look = table.cards + LOOK
    outcome.winner = <uint8_t> table.leader
    outcome.cards = table.cards
    outcome.tricks = table.tricks
    workspace.unwatched += table.cards
    if workspace.unwatched >= LOOK:
        workspace.unwatched = 0
        look(workspace.watch)
    return 0


def play_one(bytes hand_a, bytes hand_b):
    """Play one deal exactly.

    Parameters
    ----------
    hand_a, hand_b : bytes
        Card codes 0 to 4, top card first; taken as valid.

    Returns
    -------
    tuple of int
        Status (0 finished, 1 loop), winner (0 A, 1 B, 255 none), cards, tricks, transient cards and tricks,
        cycle cards and tricks; the last four are 0 for a game that finishes.

    Raises
    ------
    MemoryError
        If there is no room for the rings.

    Examples
    --------
    >>> from camicia.kernels.ring import play_one
    >>> play_one(b"\\1\\0\\0", b"\\0\\1\\0")
    (1, 255, 8, 3, 2, 1, 6, 2)
    """
    cdef Outcome outcome
    cdef size_t count_a = len(hand_a)
    cdef size_t count_b = len(hand_b)
    cdef const uint8_t *cards_a = hand_a
    cdef const uint8_t *cards_b = hand_b
    cdef Watch watch = watch_for(None)
    cdef Workspace *workspace = open_workspace(count_a + count_b, &watch)
    if workspace is NULL:
        raise MemoryError(f"no memory for a game of {count_a + count_b:,} cards")
    try:
        with nogil:
            play(workspace, cards_a, count_a, cards_b, count_b, &outcome)
    finally:
        close_workspace(workspace)
    return (
        outcome.status, outcome.winner, outcome.cards, outcome.tricks,
        outcome.transient_cards, outcome.transient_tricks, outcome.cycle_cards, outcome.cycle_tricks,
    )
