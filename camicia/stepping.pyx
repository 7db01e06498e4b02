# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Consecutive deals, written straight into the form that the lanes play.

Deals of consecutive ranks begin alike: all arrangements of the last cards, the *ending*, go by before any
card above them changes. Such deals are a *group*, whose ending is as long as `GROUP` allows. What the lanes
need to know of an ending depends only on which cards it is made of, so every such set of cards is arranged
once, and its rows are kept. To write a group is then to copy these rows behind those of the group before;
the rows that belong to the cards above stay as they are for many groups, and are written in one go when they
change. A deal costs a nanosecond or two, a tenth of a step to the next permutation.

Copies and fills are done in blocks, which may write past their end, over what comes later anyway; the
`MARGIN` of a batch is there for that.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from camicia.batch cimport (
    COST, FIRST_A, FIRST_B, LAST_A, LAST_B, LEAD_A, NONE, OWED_B, ROWS, TRAIL_A, TRAIL_B, WIDE_X, WIDE_Y,
    MAX_LINKS, Batch, close_batch, form_for, get_deal, open_batch,
)
from camicia.ranking cimport Ranking, next_deal, open_ranking, rank_codes

import numpy as np

from camicia import ranking

#: Deals of a batch: its rows and results stay in a second-level cache, and the lanes seldom run dry.
cdef enum:
    CAPACITY = 16_384

#: Deals of a group, at most. Larger groups cost less a deal, but there are more different endings to arrange:
#: with 2,048 nothing is gained, with 4,096 a stretch of a million deals took a tenth longer.
cdef enum:
    GROUP = 1024

#: Bytes for the rows of endings. Once they are full all are given up, and arranged again as they come. The
#: 52-card deck has some thousand endings of 12 kilobytes at most, of which a unit meets the most.
cdef enum:
    ARENA = 1 << 23

#: Bytes that are copied and filled at once; at most MARGIN.
cdef enum:
    BLOCK = 16

#: Bytes from which on the C library's copies and fills are faster, with their wider registers.
cdef enum:
    LONG = 128

#: The rows that are kept of an ending, before those of the links of its payment cards.
cdef enum:
    JOIN = 0                # its first payment card, with the number cards before it
    OPENING = 1             # these number cards alone
    LAST = 2                # its last payment card
    TRAIL = 3               # the number cards after that
    LINKS = 4

#: In place of a row's value, when the row holds different ones.
cdef enum:
    MIXED = 256


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


cdef inline void flush(DealRange self, Batch *batch, size_t row, size_t deal) noexcept nogil:
    """Write a row up to this deal."""
    cdef size_t since = self.since[row]
    cdef uint8_t value = <uint8_t> self.value[row]
    self.since[row] = deal
    if since == 0:
        # Rows that never change, such as the costs of ranks, are written in the first batch only.
        if self.whole[row] == value and self.length[row] >= deal:
            return
        self.whole[row] = value
        self.length[row] = deal
    elif since < deal:
        self.length[row] = min(self.length[row], since)
    if since < deal:
        fill_blocks(batch.rows + row * batch.stride + since, value, deal - since)


cdef inline void go_on(DealRange self, Batch *batch, size_t row, uint8_t value, size_t deal) noexcept nogil:
    """From this deal on the row goes on with this value."""
    if self.value[row] != value:
        flush(self, batch, row, deal)
        self.value[row] = value


cdef inline uint8_t *take_over(
    DealRange self, Batch *batch, size_t row, size_t deal, size_t count,
) noexcept nogil:
    """The place to write a row of so many deals, each its own value."""
    flush(self, batch, row, deal)
    self.length[row] = min(self.length[row], deal)
    self.value[row] = MIXED
    self.since[row] = deal + count
    return batch.rows + row * batch.stride + deal


cdef uint32_t arrangement(DealRange self) noexcept nogil:
    """Which arrangement of its ending the deal to come is."""
    cdef Ranking within
    cdef uint32_t counts[5]
    cdef size_t code
    for code in range(5):
        counts[code] = self.group.counts[code]
    open_ranking(&within, counts)
    return <uint32_t> rank_codes(&within, self.codes + self.size - self.ending).low


