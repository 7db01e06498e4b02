"""War compiled: fixed-size uint8 rings, a trick at a time, loops found in constant memory.

In every trick both players lay equally many cards, so the two hands, each a ring, share one place of their
top cards, and a state is that place and the size of hand A. The rings have room for twice all cards: what
was laid stays readable in front of the hands until the trick is collected, however long the wars in it.

Loops are found by Brent's method, which games that end early never pay for: from `FIRST_CHECK` tricks on, one
earlier state is kept, replaced at every power of two, and looked at whenever hand A has as many cards as then.
When it returns, the time between is the cycle; a replay with two tables one cycle apart finds where it begins.

R. P. Brent, "An improved Monte Carlo factorization algorithm", BIT 20 (1980), section 3.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

import numpy as np

cdef enum:
    #: Slots of the smallest ring: room for the standard deck, twice.
    SMALLEST_RING = 128

    #: Tricks before a state is first kept; a power of two. Half of the games are over by then. From 64 to 1024
    #: it makes no difference that can be measured.
    FIRST_CHECK = 256

    #: Cards that a war costs each player.
    WAR_COST = 4

    #: The bits of a card's code that are its value.
    VALUE_BITS = 15

    FINISHED = 0
    LOOP = 1
    NOBODY = 255

#: One row of what `simulate_war_many` returns.
ROW = np.dtype(
    [
        ("status", "u1"), ("winner", "u1"), ("tricks", "i8"), ("cards", "i8"),
        ("transient_tricks", "i8"), ("cycle_tricks", "i8"),
    ],
    align=True,
)

cdef struct Row:
    uint8_t status
    uint8_t winner
    int64_t tricks
    int64_t cards
    int64_t transient_tricks
    int64_t cycle_tricks

cdef struct Table:
    # The hands: the card i from the top lies at (head + i) & mask of the player's ring. B's ring lies right
    # behind A's.
    uint8_t *ring_a
    uint8_t *ring_b
    uint32_t mask
    uint32_t head
    uint32_t count_a
    uint32_t total
    int64_t tricks

cdef struct Workspace:
    Table table
    Table hare
    # The state that Brent's method keeps: hand A, then hand B.
    uint8_t *kept
    uint32_t kept_count_a
    bint winner_first


cdef Workspace *open_workspace(size_t cards, bint winner_first) noexcept nogil:
    """Room for games of up to `cards` cards, to be freed by `free`; NULL if there is no memory."""
    cdef size_t slots = SMALLEST_RING
    while slots < 2 * cards:
        slots *= 2
    cdef uint8_t *block = <uint8_t *> calloc(1, sizeof(Workspace) + 5 * slots)
    if block is NULL:
        return NULL
    cdef Workspace *workspace = <Workspace *> block
    cdef uint8_t *rings = block + sizeof(Workspace)
    workspace.table.ring_a = rings
    workspace.table.ring_b = rings + slots
    workspace.hare.ring_a = rings + 2 * slots
    workspace.hare.ring_b = rings + 3 * slots
    workspace.table.mask = workspace.hare.mask = <uint32_t> slots - 1
    workspace.kept = rings + 4 * slots
    workspace.winner_first = winner_first
    return workspace


cdef void deal_out(Table *table, const uint8_t *cards, size_t count_a, size_t total, Py_ssize_t stride) noexcept nogil:
    """Put both hands into their rings, as values. The cards are hand A then hand B, `stride` bytes apart."""
    cdef size_t i
    for i in range(count_a):
        table.ring_a[i] = cards[<Py_ssize_t> i * stride] & VALUE_BITS
    for i in range(total - count_a):
        table.ring_b[i] = cards[<Py_ssize_t> (count_a + i) * stride] & VALUE_BITS
    table.head = 0
    table.count_a = <uint32_t> count_a
    table.total = <uint32_t> total
    table.tricks = 0


cdef inline bint is_over(const Table *table) noexcept nogil:
    """Whether one player has nothing."""
    return table.count_a == 0 or table.count_a == table.total


cdef inline bint is_settled(
    const Table *table, uint32_t head, uint32_t count_a, uint32_t *laid, bint *a_wins
) noexcept nogil:
    """Play out the war that begins when the top cards tie. Returns False if somebody cannot pay for it.

    `laid` becomes the number of cards that each player has laid when the tie is broken.
    """
    cdef uint32_t count_b = table.total - count_a
    cdef uint32_t many = 1
    cdef uint8_t card_a, card_b
    while True:
        # A is looked at first: if neither can pay, A loses.
        if count_a - many < WAR_COST:
            a_wins[0] = False
            return False
        if count_b - many < WAR_COST:
            a_wins[0] = True
            return False
        many += WAR_COST
        card_a = table.ring_a[(head + many - 1) & table.mask]
        card_b = table.ring_b[(head + many - 1) & table.mask]
        if card_a != card_b:
            laid[0] = many
            a_wins[0] = card_a > card_b
            return True


cdef inline void collect(
    const Table *table, uint32_t head, uint32_t tail, uint32_t laid, bint a_wins, bint winner_first
) noexcept nogil:
    """Put what was laid, `laid` cards of each player from `head` on, under the winner's hand, which ends at `tail`."""
    cdef uint32_t mask = table.mask
    cdef uint8_t *own = table.ring_a if a_wins else table.ring_b
    cdef uint8_t *other = table.ring_b if a_wins else table.ring_a
    cdef uint32_t i
    if winner_first:
        for i in range(laid):
            own[(tail + i) & mask] = own[(head + i) & mask]
            own[(tail + laid + i) & mask] = other[(head + i) & mask]
    else:
        for i in range(laid):
            own[(tail + 2 * i) & mask] = table.ring_a[(head + i) & mask]
            own[(tail + 2 * i + 1) & mask] = table.ring_b[(head + i) & mask]


