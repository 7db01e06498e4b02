# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Play arrays of card codes, a deal a row, on any kernel, without the GIL."""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

import numpy as np

from camicia.batch cimport (
    CARDS_MASK, FITS, TRICKS_MASK, TRICKS_SHIFT, WINNER_SHIFT, Batch, Form, close_batch, form_for, get_deal,
    open_batch, put_deal,
)
from camicia.kernels cimport LANES_KERNEL, Kernel, kernel_named, play_batch

from camicia import ring

#: Deals encoded and played at a time. The lanes run dry at the end of each batch, which costs about 300 steps
#: of all of them: 2% of a batch of this size, whose rows still lie in a second-level cache.
cdef enum:
    CHUNK = 16_384

#: Times that what did not fit the last form is tried again, with the form of the first row left. Every try takes
#: at least the rows of one deck; rows of more decks than that are left to the ring.
cdef enum:
    TRIES = 8

#: Payment cards of each rank that a form for rows of several decks has room for, as in all usual decks.
cdef enum:
    USUAL = 4

#: For a new batch, `misfits` is written by whole vectors.
cdef enum:
    VECTOR = 64


cdef struct Row:
    uint8_t status
    uint8_t winner
    int64_t cards
    int64_t tricks


cdef struct Sheet:
    const uint8_t *codes
    Py_ssize_t deal_stride
    Py_ssize_t card_stride
    size_t size             # cards of a deal
    size_t cut              # of them hand A's
    Row *rows               # where the results go


cdef void count_cards(const Sheet *sheet, size_t deal, bint usual, uint16_t *counts) noexcept nogil:
    """The deck of a row; with room for the usual four of each rank, if that is asked and will do."""
    cdef const uint8_t *codes = sheet.codes + <Py_ssize_t> deal * sheet.deal_stride
    cdef Form form
    cdef size_t i
    memset(counts, 0, 5 * sizeof(uint16_t))
    for i in range(sheet.size):
        counts[codes[<Py_ssize_t> i * sheet.card_stride]] += 1
    if usual and max(max(counts[1], counts[2]), max(counts[3], counts[4])) <= USUAL:
        for i in range(1, 5):
            counts[i] = USUAL
        form = form_for(counts)
        if form.links == 0:
            # Too many number cards for that many payment cards.
            count_cards(sheet, deal, False, counts)


cdef inline void unpack(
    const Batch *batch, size_t count, const int64_t *index, const uint8_t *misfits, Row *rows,
) noexcept nogil:
    """Write the results of a batch's deals to the rows of `index`, or to the first ones if that is NULL."""
    cdef size_t deal, late
    cdef uint32_t result
    cdef Row *row
    for deal in range(count):
        if misfits[deal] == FITS:
            row = rows + (deal if index is NULL else <size_t> index[deal])
            result = batch.results[deal]
            row.status = 0
            row.winner = <uint8_t> (result >> WINNER_SHIFT)
            row.cards = result & CARDS_MASK
            row.tricks = result >> TRICKS_SHIFT & TRICKS_MASK
    for late in range(batch.late_count):
        deal = batch.late[late].deal
        row = rows + (deal if index is NULL else <size_t> index[deal])
        row.status = batch.late[late].outcome.status
        row.winner = batch.late[late].outcome.winner
        row.cards = batch.late[late].outcome.cards
        row.tricks = batch.late[late].outcome.tricks


cdef int play_form(
    const Kernel *kernel, const Sheet *sheet, const uint16_t *counts, int64_t *index, size_t *count,
    bint all_rows,
) noexcept nogil:
    """Play the rows of `index` that have the form of the deck of `counts`, and leave the others in `index`.

    With `all_rows` the first `count` rows are meant, and `index` has no numbers yet. Returns -1 if there is no
    memory, else 0.
    """
    cdef size_t chunk = min(count[0], <size_t> CHUNK)
    cdef Batch *batch = open_batch(counts, chunk)
    cdef uint8_t *misfits = <uint8_t *> malloc(chunk + VECTOR)
    cdef const int64_t *numbers = NULL
    cdef const uint8_t *codes = sheet.codes
    cdef Row *rows = sheet.rows
    cdef size_t start = 0
    cdef size_t left = 0
    cdef size_t many, i
    cdef int failed = batch is NULL or misfits is NULL
    while start < count[0] and not failed:
        many = min(chunk, count[0] - start)
        if all_rows:
            codes = sheet.codes + <Py_ssize_t> start * sheet.deal_stride
            rows = sheet.rows + start
        else:
            numbers = index + start
        # The counts may be those of a form with room to spare; the deals have their own size.
        batch.size = sheet.size
        kernel.lanes.encode(
            batch, codes, sheet.deal_stride, sheet.card_stride, numbers, many, sheet.cut, misfits
        )
        failed = play_batch(kernel, batch, many)
        unpack(batch, many, numbers, misfits, rows)
        for i in range(many):
            if misfits[i] != FITS:
                # Never ahead of the numbers still to be read.
                index[left] = <int64_t> (start + i) if all_rows else index[start + i]
                left += 1
        start += many
    count[0] = left
    close_batch(batch)
    free(misfits)
    return -1 if failed else 0


cdef int play_sheet(const Kernel *kernel, const Sheet *sheet, int64_t *index, size_t *count) noexcept nogil:
    """Play what the lanes can hold of the first `count` rows; the numbers of the others are left in `index`."""
    cdef uint16_t counts[5]
    cdef Form form
    cdef size_t total = count[0]
    cdef size_t i
    cdef int tries
    cdef bint all_rows = True
    for tries in range(TRIES):
        count_cards(sheet, 0 if all_rows else <size_t> index[0], not all_rows, counts)
        form = form_for(counts)
        if form.links == 0:
            break
        if play_form(kernel, sheet, counts, index, count, all_rows):
            return -1
        all_rows = False
        if count[0] == 0:
            return 0
    if all_rows:
        for i in range(total):
            index[i] = <int64_t> i
    return 0


