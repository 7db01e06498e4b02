"""Streams of random deals: uniform, reproducible anywhere, and cheaper than playing them.

Version 1 of the stream. The random bits are raw 64-bit words of NumPy's Philox4x64 with the seed as key;
unit i of a campaign starts at counter ``i << 128``, so that the words of two units never overlap.
A shuffle (Fisher and Yates, from the last card down, bounded without bias by Lemire's method) lays the
deck in a circle. Each rotation of the circle before the cut and each relabelling among ranks of equal
count gives a deal: every one is uniform, though those of one shuffle are not independent of each other.
Deals come shuffle by shuffle, then by rotation (0, 1, 2, …), then by relabelling (in lexicographic order of
the new J, Q, K, A, so the first changes nothing).

D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019).
"""

from itertools import permutations

from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from camicia.kernels.batch cimport Batch
from camicia.deals.bits cimport below, bitgen_t
from camicia.deals.circle cimport lay_circle, put_rotations
from camicia.deals.source cimport DealSource
from camicia.watch cimport Watch, look, watch_for
from camicia.wide cimport u128

import numpy as np
from numpy.random import Philox

from camicia.checks import checked_whole

#: Cards dealt between two looks at the watch, some milliseconds.
cdef enum:
    LOOK = 1 << 20

#: Version of the random stream: part of a campaign's identity, raised whenever the stream changes.
STREAM_VERSION = 1

#: Seeds are 64-bit words, so that they are written alike everywhere.
SEED_LIMIT = 1 << 64


def checked_seed(seed):
    """Return the seed as an int, checked.

    Raises
    ------
    CamiciaError
        If it is not a whole number from 0 to 2**64 - 1.

    Examples
    --------
    >>> checked_seed(7)
    7
    """
    return checked_whole("seed", seed, 0, SEED_LIMIT - 1)


def relabellings(deck):
    """Return the relabellings among ranks of equal count, each as the new code of every code.

    Parameters
    ----------
    deck : Deck
        The deck.

    Returns
    -------
    list of tuple of int
        In lexicographic order, the one that changes nothing first.

    Examples
    --------
    >>> from camicia import Deck
    >>> relabellings(Deck(4, 2, 1, 2, 0))
    [(0, 1, 2, 3, 4), (0, 3, 2, 1, 4)]
    """
    counts = deck.counts
    return [
        (0, *codes)
        for codes in permutations(range(1, 5))
        # A rank that has no card keeps its code: to relabel nothing would be the same deal again.
        if all(counts[new] == counts[old] and (counts[old] or new == old) for old, new in enumerate(codes, 1))
    ]