cdef void describe(DealRange self, size_t index) noexcept nogil:
    """Fill in what an ending is made of, and count its arrangements."""
    cdef Endings *ending = self.endings + index
    cdef Endings *smaller
    cdef size_t number = 0
    cdef size_t code, card
    cdef uint64_t count = 1
    for code in range(5):
        ending.counts[code] = <uint8_t> (index // self.strides[code] % (self.room[code] + 1))
        ending.size += ending.counts[code]
        if code == 0:
            continue
        # Cards of a rank are numbered as they come, so those of the ending are the last of the rank.
        for card in range(self.counts[code] - ending.counts[code], self.counts[code]):
            ending.links[ending.payment_cards] = <uint8_t> (number + card)
            ending.payment_cards += 1
        number += self.counts[code]
    for code in range(5):
        if ending.counts[code]:
            # The arrangements without one of these cards; an ending with more of them is never smaller.
            smaller = self.endings + index - self.strides[code]
            count = <uint64_t> smaller.count * ending.size // ending.counts[code]
            break
    if count <= GROUP and ending.size <= self.size - self.cut:
        ending.count = <uint32_t> count
        ending.stride = ending.count + 2 * BLOCK


cdef class DealRange:
    """The deals of a deck from a rank on, with the usual cut, in order.

    Parameters
    ----------
    deck : Deck
        The deck, of two cards or more.
    start : int
        Rank of the first deal.
    capacity : int, optional
        Deals of a batch.

    Raises
    ------
    RankError
        If there is no deal of that rank.
    MemoryError
        If there is no room for a batch.

    Examples
    --------
    >>> from camicia import Deck
    >>> DealRange(Deck(2, 1, 0, 0, 1), 9).take(2)
    array([[4, 0, 0, 1],
           [4, 0, 1, 0]], dtype=uint8)
    """

    def __cinit__(self, deck, start, size_t capacity=CAPACITY):
        cdef int code
        self.deck = deck
        self.size = deck.size
        self.cut = deck.cut
        for code in range(5):
            self.counts[code] = deck.counts[code]
        self.form = form_for(self.counts)
        self.codes = <uint8_t *> malloc(self.size)
        self.batch = open_batch(self.counts, capacity)
        if self.codes is NULL or self.batch is NULL:
            raise MemoryError(f"no memory for {capacity:,} deals of {self.size:,} cards")
        if self.form.links:
            self._make_room(deck)
        self.seek(start)

    def __dealloc__(self):
        close_batch(self.batch)
        free(self.codes)
        free(self.walks)
        free(self.endings)
        free(self.arena)

    def seek(self, start):
        """Go to the deal of a rank; the endings that are arranged stay so.

        Raises
        ------
        RankError
            If there is no deal of that rank.
        """
        cdef bytes row = ranking.unrank(self.deck.counts, start)
        memcpy(self.codes, <const uint8_t *> row, self.size)
        # The group is found when the first deal is written.
        self.group = NULL

    def _make_room(self, deck):
        """List all the sets of cards that an ending may be made of."""
        cdef size_t code, index, stride
        # No gap within an ending may be a wide one.
        cdef uint16_t widest = <uint16_t> ((1 << self.form.gap_bits) - 3)
        stride = 1
        for code in range(5):
            self.room[code] = self.counts[code] if code else min(self.counts[code], widest)
            self.strides[code] = stride
            stride *= self.room[code] + 1
        self.endings_count = stride
        self.endings = <Endings *> calloc(self.endings_count, sizeof(Endings))
        self.walks = <Walk *> calloc(self.size + 1, sizeof(Walk))
        # Pages of it that are never written take no memory.
        self.arena = <uint8_t *> malloc(ARENA)
        if self.endings is NULL or self.walks is NULL or self.arena is NULL:
            raise MemoryError(f"no memory for the endings of deck {deck}")
        for index in range(self.endings_count):
            describe(self, index)
        self.walks[0].first = self.walks[0].last = NONE
        for code in range(4):
            self.value[COST + code] = <uint16_t> (code + 1)

    cdef void fill(self, size_t count) noexcept nogil:
        """Write the next deals to the batch; there must be so many, and room for them."""
        cdef Batch *batch = self.batch
        cdef size_t deal = 0
        cdef size_t part, row, place, i
        cdef int code
        if self.form.links == 0:
            for deal in range(count):
                memcpy(batch.rows + deal * self.size, self.codes, self.size)
                batch.cut[deal] = <uint16_t> self.cut
                next_deal(self.codes, self.size)
            return
        for row in range(ROWS):
            self.since[row] = 0
        if self.group is NULL:
            self.choose_group()
            self.at = arrangement(self)
            self.begin_group(batch, 0, 0)
        while deal < count:
            if self.at == self.group.count:
                # The next deal after the last arrangement of the ending has other cards above it.
                i = self.size - self.ending
                for code in range(4, -1, -1):
                    memset(self.codes + i, code, self.group.counts[code])
                    i += self.group.counts[code]
                place = next_deal(self.codes, self.size)
                self.choose_group()
                self.at = 0
                self.begin_group(batch, place, deal)
            part = min(count - deal, <size_t> (self.group.count - self.at))
            self.put_group(batch, deal, part)
            self.at += <uint32_t> part
            deal += part
        for row in range(ROWS):
            flush(self, batch, row, count)

    cdef void choose_group(self) noexcept nogil:
        """Take as many last cards of the deal to come as make a group."""
        cdef size_t index = 0
        cdef size_t place = self.size
        cdef uint8_t code
        cdef uint16_t left[5]
        memcpy(left, self.room, sizeof(left))
        while place > self.cut:
            code = self.codes[place - 1]
            if left[code] == 0 or self.endings[index + self.strides[code]].count == 0:
                break
            left[code] -= 1
            index += self.strides[code]
            place -= 1
        self.group = self.endings + index
        self.ending = self.group.size

    cdef void begin_group(self, Batch *batch, size_t place, size_t deal) noexcept nogil:
        """Walk the cards above the ending, of which those from `place` on are new."""
        cdef Walk walk = self.walks[place]
        cdef size_t stop = self.size - self.ending
        cdef uint8_t widest = <uint8_t> ((1 << self.form.gap_bits) - 3)
        cdef uint8_t code, number, gap
        while True:
            self.walks[place] = walk
            if place == self.cut:
                gap = 0 if walk.last == NONE else walk.gap
                go_on(self, batch, FIRST_A, walk.first, deal)
                go_on(self, batch, LAST_A, walk.last, deal)
                go_on(self, batch, LEAD_A, walk.gap if walk.last == NONE else walk.lead, deal)
                go_on(self, batch, TRAIL_A, gap, deal)
                walk.first = walk.last = NONE
                walk.gap = 0
            if place == stop:
                break
            code = self.codes[place]
            if code == 0:
                walk.gap += 1
            else:
                number = <uint8_t> (walk.used[code] << self.form.gap_bits)
                if code > 1:
                    number += self.form.limit[code - 2]
                if walk.last == NONE:
                    walk.first = number
                    walk.lead = walk.gap
                else:
                    gap = walk.gap
                    if gap > widest:
                        go_on(self, batch, WIDE_X + walk.wide, gap, deal)
                        walk.wide += 1
                        gap = widest + walk.wide
                    go_on(self, batch, walk.last >> self.form.gap_bits, number | gap, deal)
                walk.last = number
                walk.gap = 0
            walk.used[code] += 1
            place += 1
        self.walks[stop] = walk
        if walk.wide < 1:
            go_on(self, batch, WIDE_X, 0, deal)
        if walk.wide < 2:
            go_on(self, batch, WIDE_Y, 0, deal)
        if self.group.rows is NULL:
            self.make(self.group)

    cdef void put_group(self, Batch *batch, size_t deal, size_t count) noexcept nogil:
        """Write so many deals of the group, from the arrangement that comes next."""
        cdef const Endings *group = self.group
        cdef const Walk *walk = self.walks + self.size - self.ending
        cdef const uint8_t *rows = group.rows + self.at
        cdef uint8_t trail_a = <uint8_t> self.value[TRAIL_A]
        cdef uint8_t *to
        cdef uint8_t before
        cdef size_t i
        if group.payment_cards == 0:
            # A group of one deal, the rest of whose hand B is number cards.
            before = walk.gap + <uint8_t> self.ending
            go_on(self, batch, FIRST_B, walk.first, deal)
            go_on(self, batch, LAST_B, walk.last, deal)
            go_on(self, batch, OWED_B, (before if walk.last == NONE else walk.lead) + trail_a, deal)
            go_on(self, batch, TRAIL_B, 0 if walk.last == NONE else before, deal)
            return
        if walk.last == NONE:
            before = walk.gap + trail_a
            to = take_over(self, batch, FIRST_B, deal, count)
            for i in range(count):
                to[i] = rows[JOIN * group.stride + i] - rows[OPENING * group.stride + i]
            to = take_over(self, batch, OWED_B, deal, count)
            for i in range(count):
                to[i] = rows[OPENING * group.stride + i] + before
        else:
            go_on(self, batch, FIRST_B, walk.first, deal)
            go_on(self, batch, OWED_B, walk.lead + trail_a, deal)
            self.put_join(batch, walk, deal, count)
        copy_blocks(take_over(self, batch, LAST_B, deal, count), rows + LAST * group.stride, count)
        copy_blocks(take_over(self, batch, TRAIL_B, deal, count), rows + TRAIL * group.stride, count)
        for i in range(group.payment_cards):
            copy_blocks(
                take_over(self, batch, group.links[i], deal, count), rows + (LINKS + i) * group.stride, count
            )

    cdef void put_join(self, Batch *batch, const Walk *walk, size_t deal, size_t count) noexcept nogil:
        """Write the link from the last payment card above the ending to the first one in it."""
        cdef const uint8_t *join = self.group.rows + JOIN * self.group.stride + self.at
        cdef const uint8_t *opening = self.group.rows + OPENING * self.group.stride + self.at
        cdef uint8_t *to = take_over(self, batch, walk.last >> self.form.gap_bits, deal, count)
        cdef uint8_t widest = <uint8_t> ((1 << self.form.gap_bits) - 3)
        cdef uint8_t gap = walk.gap
        cdef uint8_t *wide
        cdef size_t i
        if gap + self.group.counts[0] <= widest:
            copy_blocks(to, join, count)
            for i in range(count):
                to[i] += gap
            return
        wide = take_over(self, batch, WIDE_X + walk.wide, deal, count)
        for i in range(count):
            if opening[i] + gap <= widest:
                to[i] = join[i] + gap
                wide[i] = 0
            else:
                to[i] = join[i] - opening[i] + widest + 1 + walk.wide
                wide[i] = opening[i] + gap

    cdef void make(self, Endings *group) noexcept nogil:
        """Write the rows of every arrangement of an ending."""
        cdef uint8_t cards[64]
        cdef uint8_t place[MAX_LINKS]   # of each card number, its row among the links
        cdef uint8_t used[5]
        cdef uint8_t code, number, last, gap
        cdef uint8_t *to
        cdef uint32_t arrangement
        cdef size_t i = 0
        cdef size_t bytes_needed = group.stride * (LINKS + group.payment_cards)
        if self.arena_used + bytes_needed > ARENA:
            for i in range(self.endings_count):
                self.endings[i].rows = NULL
            self.arena_used = 0
        group.rows = self.arena + self.arena_used
        self.arena_used += bytes_needed
        i = 0
        for code in range(5):
            memset(cards + i, code, group.counts[code])
            i += group.counts[code]
        for i in range(group.payment_cards):
            place[group.links[i]] = <uint8_t> (LINKS + i)
        for arrangement in range(group.count):
            to = group.rows + arrangement
            for code in range(5):
                used[code] = <uint8_t> (self.counts[code] - group.counts[code])
            last = NONE
            gap = 0
            for i in range(group.size):
                code = cards[i]
                if code == 0:
                    gap += 1
                    continue
                number = <uint8_t> (used[code] << self.form.gap_bits)
                if code > 1:
                    number += self.form.limit[code - 2]
                used[code] += 1
                if last == NONE:
                    to[JOIN * group.stride] = number | gap
                    to[OPENING * group.stride] = gap
                else:
                    to[place[last >> self.form.gap_bits] * group.stride] = number | gap
                last = number
                gap = 0
            to[LAST * group.stride] = last
            to[TRAIL * group.stride] = gap
            next_deal(cards, group.size)

    def take(self, count):
        """The next deals as card codes, having been through the form that the lanes play.

        Parameters
        ----------
        count : int
            How many; there must be so many.

        Returns
        -------
        array of uint8, shape (count, size)
            Hand A followed by hand B, a row a deal.
        """
        cdef size_t i, part, done = 0
        cdef size_t left = count
        cdef uint8_t[:, ::1] rows
        deals = np.zeros((count, self.size), np.uint8)
        rows = deals
        while left > 0:
            part = min(left, self.batch.capacity)
            self.fill(part)
            for i in range(part):
                get_deal(self.batch, i, &rows[done + i, 0])
            done += part
            left -= part
        return deals
