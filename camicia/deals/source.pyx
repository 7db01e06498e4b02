"""Where deals come from: one kind of source for all that play or count them."""

from libc.stdint cimport uint8_t

from camicia.kernels.batch cimport BATCH_DEALS, Batch, close_batch, open_batch
from camicia.kernels.dispatch cimport Kernel, kernel_named, play_batch
from camicia.kernels.rows cimport Prepared, write_results
from camicia.watch cimport Watch, watch_for

import numpy as np

from camicia.kernels.rows import ROW as _ROW

#: Bytes of deals in a batch of a deck that the lanes cannot hold.
cdef enum:
    BATCH_BYTES = 1 << 20


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
        """Write the next `count` deals; there must be that many, and room for them."""

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
            If there is no room for them, or `prepared` is of another deck.

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

    def play(self, rows, name, *, stop=None):
        """Play the next deals, as many as there are rows, without the GIL and without writing them out.

        Parameters
        ----------
        rows : array of dtype `camicia.kernels.rows.ROW`, contiguous
            Where the results go.
        name : str
            The kernel.
        stop : Stop, optional
            By what another thread ends the work early.

        Raises
        ------
        KernelError
            If the kernel cannot run on this machine.
        MemoryError
            If there is no room for a batch.

        Examples
        --------
        >>> import numpy as np
        >>> from camicia import STANDARD, simulate_many
        >>> from camicia.deals.sampling import DealStream
        >>> from camicia.kernels.rows import ROW
        >>> rows = np.empty(100, ROW)
        >>> DealStream(STANDARD, 1, 0).play(rows, "baseline")
        >>> bool((rows == simulate_many(DealStream(STANDARD, 1, 0).take(100))).all())
        True
        """
        cdef const Kernel *kernel = kernel_named(name)
        cdef Watch watch = watch_for(stop)
        cdef size_t left = len(rows)
        cdef size_t capacity = max(1, min(min(left, <size_t> BATCH_DEALS), <size_t> BATCH_BYTES // <size_t> self.size))
        cdef Batch *batch
        cdef size_t part
        cdef uint8_t[::1] room
        cdef uint8_t *row
        cdef size_t bytes_of_row = _ROW.itemsize
        if rows.dtype != _ROW or rows.ndim != 1:
            raise ValueError(f"rows of dtype {rows.dtype} and shape {rows.shape}: expected {_ROW} in one row")
        if not left:
            return
        room = rows.view(np.uint8)
        row = &room[0]
        batch = open_batch(self.counts, capacity)
        if batch is NULL:
            raise MemoryError(f"no memory for a batch of {capacity:,} deals")
        try:
            with nogil:
                while left:
                    part = min(left, capacity)
                    self.fill(batch, part)
                    play_batch(kernel, batch, part, &watch)
                    write_results(batch, part, row)
                    row += part * bytes_of_row
                    left -= part
        finally:
            close_batch(batch)