cdef class DealStream(DealSource):
    """The random deals of one unit, in order.

    Parameters
    ----------
    deck : Deck
        What is dealt, with the usual cut.
    seed : int
        The campaign's seed, 0 to 2**64 - 1.
    unit : int
        Number of the unit, 0 or more.

    Attributes
    ----------
    deals_per_shuffle : int
        Deals that one shuffle gives: rotations times relabellings.

    Raises
    ------
    CamiciaError
        If the seed is impossible.

    Examples
    --------
    >>> from camicia import STANDARD
    >>> DealStream(STANDARD, 1, 0).deals_per_shuffle
    1248
    """

    def __cinit__(self, deck, seed, unit):
        cdef Py_ssize_t i
        self.generator = Philox(key=checked_seed(seed), counter=int(unit) << 128)
        self.bits = <bitgen_t *> PyCapsule_GetPointer(self.generator.capsule, "BitGenerator")
        self.rotations = self.size
        self.relabelling_count = 0
        for codes in relabellings(deck):
            for i in range(5):
                self.relabellings[self.relabelling_count][i] = codes[i]
            for i in range(4):
                self.chained.cost[i][self.relabelling_count] = codes[i + 1]
            self.relabelling_count += 1
        self.chained.relabellings = <uint8_t> self.relabelling_count
        self.deals_per_shuffle = self.rotations * self.relabelling_count
        # Twice round, so that every rotation is one piece.
        self.circle = <uint8_t *> malloc(2 * self.size)
        if self.circle is NULL:
            raise MemoryError(f"no memory for a deck of {self.size:,} cards")
        cards = deck.codes
        memcpy(self.circle, <const uint8_t *> cards, self.size)
        self.rotation = self.rotations
        self.relabelling = 0

    def __dealloc__(self):
        free(self.circle)

    cdef void shuffle(self) noexcept nogil:
        """Lay the deck in a new circle."""
        cdef Py_ssize_t last, other
        for last in range(self.size - 1, 0, -1):
            other = <Py_ssize_t> below(self.bits, <uint64_t> last + 1)
            self.circle[last], self.circle[other] = self.circle[other], self.circle[last]
        memcpy(self.circle + self.size, self.circle, self.size)
        self.rotation = 0
        self.relabelling = 0
        self.is_chained = False

    cdef void write_rows(self, uint8_t *codes, Py_ssize_t count) noexcept nogil:
        """Write the next `count` deals as rows of card codes."""
        cdef Py_ssize_t i
        cdef const uint8_t *cards
        cdef const uint8_t *new_code
        while count > 0:
            if self.rotation == self.rotations:
                self.shuffle()
            cards = self.circle + self.rotation
            new_code = self.relabellings[self.relabelling]
            for i in range(self.size):
                codes[i] = new_code[cards[i]]
            codes += self.size
            count -= 1
            self.relabelling += 1
            if self.relabelling == self.relabelling_count:
                self.relabelling = 0
                self.rotation += 1

    cdef void fill(self, Batch *batch, size_t count) noexcept nogil:
        """Write the next `count` deals as the first ones of a batch of the same deck."""
        cdef size_t deal = 0
        cdef size_t many, i
        batch.writer = <const void *> self
        if batch.form.links == 0:
            self.write_rows(batch.rows, <Py_ssize_t> count)
            for i in range(count):
                batch.cut[i] = <uint16_t> (self.size // 2)
            return
        while deal < count:
            if self.rotation == self.rotations:
                self.shuffle()
            if not self.is_chained:
                lay_circle(&self.chained, &batch.form, self.circle, <size_t> self.size)
                self.is_chained = True
            many = <size_t> ((self.rotations - self.rotation) * self.relabelling_count - self.relabelling)
            many = min(many, count - deal)
            put_rotations(
                &self.chained, batch, deal, many, <size_t> self.rotation, <size_t> self.relabelling
            )
            deal += many
            many += <size_t> self.relabelling
            self.rotation += <Py_ssize_t> (many // <size_t> self.relabelling_count)
            self.relabelling = <int> (many % <size_t> self.relabelling_count)

    def skip(self, Py_ssize_t count):
        """Leave out the next `count` deals, at the cost of their shuffles.

        Examples
        --------
        >>> from camicia import STANDARD
        >>> stream, other = DealStream(STANDARD, 1, 0), DealStream(STANDARD, 1, 0)
        >>> stream.skip(3000)
        >>> bool((stream.take(1)[0] == other.take(3001)[3000]).all())
        True
        """
        cdef Py_ssize_t left = (self.rotations - self.rotation) * self.relabelling_count - self.relabelling
        cdef Py_ssize_t passed
        with nogil:
            while count > 0 and count >= left:
                count -= left
                self.shuffle()
                left = self.deals_per_shuffle
            passed = self.rotation * self.relabelling_count + self.relabelling + count
            self.rotation = passed // self.relabelling_count
            self.relabelling = <int> (passed % self.relabelling_count)

    def take(self, count):
        """Return the next `count` deals as card codes, written as such.

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
        >>> from camicia import ITALIAN
        >>> DealStream(ITALIAN, 1, 0).take(3).shape
        (3, 40)
        """
        deals = np.empty((count, self.size), np.uint8)
        self.write(deals)
        return deals

    def write(self, uint8_t[:, ::1] rows, *, stop=None):
        """Write the next deals, as many as there are rows, as card codes, without the GIL.

        Parameters
        ----------
        rows : uint8 array, shape (n, size)
            Where they go.
        stop : Stop, optional
            By what another thread ends the work early.
        """
        cdef Watch watch = watch_for(stop)
        cdef Py_ssize_t piece = max(1, LOOK // self.size)
        cdef Py_ssize_t start
        if rows.shape[1] != self.size:
            raise ValueError(f"rows of {rows.shape[1]} cards: expected {self.size}")
        with nogil:
            for start from 0 <= start < rows.shape[0] by piece:
                self.write_rows(&rows[start, 0], min(piece, rows.shape[0] - start))
                look(&watch)
