"""The yardstick: the simulation everyone writes first, to measure others by. Frozen: never tune it.

Two uint8 ring buffers and a pile, one card a step, cards and tricks counted, no loop detection.
"""

from libc.stdint cimport int64_t, uint8_t

cdef enum:
    SLOTS = 64


cdef struct Hand:
    uint8_t cards[SLOTS]
    int head
    int count


cdef void play(const uint8_t *deal, int count_a, int count_b, int64_t *cards, int64_t *tricks) noexcept nogil:
    cdef Hand hands[2]
    cdef uint8_t pile[SLOTS]
    cdef int piled = 0
    cdef int player = 0
    cdef int penalty = 0
    cdef int i, winner
    cdef uint8_t card
    hands[0].head = hands[1].head = 0
    hands[0].count = count_a
    hands[1].count = count_b
    for i in range(count_a):
        hands[0].cards[i] = deal[i]
    for i in range(count_b):
        hands[1].cards[i] = deal[count_a + i]
    cards[0] = 0
    tricks[0] = 0
    while True:
        winner = -1
        if hands[player].count == 0:
            winner = 1 - player
        else:
            card = hands[player].cards[hands[player].head]
            hands[player].head = (hands[player].head + 1) % SLOTS
            hands[player].count -= 1
            pile[piled] = card
            piled += 1
            cards[0] += 1
            if card > 0:
                penalty = card
                player = 1 - player
            elif penalty > 0:
                penalty -= 1
                if penalty == 0:
                    winner = 1 - player
            else:
                player = 1 - player
        if winner >= 0:
            for i in range(piled):
                hands[winner].cards[(hands[winner].head + hands[winner].count) % SLOTS] = pile[i]
                hands[winner].count += 1
            piled = 0
            penalty = 0
            tricks[0] += 1
            player = winner
            if hands[1 - winner].count == 0:
                return


def play_rows(const uint8_t[:, ::1] deals, int64_t[::1] cards, int64_t[::1] tricks):
    """Play deals that are known to finish, hand A being the first half of each row.

    Parameters
    ----------
    deals : uint8 array, shape (n, cards)
        Card codes 0 to 4, at most 64 cards a deal; no deal may be a loop.
    cards, tricks : int64 arrays, shape (n,)
        Where the lengths go.

    Examples
    --------
    >>> import numpy as np
    >>> from camicia.kernels.yardstick import play_rows
    >>> cards, tricks = np.zeros(1, np.int64), np.zeros(1, np.int64)
    >>> play_rows(np.array([[1, 0, 0, 0]], np.uint8), cards, tricks)
    >>> int(cards[0]), int(tricks[0])
    (5, 2)
    """
    cdef Py_ssize_t i
    cdef int size = <int> deals.shape[1]
    if size > SLOTS or cards.shape[0] < deals.shape[0] or tricks.shape[0] < deals.shape[0]:
        raise ValueError("the yardstick plays deals of at most 64 cards, with a place for each length")
    with nogil:
        for i in range(deals.shape[0]):
            play(&deals[i, 0], size // 2, size - size // 2, &cards[i], &tricks[i])
