"""Play arrays of card codes, a deal a row, on any kernel, without the GIL.

The arrays are other people's, and other threads may write in them at any time. So every code is checked in the
copy that is played: what is read twice is checked twice.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

import numpy as np

from camicia.kernels.batch cimport (
    BATCH_DEALS, FITS, HIGHEST_CODE, MARGIN, Batch, Fault, Form, close_batch, form_for, get_deal, open_batch,
    packed_cards, packed_tricks, packed_winner, put_deal,
)
from camicia.kernels.dispatch cimport DEVICE, LANES_KERNEL, Kernel, kernel_named, play_batch
from camicia.kernels.ring cimport Outcome, Workspace, close_workspace, open_workspace, play
from camicia.watch cimport Stop, Watch, watch_for

from camicia.errors import DealError

#: One row of what `simulate_many` returns.
ROW = np.dtype([("status", "u1"), ("winner", "u1"), ("cards", "i8"), ("tricks", "i8")], align=True)

#: Times that what did not fit the last form is tried again, with the form of the first row left. Every try takes
#: at least the rows of one deck; rows of more decks than that are left to the ring.
cdef enum:
    TRIES = 8

#: Payment cards of each rank that a form for rows of several decks has room for, as in all usual decks.
cdef enum:
    USUAL = 4


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
    size_t first            # number of the first row in the array that was handed in, for messages


cdef int refuse(const Sheet *sheet, size_t deal, size_t place, uint8_t code) except -1 with gil:
    raise DealError(
        f"row {sheet.first + deal} holds {code} at place {place}: card codes are 0 to {HIGHEST_CODE}"
    )


cdef int copy_deal(const Sheet *sheet, size_t deal, uint8_t *codes) except -1 nogil:
    """Copy the codes of a row, checked."""
    cdef const uint8_t *source = sheet.codes + <Py_ssize_t> deal * sheet.deal_stride
    cdef size_t i
    for i in range(sheet.size):
        codes[i] = source[<Py_ssize_t> i * sheet.card_stride]
        if codes[i] > HIGHEST_CODE:
            refuse(sheet, deal, i, codes[i])
    return 0


cdef int count_cards(const Sheet *sheet, size_t deal, bint usual, uint16_t *counts) except -1 nogil:
    """The deck of a row; with room for the usual four of each rank, if that is asked and will do."""
    cdef const uint8_t *codes = sheet.codes + <Py_ssize_t> deal * sheet.deal_stride
    cdef Form form
    cdef uint8_t code
    cdef size_t i
    memset(counts, 0, 5 * sizeof(uint16_t))
    for i in range(sheet.size):
        code = codes[<Py_ssize_t> i * sheet.card_stride]
        if code > HIGHEST_CODE:
            refuse(sheet, deal, i, code)
        counts[code] += 1
    if usual and max(max(counts[1], counts[2]), max(counts[3], counts[4])) <= USUAL:
        for i in range(1, 5):
            counts[i] = USUAL
        form = form_for(counts)
        if form.links == 0:
            # Too many number cards for that many payment cards.
            count_cards(sheet, deal, False, counts)
    return 0


cdef inline void unpack(
    const Batch *batch, size_t count, const int64_t *index, const uint8_t *misfits, Row *rows,
) noexcept nogil:
    """Write the results of a batch's deals to the rows of `index`, or to the first ones if that is NULL.

    All deals fit if `misfits` is NULL.
    """
    cdef size_t deal, late
    cdef uint32_t result
    cdef Row *row
    for deal in range(count):
        if misfits is NULL or misfits[deal] == FITS:
            row = rows + (deal if index is NULL else <size_t> index[deal])
            result = batch.results[deal]
            row.status = 0
            row.winner = <uint8_t> packed_winner(result)
            row.cards = packed_cards(result)
            row.tricks = packed_tricks(result)
    for late in range(batch.late_count):
        deal = batch.late[late].deal
        row = rows + (deal if index is NULL else <size_t> index[deal])
        row.status = batch.late[late].outcome.status
        row.winner = batch.late[late].outcome.winner
        row.cards = batch.late[late].outcome.cards
        row.tricks = batch.late[late].outcome.tricks


cdef void write_results(const Batch *batch, size_t count, uint8_t *rows) noexcept nogil:
    """Write the results of the first deals of a batch as rows of the dtype `ROW`."""
    unpack(batch, count, NULL, NULL, <Row *> rows)


cdef int play_form(
    const Kernel *kernel, const Sheet *sheet, const uint16_t *counts, int64_t *index, size_t *count,
    bint all_rows, Watch *watch,
) except -1 nogil:
    """Play the rows of `index` that have the form of the deck of `counts`, and leave the others in `index`.

    With `all_rows` the first `count` rows are meant, and `index` has no numbers yet.
    """
    cdef size_t chunk = min(count[0], <size_t> BATCH_DEALS)
    cdef Batch *batch = open_batch(counts, chunk)
    cdef uint8_t *misfits = <uint8_t *> malloc(chunk + MARGIN)
    cdef const int64_t *numbers = NULL
    cdef const uint8_t *codes = sheet.codes
    cdef Row *rows = sheet.rows
    cdef Fault fault
    cdef size_t start = 0
    cdef size_t left = 0
    cdef size_t many, i
    fault.found = False
    try:
        if batch is NULL or misfits is NULL:
            with gil:
                raise MemoryError(f"no memory for a batch of {chunk:,} deals")
        while start < count[0]:
            many = min(chunk, count[0] - start)
            if all_rows:
                codes = sheet.codes + <Py_ssize_t> start * sheet.deal_stride
                rows = sheet.rows + start
            else:
                numbers = index + start
            # The counts may be those of a form with room to spare; the deals have their own size.
            batch.size = sheet.size
            kernel.lanes.encode(
                batch, codes, sheet.deal_stride, sheet.card_stride, numbers, many, sheet.cut, misfits, &fault
            )
            if fault.found:
                many = start + fault.deal
                refuse(sheet, many if all_rows else <size_t> index[many], fault.place, fault.code)
            play_batch(kernel, batch, many, watch)
            unpack(batch, many, numbers, misfits, rows)
            for i in range(many):
                if misfits[i] != FITS:
                    # Never ahead of the numbers still to be read.
                    index[left] = <int64_t> (start + i) if all_rows else index[start + i]
                    left += 1
            start += many
    finally:
        close_batch(batch)
        free(misfits)
    count[0] = left
    return 0


cdef int play_in_lanes(
    const Kernel *kernel, const Sheet *sheet, int64_t *index, size_t *count, Watch *watch,
) except -1 nogil:
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
        play_form(kernel, sheet, counts, index, count, all_rows, watch)
        all_rows = False
        if count[0] == 0:
            return 0
    if all_rows:
        for i in range(total):
            index[i] = <int64_t> i
    return 0


cdef int play_one_by_one(const Sheet *sheet, const int64_t *index, size_t count, Watch *watch) except -1 nogil:
    """Play the rows of `index`, or the first ones if that is NULL, on the ring."""
    cdef Workspace *workspace = open_workspace(sheet.size, watch)
    cdef uint8_t *codes = <uint8_t *> malloc(sheet.size)
    cdef Outcome outcome
    cdef Row *row
    cdef size_t deal, i
    try:
        if workspace is NULL or codes is NULL:
            with gil:
                raise MemoryError(f"no memory for a game of {sheet.size:,} cards")
        for i in range(count):
            deal = i if index is NULL else <size_t> index[i]
            copy_deal(sheet, deal, codes)
            play(workspace, codes, sheet.cut, codes + sheet.cut, sheet.size - sheet.cut, &outcome)
            row = sheet.rows + deal
            row.status = outcome.status
            row.winner = outcome.winner
            row.cards = outcome.cards
            row.tricks = outcome.tricks
    finally:
        close_workspace(workspace)
        free(codes)
    return 0


def play_rows(const uint8_t[:, :] deals, size_t cut, rows, name, *, size_t first=0, Stop stop=None):
    """Play every row of an array of card codes exactly, without the GIL.

    Parameters
    ----------
    deals : uint8 array, shape (n, cards)
        Card codes, hand A followed by hand B, of any strides.
    cut : int
        Cards that hand A gets.
    rows : array of dtype `ROW`, shape (n,)
        Where the results go; C-contiguous.
    name : str
        The kernel, ``ring`` or one of lanes. Rows that the lanes cannot hold go to the ring.
    first : int, optional
        The number that messages give to the first row.
    stop : Stop, optional
        By what another thread ends the work early.

    Raises
    ------
    DealError
        If a code is not 0 to 4. The results are then of no use.
    KernelError
        If the kernel cannot run on this machine.
    MemoryError
        If there is no room for a batch.

    Examples
    --------
    >>> import numpy as np
    >>> from camicia.kernels.rows import ROW
    >>> rows = np.empty(1, ROW)
    >>> play_rows(np.array([[1, 0, 1]], np.uint8), 1, rows, "baseline")
    >>> rows[0].item()
    (0, 1, 5, 2)
    """
    cdef const Kernel *kernel = kernel_named(name)
    cdef Watch watch = watch_for(stop)
    cdef size_t count = deals.shape[0]
    cdef Sheet sheet
    cdef uint8_t[::1] room
    cdef int64_t[::1] index
    if rows.dtype != ROW or rows.shape != (count,) or not 0 <= cut <= <size_t> deals.shape[1]:
        raise ValueError(
            f"rows of dtype {rows.dtype} and shape {rows.shape} for {count:,} deals of {deals.shape[1]:,} "
            f"cards cut at {cut:,}: expected {ROW} and a cut within the deal"
        )
    if count == 0:
        return
    room = rows.view(np.uint8)
    sheet.codes = &deals[0, 0]
    sheet.deal_stride = deals.strides[0]
    sheet.card_stride = deals.strides[1]
    sheet.size = deals.shape[1]
    sheet.cut = cut
    sheet.rows = <Row *> &room[0]
    sheet.first = first
    # A hand that is empty at the start is the ring's: the lanes have no start for it.
    if kernel.kind not in (LANES_KERNEL, DEVICE) or cut == 0 or cut == sheet.size:
        with nogil:
            play_one_by_one(&sheet, NULL, count, &watch)
        return
    index = np.empty(count, np.int64)
    with nogil:
        play_in_lanes(kernel, &sheet, &index[0], &count, &watch)
        if count:
            play_one_by_one(&sheet, &index[0], count, &watch)


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
        self.counts = deck.counts
        for code, count in enumerate(self.counts):
            counts[code] = count
        self.batch = open_batch(counts, capacity)
        if self.batch is NULL:
            raise MemoryError(f"no memory for {capacity:,} deals")

    def __dealloc__(self):
        close_batch(self.batch)

    def put(self, const uint8_t[:, ::1] deals, size_t cut):
        """Write deals of the deck, rows of card codes, in place of all that were there.

        Raises ValueError if there are too many, one is not of the deck or a hand is empty.
        """
        cdef size_t i
        cdef bytes codes
        if <size_t> deals.shape[0] > self.batch.capacity or <size_t> deals.shape[1] != self.batch.size:
            raise ValueError(
                f"deals of shape {np.shape(deals)}: expected at most {self.batch.capacity} of {self.batch.size} cards"
            )
        if not 0 < cut < self.batch.size:
            raise ValueError(f"cut {cut}: expected 1 to {self.batch.size - 1}")
        self.count = 0
        self.batch.writer = <const void *> self
        for i in range(<size_t> deals.shape[0]):
            # A copy, which nobody changes once it is checked.
            codes = PyBytes_FromStringAndSize(<const char *> &deals[i, 0], deals.shape[1])
            counts = tuple(codes.count(code) for code in range(5))
            if counts != self.counts:
                raise ValueError(f"row {i}: has {counts} cards of the codes 0 to 4, expected {self.counts}")
            put_deal(self.batch, i, <const uint8_t *> codes, cut)
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
        cdef Watch watch = watch_for(None)
        with nogil:
            play_batch(kernel, self.batch, self.count, &watch)

    def rows(self):
        """The results of the last time, as `play_rows` gives them."""
        rows = np.zeros(self.count, ROW)
        if not self.count:
            return rows
        cdef uint8_t[::1] room = rows.view(np.uint8)
        write_results(self.batch, self.count, &room[0])
        return rows
