"""Rows of a batch written in runs: stretches of deals that have one value each, or are written one by one.

For other compiled modules, which inline it. Copies and fills are done in blocks, which may write past their end,
over what comes later anyway; the `MARGIN` of a batch is there for that.
"""

from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memcpy, memset

from camicia.kernels.batch cimport ROWS, Batch

#: Bytes that are copied and filled at once; at most MARGIN.
cdef enum:
    BLOCK = 16

#: Bytes from which on the C library's copies and fills are faster, with their wider registers.
cdef enum:
    LONG = 128

#: In place of a row's value, when the row holds different ones.
cdef enum:
    MIXED = 256


cdef struct Runs:
    uint16_t value[ROWS]    # what each row of a batch goes on with
    size_t since[ROWS]      # up to where it is written
    size_t length[ROWS]     # how many of its first deals have one value in a row
    uint8_t whole[ROWS]     # and which


cdef inline void begin_batch(Runs *runs, bint same_batch) noexcept nogil:
    """Write from the first deal on; unless it is the batch of the last time, nothing in it is known."""
    memset(runs.since, 0, sizeof(runs.since))
    if not same_batch:
        memset(runs.length, 0, sizeof(runs.length))


cdef inline void copy_blocks(uint8_t *to, const uint8_t *source, size_t count) noexcept nogil:
    cdef size_t i = 0
    if count > LONG:
        memcpy(to, source, count)
        return
    while i < count:
        memcpy(to + i, source + i, BLOCK)
        i += BLOCK


cdef inline void fill_blocks(uint8_t *to, uint8_t value, size_t count) noexcept nogil:
    cdef size_t i = 0
    if count > LONG:
        memset(to, value, count)
        return
    while i < count:
        memset(to + i, value, BLOCK)
        i += BLOCK


cdef inline void flush(Runs *runs, Batch *batch, size_t row, size_t deal) noexcept nogil:
    """Write a row up to this deal."""
    cdef size_t since = runs.since[row]
    cdef uint8_t value = <uint8_t> runs.value[row]
    runs.since[row] = deal
    if since == 0:
        # Rows that never change, such as the costs of ranks, are written in the first batch only.
        if runs.whole[row] == value and runs.length[row] >= deal:
            return
        runs.whole[row] = value
        runs.length[row] = deal
    elif since < deal:
        runs.length[row] = min(runs.length[row], since)
    if since < deal:
        fill_blocks(batch.rows + row * batch.stride + since, value, deal - since)


cdef inline void go_on(Runs *runs, Batch *batch, size_t row, uint8_t value, size_t deal) noexcept nogil:
    """From this deal on the row goes on with this value."""
    if runs.value[row] != value:
        flush(runs, batch, row, deal)
        runs.value[row] = value


cdef inline uint8_t *take_over(
    Runs *runs, Batch *batch, size_t row, size_t deal, size_t count,
) noexcept nogil:
    """The place to write a row of so many deals, each its own value."""
    flush(runs, batch, row, deal)
    runs.length[row] = min(runs.length[row], deal)
    runs.value[row] = MIXED
    runs.since[row] = deal + count
    return batch.rows + row * batch.stride + deal
