"""Where deals come from: one kind of source for all that play or count them."""

from camicia.kernels.batch cimport BATCH_DEALS, Batch
from camicia.kernels.rows cimport Prepared

import numpy as np


cdef class DealSource:
    """Deals of one deck with the usual cut, one after the other.

    A source of its own kind says in `fill(batch, count)` how it writes its next deals to a batch of its deck, as
    the first ones there, and signs it as its `writer`. It may leave alone what its last call wrote, if that was to
    the same batch and nobody else has signed it since.

    Parameters
    ----------
    deck : Deck
        What is dealt.
    """

    def __cinit__(self, deck, *_, **__):
        self.deck = deck
        self.size = deck.size
        for code, count in enumerate(deck.counts):
            self.counts[code] = count

    cdef void fill(self, Batch *batch, size_t count) noexcept nogil:
        """Write the next `count` deals; there must be so many, and room for them."""

    def prepare(self, Prepared prepared, count):
        """Put the next `count` deals into `prepared`, in the kernels' own form, in place of all that were there.

        Parameters
        ----------
        prepared : camicia.kernels.rows.Prepared
            Of the same deck.
        count : int
            How many; at most the capacity of `prepared`.

        Raises
        ------
        ValueError
            If there is no room for so many, or `prepared` is of another deck.

        Examples
        --------
        >>> from camicia import ITALIAN
        >>> from camicia.kernels.rows import Prepared
        >>> from camicia.deals.sampling import DealStream
        >>> prepared = Prepared(ITALIAN, 100)
        >>> DealStream(ITALIAN, 1, 0).prepare(prepared, 100)
        >>> bool((prepared.deals()[0] == DealStream(ITALIAN, 1, 0).take(100)).all())
        True
        """
        cdef size_t number = count
        if number > prepared.batch.capacity or prepared.counts != self.deck.counts:
            raise ValueError(
                f"{number:,} deals of deck {self.deck}: there is room for {prepared.batch.capacity:,} of "
                f"{prepared.batch.size} cards, numbers:J:Q:K:A {':'.join(map(str, prepared.counts))}"
            )
        with nogil:
            self.fill(prepared.batch, number)
        prepared.count = number

    def take(self, count):
        """Return the next `count` deals as card codes, having been through the kernels' own form.

        Parameters
        ----------
        count : int
            How many.

        Returns
        -------
        uint8 array, shape (count, size)
            Card codes 0 to 4, hand A followed by hand B.

        Examples
        --------
        >>> from camicia import Deck
        >>> from camicia.deals.stepping import DealRange
        >>> DealRange(Deck(2, 1, 0, 0, 1), 9).take(2)
        array([[4, 0, 0, 1],
               [4, 0, 1, 0]], dtype=uint8)
        """
        deals = np.empty((count, self.size), np.uint8)
        prepared = Prepared(self.deck, max(1, min(count, <size_t> BATCH_DEALS)))
        for start in range(0, count, <size_t> BATCH_DEALS):
            part = deals[start : start + <size_t> BATCH_DEALS]
            self.prepare(prepared, len(part))
            part[:] = prepared.deals()[0]
        return deals
