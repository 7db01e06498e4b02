"""The exact simulator for other compiled modules: a workspace made once, then any number of games."""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t

from camicia.watch cimport Watch


cdef struct Outcome:
    uint8_t status          # 0 finished, 1 loop
    uint8_t winner          # 0 A, 1 B, 255 none
    int64_t cards
    int64_t tricks
    int64_t transient_cards
    int64_t transient_tricks
    int64_t cycle_cards
    int64_t cycle_tricks


cdef struct Table:
    uint8_t *ring[2]
    uint32_t head[2]
    uint32_t tail[2]
    uint32_t mask
    uint32_t leader
    int64_t cards
    int64_t tricks


cdef struct Signature:
    uint32_t leader
    uint32_t count_a
    uint32_t in_hand_a
    uint32_t payment_cards
    uint16_t *place
    uint8_t *code


cdef struct Workspace:
    Table table
    Table hare
    Signature signature
    Watch *watch            # looked at in long games, and between short ones
    int64_t unwatched       # cards played since


cdef Workspace *open_workspace(size_t cards, Watch *watch) noexcept nogil
cdef void close_workspace(Workspace *workspace) noexcept nogil
cdef int play(
    Workspace *workspace, const uint8_t *hand_a, size_t count_a, const uint8_t *hand_b, size_t count_b,
    Outcome *outcome,
) except -1 nogil
