"""Independent random deals at a fraction of the cost of playing them.

The deals of a seed come in *blocks*. Block b takes its random bits from NumPy's Philox4x64 with the seed as key and
the counter ``(INDEPENDENT_UNIT << 128) + (b << 64)``, so that any thread can deal any block, and no block shares
words with another one or with a campaign.

Within a block, a deal chooses places for all cards but those of the most frequent code, which take the places that
are left: for 52 cards 16 choices instead of 51. The choices are the first steps of a Fisher-Yates shuffle of the
places, begun where the deal before has left them: whatever their order was, every choice is as likely. Several
bounded numbers come from one random word: it is multiplied by each bound in turn, the high half of the product is
the number and the low half goes on to the next. This is exact if a word whose last low half is below
``2**64 % product of the bounds`` is thrown away.

N. Brackett-Rozinsky and D. Lemire, "Batched ranged random integer generation", Software: Practice and Experience 55
(2025).
"""

from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from camicia.deals.bits cimport bitgen_t
from camicia.watch cimport Watch, look, watch_for
from camicia.wide cimport u128

import numpy as np
from numpy.random import Philox

#: The unit whose words these deals take; campaigns have fewer units.
INDEPENDENT_UNIT = 1 << 127

#: Cards and deals of a block, at most: a millisecond's work, and an array that a processor's cache holds.
cdef enum:
    BLOCK_CARDS = 1 << 20
    BLOCK_DEALS = 1 << 14

#: The product of the bounds that share a word is at most this, so that one word in 65,536 at most is thrown away.
#: 52 cards need two words; they would with the most that is possible, too.
cdef uint64_t MOST_PRODUCT = <uint64_t> 1 << 48

#: Deals between two looks at the watch, for decks so large that a block takes long.
cdef enum:
    LOOK = 1 << 10


#: Choices that share a random word.
cdef struct Group:
    size_t end              # of the choices so far
    uint64_t product        # of their bounds
    uint64_t threshold      # 2**64 modulo that


cdef struct Dealer:
    size_t size             # cards of a deal
    size_t chosen           # cards that choose their place
    size_t groups
    uint8_t rest            # the code of all others
    Group *group
    uint8_t *code           # of each card that chooses
    uint16_t *choice        # what each has chosen
    uint16_t *place         # all places, in the order that the deals so far have left


cdef int open_dealer(Dealer *dealer, deck) except -1:
    """Share the choices of a deck among as few words as may be."""
    cdef size_t code, i
    cdef size_t most = 0
    cdef uint64_t product = 1
    cdef uint64_t bound
    counts = deck.counts
    for code in range(5):
        if counts[code] > counts[most]:
            most = code
    dealer.size = deck.size
    dealer.rest = <uint8_t> most
    dealer.chosen = dealer.size - <size_t> counts[most]
    dealer.group = <Group *> malloc((dealer.chosen + 1) * sizeof(Group))
    dealer.code = <uint8_t *> malloc(dealer.chosen + 1)
    dealer.choice = <uint16_t *> malloc((dealer.chosen + 1) * sizeof(uint16_t))
    dealer.place = <uint16_t *> malloc(dealer.size * sizeof(uint16_t))
    if dealer.group is NULL or dealer.code is NULL or dealer.choice is NULL or dealer.place is NULL:
        raise MemoryError(f"no memory to shuffle {dealer.size:,} cards")
    for i in range(dealer.size):
        dealer.place[i] = <uint16_t> i
    i = 0
    for code in range(5):
        if code != most:
            memset(dealer.code + i, <int> code, counts[code])
            i += <size_t> counts[code]
    dealer.groups = 0
    for i in range(dealer.chosen):
        bound = dealer.size - i
        if i and product * bound > MOST_PRODUCT:
            end_group(dealer, i, product)
            product = 1
        product *= bound
    if dealer.chosen:
        end_group(dealer, dealer.chosen, product)
    return 0