def play_rows(const uint8_t[:, :] deals, size_t cut, rows, name):
    """Play every row of an array of card codes exactly, without the GIL.

    Parameters
    ----------
    deals : uint8 array, shape (n, cards)
        Card codes 0 to 4, hand A followed by hand B, of any strides; taken as valid.
    cut : int
        Cards that hand A gets.
    rows : array of dtype `camicia.ring.ROW`, shape (n,)
        Where the results go; C-contiguous.
    name : str
        The kernel, ``ring`` or one of lanes. Rows that the lanes cannot hold go to the ring.

    Raises
    ------
    KernelError
        If the kernel cannot run on this machine.
    MemoryError
        If there is no room for a batch.

    Examples
    --------
    >>> import numpy as np
    >>> from camicia.ring import ROW
    >>> rows = np.empty(1, ROW)
    >>> play_rows(np.array([[1, 0, 1]], np.uint8), 1, rows, "baseline")
    >>> rows[0].item()
    (0, 1, 5, 2)
    """
    cdef const Kernel *kernel = kernel_named(name)
    cdef size_t count = deals.shape[0]
    cdef Sheet sheet
    cdef uint8_t[::1] room
    cdef int64_t[::1] index
    cdef int failed
    # A hand that is empty at the start is the ring's: the lanes have no start for it.
    if count == 0 or kernel.kind != LANES_KERNEL or cut == 0 or cut == <size_t> deals.shape[1]:
        ring.play_rows(deals, cut, rows)
        return
    if rows.dtype != ring.ROW or rows.shape != (deals.shape[0],):
        raise ValueError(f"rows of dtype {rows.dtype} and shape {rows.shape}: expected {ring.ROW}")
    room = rows.view(np.uint8)
    index = np.empty(count, np.int64)
    sheet.codes = &deals[0, 0]
    sheet.deal_stride = deals.strides[0]
    sheet.card_stride = deals.strides[1]
    sheet.size = deals.shape[1]
    sheet.cut = cut
    sheet.rows = <Row *> &room[0]
    with nogil:
        failed = play_sheet(kernel, &sheet, &index[0], &count)
    if failed:
        raise MemoryError("no memory for a batch of deals")
    if count:
        left = np.asarray(index)[:count]
        played = np.empty(count, ring.ROW)
        ring.play_rows(np.asarray(deals)[left], cut, played)
        rows[left] = played


cdef class Prepared:
    """Deals of one deck in the kernels' own form, to be played again and again: what a kernel does alone.

    Parameters
    ----------
    deck : Deck
        The deck of the deals.
    capacity : int
        How many deals there is room for.

    Raises
    ------
    MemoryError
        If there is no room for them.

    Examples
    --------
    >>> import numpy as np
    >>> from camicia import Deck
    >>> prepared = Prepared(Deck(1, 2, 0, 0, 0), 10)
    >>> prepared.put(np.array([[1, 0, 1]], np.uint8), 1)
    >>> prepared.play("ring")
    >>> prepared.rows()[0].item()
    (0, 1, 5, 2)
    >>> codes, cuts = prepared.deals()
    >>> codes.tolist(), cuts.tolist()
    ([[1, 0, 1]], [1])
    """

    def __cinit__(self, deck, size_t capacity):
        cdef uint16_t counts[5]
        for code, count in enumerate(deck.counts):
            counts[code] = count
        self.batch = open_batch(counts, capacity)
        if self.batch is NULL:
            raise MemoryError(f"no memory for {capacity:,} deals")

    def __dealloc__(self):
        close_batch(self.batch)

    def put(self, const uint8_t[:, ::1] deals, size_t cut):
        """Write deals of the deck, rows of card codes, in place of all that were there.

        Raises ValueError if there are too many, they are not of the deck's size or a hand is empty.
        """
        cdef size_t i
        if <size_t> deals.shape[0] > self.batch.capacity or <size_t> deals.shape[1] != self.batch.size:
            raise ValueError(
                f"deals of shape {np.shape(deals)}: expected at most {self.batch.capacity} of {self.batch.size} cards"
            )
        if not 0 < cut < self.batch.size:
            raise ValueError(f"cut {cut}: expected 1 to {self.batch.size - 1}")
        for i in range(<size_t> deals.shape[0]):
            put_deal(self.batch, i, &deals[i, 0], cut)
        self.count = deals.shape[0]

    def deals(self):
        """The deals as rows of card codes, and the number of cards that hand A has in each."""
        cdef size_t i
        codes = np.empty((self.count, self.batch.size), np.uint8)
        cuts = np.empty(self.count, np.int64)
        cdef uint8_t[:, ::1] row = codes
        cdef int64_t[::1] cut = cuts
        for i in range(self.count):
            cut[i] = <int64_t> get_deal(self.batch, i, &row[i, 0])
        return codes, cuts

    def play(self, name):
        """Play all deals on a kernel, without the GIL."""
        cdef const Kernel *kernel = kernel_named(name)
        cdef int failed
        with nogil:
            failed = play_batch(kernel, self.batch, self.count)
        if failed:
            raise MemoryError("no memory for a game")

    def rows(self):
        """The results of the last time, as `play_rows` gives them."""
        rows = np.zeros(self.count, ring.ROW)
        if not self.count:
            return rows
        cdef uint8_t[::1] room = rows.view(np.uint8)
        cdef uint8_t[::1] misfits = np.full(self.count, FITS, np.uint8)
        unpack(self.batch, self.count, NULL, &misfits[0], <Row *> &room[0])
        return rows
