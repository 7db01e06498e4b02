"""Batches of deals in the form the lanes play: making room, writing a deal, reading it back."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

cdef extern from "stdlib.h" nogil:
    int posix_memalign(void **block, size_t alignment, size_t size)


cdef Form form_for(const uint16_t *counts) noexcept nogil:
    """The form of a deck's deals in lanes; `links` is 0 if the lanes cannot hold them.

    `counts` are the deck's five, by card code.
    """
    cdef Form form
    cdef uint32_t payment_cards = <uint32_t> counts[1] + counts[2] + counts[3] + counts[4]
    cdef uint32_t size = payment_cards + counts[0]
    cdef uint32_t number = 0
    cdef uint32_t rank, pages
    if payment_cards <= 8:
        form.links = 8
    elif payment_cards <= 12:
        form.links = 12
    elif payment_cards <= 16:
        form.links = 16
    else:
        form.links = 0
    form.gap_bits = 5 if form.links == 8 else 4
    # One number card fewer than three wide gaps have. With 5 bits a gap of 30 is wide, with 4 bits one of 14.
    form.most_numbers = 89 if form.links == 8 else 41
    # One card is no game for lanes: the usual cut leaves hand A empty.
    if counts[0] > form.most_numbers or size < 2:
        form.links = 0
    for rank in range(4):
        form.room[rank] = <uint8_t> counts[rank + 1]
        number += counts[rank + 1]
        # A limit of 16 << 4 has no byte; the highest rank that there is then needs none to be told from it.
        if rank < 3:
            form.limit[rank] = <uint8_t> min(number << form.gap_bits, 255)
    # Games get longer with about the square of the deck. This gives 8,192 cards to 52, which no random game
    # and few records reach, and 4,864 to 40; loops of small decks are found out soon.
    pages = size * size // 84
    form.cut_off = <uint8_t> max(1, min(pages, 96))
    return form


cdef Batch *open_batch(const uint16_t *counts, size_t capacity) noexcept nogil:
    """Room for deals of one deck, to be closed by `close_batch`; NULL if there is no memory."""
    cdef Batch *batch = <Batch *> calloc(1, sizeof(Batch))
    cdef void *rows = NULL
    cdef size_t i
    cdef size_t room
    if batch is NULL:
        return NULL
    batch.capacity = capacity
    batch.form = form_for(counts)
    for i in range(5):
        batch.size += counts[i]
    if batch.form.links:
        # An odd number of cache lines, for rows a power of two apart would share few places in the cache.
        batch.stride = (capacity + MARGIN + 63) // 64 * 64
        if batch.stride // 64 % 2 == 0:
            batch.stride += 64
        room = ROWS * batch.stride
    else:
        batch.stride = batch.size
        room = capacity * batch.size
        batch.cut = <uint16_t *> calloc(capacity, sizeof(uint16_t))
    batch.results = <uint32_t *> calloc(capacity, sizeof(uint32_t))
    batch.late = <Late *> calloc(capacity, sizeof(Late))
    if (posix_memalign(&rows, 64, room) or batch.results is NULL or batch.late is NULL
            or (batch.form.links == 0 and batch.cut is NULL)):
        close_batch(batch)
        return NULL
    batch.rows = <uint8_t *> rows
    return batch


cdef void close_batch(Batch *batch) noexcept nogil:
    """Give the room back."""
    if batch is NULL:
        return
    free(batch.rows)
    free(batch.cut)
    free(batch.results)
    free(batch.late)
    free(batch)


cdef void put_deal(Batch *batch, size_t deal, const uint8_t *codes, size_t cut) noexcept nogil:
    """Write a deal of the batch's deck, given as card codes with hand A, `cut` cards, before hand B.

    In lanes neither hand may be empty, and the deal may have fewer cards of any kind than the deck.
    """
    cdef const Form *form = &batch.form
    cdef size_t stride = batch.stride
    cdef uint8_t *row = batch.rows + deal
    cdef Reading reading
    cdef Join join
    cdef size_t i
    if form.links == 0:
        memcpy(batch.rows + deal * batch.size, codes, batch.size)
        batch.cut[deal] = <uint16_t> cut
        return
    row[WIDE_X * stride] = row[WIDE_Y * stride] = 0
    for i in range(4):
        row[(COST + i) * stride] = <uint8_t> (i + 1)
    for i in range(MAX_LINKS):
        row[i * stride] = 0
    begin_deal(&reading)
    for i in range(batch.size):
        if i == cut:
            row[FIRST_A * stride] = reading.first
            row[LAST_A * stride] = reading.last
            row[LEAD_A * stride] = lead_of(&reading)
            row[TRAIL_A * stride] = trail_of(&reading)
            begin_hand(&reading)
        if read_card(form, &reading, codes[i], &join):
            row[join.row * stride] = join.link
            if join.wide:
                row[join.wide_row * stride] = join.wide
    row[FIRST_B * stride] = reading.first
    row[LAST_B * stride] = reading.last
    row[OWED_B * stride] = lead_of(&reading) + row[TRAIL_A * stride]
    row[TRAIL_B * stride] = trail_of(&reading)


cdef size_t get_deal(const Batch *batch, size_t deal, uint8_t *codes) noexcept nogil:
    """Read a deal back as card codes, hand A before hand B; returns how many are hand A's."""
    cdef const Form *form = &batch.form
    cdef size_t stride = batch.stride
    cdef const uint8_t *row = batch.rows + deal
    cdef uint8_t widest = widest_gap(form.gap_bits)
    cdef uint8_t number, last, link, gap
    cdef uint32_t hand, rank
    cdef size_t laid = 0
    cdef size_t cut = 0
    if form.links == 0:
        memcpy(codes, batch.rows + deal * batch.size, batch.size)
        return batch.cut[deal]
    for hand in range(2):
        number = row[(FIRST_B if hand else FIRST_A) * stride]
        last = row[(LAST_B if hand else LAST_A) * stride]
        gap = row[OWED_B * stride] - row[TRAIL_A * stride] if hand else row[LEAD_A * stride]
        while True:
            for _ in range(gap):
                codes[laid] = 0
                laid += 1
            if number == NONE:
                break
            rank = (number >= form.limit[0]) + (number >= form.limit[1]) + (number >= form.limit[2])
            codes[laid] = row[(COST + rank) * stride]
            laid += 1
            if number == last:
                number = NONE
                gap = row[(TRAIL_B if hand else TRAIL_A) * stride]
                continue
            link = row[(number >> form.gap_bits) * stride]
            number = link >> form.gap_bits << form.gap_bits
            gap = link & ((1 << form.gap_bits) - 1)
            if gap == widest + 1:
                gap = row[WIDE_X * stride]
            elif gap == widest + 2:
                gap = row[WIDE_Y * stride]
        if hand == 0:
            cut = laid
    return cut
