"""Deals that were chosen elsewhere, as a source: for programs that make deals in Python and have them played in bulk."""

from camicia.deals.source cimport DealSource
from camicia.kernels.batch cimport Batch, put_deal

import numpy as np

from camicia.errors import DealError


cdef class GivenDeals(DealSource):
    """The deals of an array, one after the other; after the last it begins again with the first.

    Parameters
    ----------
    deck : Deck
        What is dealt.
    deals : uint8 array, shape (n, cards)
        Card codes 0 to 4, hand A followed by hand B, with the usual cut; at least one row. They are copied.

    Raises
    ------
    DealError
        If there is none, or a row is not a deal of the deck.

    Examples
    --------
    >>> import numpy as np
    >>> from camicia import Deck
    >>> deals = GivenDeals(Deck(2, 1, 0, 0, 1), np.array([[4, 0, 0, 1], [0, 4, 1, 0]], np.uint8))
    >>> deals.take(3)
    array([[4, 0, 0, 1],
           [0, 4, 1, 0],
           [4, 0, 0, 1]], dtype=uint8)
    """

    def __cinit__(self, deck, deals):
        array = np.array(deals, np.uint8, order="C")
        if array.ndim != 2 or not len(array) or array.shape[1] != deck.size:
            raise DealError(f"deals of shape {array.shape}: expected (n, {deck.size}) with n from 1 up")
        wrong = np.flatnonzero((np.sort(array) != np.frombuffer(deck.codes, np.uint8)).any(axis=1))
        if len(wrong):
            row = int(wrong[0])
            raise DealError(f"row {row} holds {array[row].tolist()}: expected the cards of deck {deck}")
        # Nobody else has it, so nobody changes it.
        array.flags.writeable = False
        self.rows = array
        self.cut = deck.cut

    cdef void fill(self, Batch *batch, size_t count) noexcept nogil:
        cdef size_t i
        batch.writer = <const void *> self
        for i in range(count):
            put_deal(batch, i, &self.rows[self.next, 0], self.cut)
            self.next += 1
            if self.next == <size_t> self.rows.shape[0]:
                self.next = 0