cdef inline void play_tricks(Table *table, int64_t until, uint32_t watched, bint winner_first) noexcept nogil:
    """Play until the game is over, or `until` tricks were played, or hand A has `watched` cards; at least one trick."""
    # What changes with every trick stays in registers, which a write to a ring would otherwise forbid.
    cdef uint8_t *ring_a = table.ring_a
    cdef uint8_t *ring_b = table.ring_b
    cdef uint32_t mask = table.mask
    cdef uint32_t head = table.head
    cdef uint32_t total = table.total
    cdef uint32_t count_a = table.count_a
    cdef int64_t tricks = table.tricks
    cdef uint8_t card_a, card_b
    cdef uint8_t *own
    cdef uint32_t slots = mask + 1
    cdef uint32_t swapping = -<uint32_t> winner_first
    cdef uint32_t laid, tail, b_wins, swap
    cdef bint a_wins
    while True:
        card_a = ring_a[head & mask]
        card_b = ring_b[head & mask]
        tricks += 1
        if card_a != card_b:
            # Who wins is as good as random, and a branch on it would be guessed wrong half the time. So there
            # is none: `b_wins` has all bits set or none, and chooses ring, order and size by arithmetic.
            b_wins = -<uint32_t> (card_a < card_b)
            own = ring_a + (b_wins & slots)
            swap = (card_a ^ card_b) & b_wins & swapping
            tail = head + (count_a ^ ((count_a ^ (total - count_a)) & b_wins))
            own[tail & mask] = card_a ^ <uint8_t> swap
            own[(tail + 1) & mask] = card_b ^ <uint8_t> swap
            head += 1
            count_a += 1 + 2 * b_wins
        elif is_settled(table, head, count_a, &laid, &a_wins):
            tail = head + (count_a if a_wins else total - count_a)
            collect(table, head, tail, laid, a_wins, winner_first)
            head += laid
            count_a = count_a + laid if a_wins else count_a - laid
        else:
            count_a = total if a_wins else 0
        if count_a == 0 or count_a == total or tricks == until or count_a == watched:
            break
    table.head = head
    table.count_a = count_a
    table.tricks = tricks


cdef void keep(Workspace *workspace) noexcept nogil:
    """Keep the present state."""
    cdef Table *table = &workspace.table
    cdef uint32_t i
    for i in range(table.count_a):
        workspace.kept[i] = table.ring_a[(table.head + i) & table.mask]
    for i in range(table.total - table.count_a):
        workspace.kept[table.count_a + i] = table.ring_b[(table.head + i) & table.mask]
    workspace.kept_count_a = table.count_a


cdef bint returned(const Workspace *workspace) noexcept nogil:
    """Whether the present state is the one that was kept."""
    cdef const Table *table = &workspace.table
    cdef uint32_t i
    if table.count_a != workspace.kept_count_a:
        return False
    for i in range(table.count_a):
        if workspace.kept[i] != table.ring_a[(table.head + i) & table.mask]:
            return False
    for i in range(table.total - table.count_a):
        if workspace.kept[table.count_a + i] != table.ring_b[(table.head + i) & table.mask]:
            return False
    return True