cdef void end_group(Dealer *dealer, size_t end, uint64_t product) noexcept nogil:
    cdef Group *group = dealer.group + dealer.groups
    group.end = end
    group.product = product
    group.threshold = (0 - product) % product
    dealer.groups += 1


cdef void close_dealer(Dealer *dealer) noexcept nogil:
    free(dealer.group)
    free(dealer.code)
    free(dealer.choice)
    free(dealer.place)


cdef void deal_one(const Dealer *dealer, bitgen_t *bits, uint8_t *row) noexcept nogil:
    """Write the next deal."""
    cdef const Group *group = dealer.group
    cdef const Group *last = group + dealer.groups
    cdef const uint8_t *code = dealer.code
    cdef uint16_t *choice = dealer.choice
    cdef uint16_t *place = dealer.place
    cdef size_t size = dealer.size
    cdef size_t start = 0
    cdef size_t i, end
    cdef uint16_t chosen
    cdef uint64_t word
    cdef u128 product
    while group < last:
        end = group.end
        while True:
            word = bits.next_uint64(bits.state)
            for i in range(start, end):
                product = <u128> word * (size - i)
                choice[i] = <uint16_t> (i + <size_t> (product >> 64))
                word = <uint64_t> product
            if word >= group.threshold:
                break
        start = end
        group += 1
    memset(row, dealer.rest, size)
    for i in range(dealer.chosen):
        chosen = place[choice[i]]
        place[choice[i]] = place[i]
        place[i] = chosen
        row[chosen] = code[i]


def block_deals(deck):
    """Return how many deals of a deck a block has.

    Examples
    --------
    >>> from camicia import STANDARD
    >>> block_deals(STANDARD)
    16384
    """
    return max(1, min(<Py_ssize_t> BLOCK_DEALS, <Py_ssize_t> BLOCK_CARDS // <Py_ssize_t> deck.size))


def deal_block(deck, seed, block, uint8_t[:, ::1] rows, *, Py_ssize_t skip=0, stop=None):
    """Write the deals of a block, from its start or after the first `skip`, without the GIL.

    Parameters
    ----------
    deck : Deck
        What is dealt, with the usual cut.
    seed : int
        0 to 2**64 - 1.
    block : int
        Number of the block, from 0.
    rows : uint8 array, shape (n, deck.size)
        Where the deals are written, a row a deal.
    skip : int, optional
        Deals of the block to leave out.
    stop : Stop, optional
        By what another thread ends the work early.

    Examples
    --------
    >>> import numpy as np
    >>> from camicia import Deck
    >>> rows = np.empty((3, 4), np.uint8)
    >>> deal_block(Deck(2, 1, 0, 0, 1), 1, 0, rows)
    >>> np.sort(rows).tolist()
    [[0, 0, 1, 4], [0, 0, 1, 4], [0, 0, 1, 4]]
    """
    cdef Dealer dealer
    cdef Watch watch = watch_for(stop)
    cdef Py_ssize_t count = rows.shape[0]
    cdef Py_ssize_t until_look = max(1, min(<Py_ssize_t> LOOK, <Py_ssize_t> BLOCK_CARDS // <Py_ssize_t> deck.size))
    cdef Py_ssize_t i
    cdef bitgen_t *bits
    if rows.shape[1] != deck.size or not 0 <= skip <= block_deals(deck) - count:
        raise ValueError(f"rows {skip} to {skip + count} of {rows.shape[1]} cards: not within a block of deck {deck}")
    if count == 0:
        return
    generator = Philox(key=seed, counter=(INDEPENDENT_UNIT << 128) + (int(block) << 64))
    bits = <bitgen_t *> PyCapsule_GetPointer(generator.capsule, "BitGenerator")
    memset(&dealer, 0, sizeof(Dealer))
    try:
        open_dealer(&dealer, deck)
        with nogil:
            for i in range(skip + count):
                # Deals that are left out are written too, where the first one that is wanted goes.
                deal_one(&dealer, bits, &rows[max(i - skip, 0), 0])
                if i % until_look == until_look - 1:
                    look(&watch)
    finally:
        close_dealer(&dealer)
