"""States for other compiled modules: a walker made once, then any number of states and tricks."""

from libc.stdint cimport int64_t, uint8_t, uint32_t

from camicia.watch cimport Watch


#: A token keeps the penalty in its lowest three bits, the number cards after the card above them.
cdef enum:
    PENALTY_BITS = 3
    PENALTY = 7


cdef struct Hand:
    uint32_t *ring          # payment cards from the top: number cards after it << 3 | penalty
    uint32_t head
    uint32_t count          # payment cards
    uint32_t lead           # number cards before the first payment card
    uint32_t size           # cards


cdef struct Frame:
    int64_t cards           # from this state to the end of the game
    uint32_t leader         # who leads in this state and collected the pile now lifted
    uint32_t layer          # who laid the topmost payment card lifted so far
    uint32_t tokens         # payment cards the leader held before lifting
    uint32_t lifted
    uint32_t pile           # cards lifted
    uint32_t above          # number cards that stand above them
    uint32_t led_by_other   # number cards before the next child worth entering that the other player led,
    uint32_t led_by_leader  # and before the only such child that this leader led
    uint32_t numbers        # number cards before the child now entered


cdef struct Walker:
    Hand hand[2]
    uint32_t leader
    uint32_t mask
    uint32_t room           # cards a state may have
    int64_t max_depth
    Frame *frames
    uint32_t *pile
    uint32_t *snapshot
    uint8_t *row
    Watch *watch            # looked at in long walks and games; NULL unless the caller has set it


cdef Walker *open_walker(size_t cards, size_t payment_cards, int64_t max_depth) noexcept nogil
cdef void close_walker(Walker *walker) noexcept nogil
cdef void set_state(
    Walker *walker, const uint8_t *leader_hand, size_t leader_count, const uint8_t *other_hand, size_t other_count,
) noexcept nogil
cdef void write_row(const Walker *walker, uint8_t *row) noexcept nogil
cdef uint32_t play_trick(Walker *walker) noexcept nogil


cdef inline uint32_t bottom(const Walker *walker, const Hand *hand) noexcept nogil:
    return hand.ring[(hand.head + hand.count - 1) & walker.mask]


cdef inline bint has_predecessors(const Walker *walker, const Hand *hand) noexcept nogil:
    """Whether a leader with this hand can have collected: it ends in a payment card paid in full."""
    cdef uint32_t token
    if hand.count == 0:
        return False
    token = bottom(walker, hand)
    return token >> PENALTY_BITS == token & PENALTY
