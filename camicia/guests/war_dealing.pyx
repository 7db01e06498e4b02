"""Random deals of War, dealt faster than they are played.

Deals are uniform and independent: every one is a shuffle by Fisher and Yates of the whole deck, from raw 64-bit
words of NumPy's Philox4x64 with the seed as key. Games come in blocks; block i starts at counter ``i << 128``
with the deck in its first order, so that any block can be dealt by itself.
"""

from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy

from camicia.deals.bits cimport below, bitgen_t

from numpy.random import Philox

#: Games of a block: a tenth of a second to deal and play.
BLOCK = 1 << 16


def deal_rows(bytes deck, seed, block, uint8_t[:, ::1] deals):
    """Deal the first games of a block: uniform shuffles of the whole deck.

    Parameters
    ----------
    deck : bytes
        The cards, in the order before the first shuffle.
    seed : int
        0 to 2**64 - 1; taken as valid.
    block : int
        Number of the block, from 0.
    deals : uint8 array, shape (n, cards)
        Where the shuffled decks go, a row each.

    Examples
    --------
    >>> import numpy as np
    >>> from camicia.guests.war_dealing import deal_rows
    >>> deals = np.empty((2, 4), np.uint8)
    >>> deal_rows(b"\\2\\3\\4\\5", 1, 0, deals)
    >>> sorted(deals[1].tolist())
    [2, 3, 4, 5]
    """
    cdef Py_ssize_t size = deals.shape[1]
    cdef Py_ssize_t i, last, other
    cdef const uint8_t *before = deck
    cdef uint8_t *cards
    generator = Philox(key=seed, counter=block << 128)
    cdef bitgen_t *bits = <bitgen_t *> PyCapsule_GetPointer(generator.capsule, "BitGenerator")
    if len(deck) != size:
        raise ValueError(f"deck of {len(deck)} cards for deals of {size}")
    with nogil:
        for i in range(deals.shape[0] if size else 0):
            cards = &deals[i, 0]
            memcpy(cards, before, size)
            before = cards
            for last in range(size - 1, 0, -1):
                other = <Py_ssize_t> below(bits, <uint64_t> last + 1)
                cards[last], cards[other] = cards[other], cards[last]