cdef bint same_state(const Table *one, const Table *other) noexcept nogil:
    """Whether two tables are in the same state."""
    cdef uint32_t i
    if one.count_a != other.count_a:
        return False
    for i in range(one.count_a):
        if one.ring_a[(one.head + i) & one.mask] != other.ring_a[(other.head + i) & other.mask]:
            return False
    for i in range(one.total - one.count_a):
        if one.ring_b[(one.head + i) & one.mask] != other.ring_b[(other.head + i) & other.mask]:
            return False
    return True


cdef void measure_loop(
    Workspace *workspace, const uint8_t *cards, size_t count_a, size_t total, Py_ssize_t stride, int64_t cycle, Row *row
) noexcept nogil:
    """Replay a game whose cycle is known in length, and find where the cycle begins."""
    cdef Table *tortoise = &workspace.table
    cdef Table *hare = &workspace.hare
    deal_out(tortoise, cards, count_a, total, stride)
    deal_out(hare, cards, count_a, total, stride)
    # No hand that goes on has as many cards as there are, or none: 0 is never watched for.
    play_tricks(hare, cycle, 0, workspace.winner_first)
    while not same_state(tortoise, hare):
        play_tricks(tortoise, tortoise.tricks + 1, 0, workspace.winner_first)
        play_tricks(hare, hare.tricks + 1, 0, workspace.winner_first)
    row.status = LOOP
    row.winner = NOBODY
    row.tricks = hare.tricks
    row.cards = hare.count_a
    row.transient_tricks = tortoise.tricks
    row.cycle_tricks = cycle


cdef void play(
    Workspace *workspace, const uint8_t *cards, size_t count_a, size_t total, Py_ssize_t stride, Row *row
) noexcept nogil:
    """Play one deal exactly: `count_a` cards of hand A, then hand B, `stride` bytes apart."""
    cdef Table *table = &workspace.table
    cdef int64_t next_check = FIRST_CHECK
    cdef int64_t kept = 0
    memset(row, 0, sizeof(Row))
    deal_out(table, cards, count_a, total, stride)
    if not is_over(table):
        play_tricks(table, FIRST_CHECK, 0, workspace.winner_first)
    while not is_over(table):
        if kept and returned(workspace):
            measure_loop(workspace, cards, count_a, total, stride, table.tricks - kept, row)
            return
        if table.tricks == next_check:
            keep(workspace)
            kept = next_check
            next_check *= 2
        play_tricks(table, next_check, workspace.kept_count_a, workspace.winner_first)
    row.status = FINISHED
    row.winner = table.count_a == 0
    row.tricks = table.tricks
    row.cards = <int64_t> total


def play_war_rows(const uint8_t[:, :] deals, size_t cut, bint winner_first, rows):
    """Play every row of an array of card codes exactly, without the GIL.

    Parameters
    ----------
    deals : uint8 array, shape (n, cards)
        Card codes, hand A followed by hand B, of any strides; taken as valid.
    cut : int
        Cards that hand A gets.
    winner_first : bool
        Whether a trick's winner collects their own cards before the other player's.
    rows : array of dtype `ROW`, shape (n,)
        Where the results go; C-contiguous.

    Raises
    ------
    MemoryError
        If there is no room for the rings.

    Examples
    --------
    >>> import numpy as np
    >>> from camicia.guests.war_kernel import ROW, play_war_rows
    >>> rows = np.empty(1, ROW)
    >>> play_war_rows(np.array([[3, 4, 5]], np.uint8), 2, False, rows)
    >>> rows[0].item()
    (0, 1, 4, 3, 0, 0)
    """
    cdef Py_ssize_t count = deals.shape[0]
    cdef size_t size = deals.shape[1]
    cdef Workspace *workspace
    cdef uint8_t[::1] room
    cdef Row *row
    cdef Py_ssize_t i
    if rows.dtype != ROW or rows.shape != (count,):
        raise ValueError(f"rows of dtype {rows.dtype} and shape {rows.shape}: expected {ROW} and ({count},)")
    if count == 0:
        return
    room = rows.view(np.uint8)
    row = <Row *> &room[0]
    workspace = open_workspace(size, winner_first)
    if workspace is NULL:
        raise MemoryError(f"no memory for a game of {size:,} cards")
    with nogil:
        for i in range(count):
            play(workspace, &deals[i, 0], cut, size, deals.strides[1], &row[i])
        free(workspace)
