"""Consecutive deals, written straight into the form that the lanes play.

Deals of consecutive ranks begin alike: all arrangements of the last cards, the *ending*, go by before any
card above them changes. Such deals are a *group*, whose ending is as long as `GROUP` allows. What the lanes
need to know of an ending depends only on which cards it is made of, so every such set of cards is arranged
once, and its rows are kept. To write a group is then to copy these rows behind those of the group before;
the rows that belong to the cards above stay as they are for many groups, and are written in one go when they
change. A deal costs a nanosecond or two, a tenth of a step to the next permutation.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from camicia.kernels.batch cimport (
    COST, FIRST_A, FIRST_B, LAST_A, LAST_B, LEAD_A, MAX_LINKS, NONE, OWED_B, ROWS, TRAIL_A, TRAIL_B, WIDE_X, WIDE_Y,
    Batch, Join, Reading, begin_deal, begin_hand, form_for, lead_of, read_card, trail_of, widest_gap,
)
from camicia.deals.order cimport Ranking, next_deal, open_ranking, rank_codes
from camicia.deals.runs cimport BLOCK, begin_batch, copy_blocks, flush, go_on, take_over
from camicia.deals.source cimport DealSource

from camicia.deals import ranking

#: Deals of a group, at most. Larger groups cost less a deal, but there are more different endings to arrange:
#: with 2,048 nothing is gained, with 4,096 a stretch of a million deals took a tenth longer.
cdef enum:
    GROUP = 1024

#: Bytes for the rows of endings. Once they are full all are given up, and arranged again as they come. The
#: 52-card deck has some thousand endings of 12 kilobytes at most, of which a unit meets the most.
cdef enum:
    ARENA = 1 << 23

#: The rows that are kept of an ending, before those of the links of its payment cards.
cdef enum:
    JOIN = 0                # its first payment card, with the number cards before it
    OPENING = 1             # these number cards alone
    LAST = 2                # its last payment card
    TRAIL = 3               # the number cards after that
    LINKS = 4

cdef uint32_t arrangement(DealRange self) noexcept nogil:
    """Which arrangement of its ending the deal to come is."""
    cdef Ranking within
    cdef uint32_t counts[5]
    cdef size_t code
    for code in range(5):
        counts[code] = self.group.counts[code]
    open_ranking(&within, counts)
    return <uint32_t> rank_codes(&within, self.codes + self.size - self.ending)


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


cdef class DealRange(DealSource):
    """The deals of a deck from a rank on, with the usual cut, in order.

    Parameters
    ----------
    deck : Deck
        The deck.
    start : int
        Rank of the first deal.

    Raises
    ------
    RankError
        If there is no deal of that rank.
    MemoryError
        If there is no room for the endings.

    Examples
    --------
    >>> from camicia import Deck
    >>> deals = DealRange(Deck(2, 1, 0, 0, 1), 9)
    >>> deals.take(2)
    array([[4, 0, 0, 1],
           [4, 0, 1, 0]], dtype=uint8)
    >>> deals.take(1)
    array([[4, 1, 0, 0]], dtype=uint8)
    """

    def __cinit__(self, deck, start):
        self.cut = deck.cut
        self.form = form_for(self.counts)
        self.codes = <uint8_t *> malloc(self.size)
        if self.codes is NULL:
            raise MemoryError(f"no memory for a deal of {self.size:,} cards")
        if self.form.links:
            self._make_room(deck)
        self.seek(start)

    def __dealloc__(self):
        free(self.codes)
        free(self.readings)
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
        cdef uint16_t widest = widest_gap(self.form.gap_bits)
        stride = 1
        for code in range(5):
            self.room[code] = self.counts[code] if code else min(self.counts[code], widest)
            self.strides[code] = stride
            stride *= self.room[code] + 1
        self.endings_count = stride
        self.endings = <Endings *> calloc(self.endings_count, sizeof(Endings))
        self.readings = <Reading *> calloc(self.size + 1, sizeof(Reading))
        # Pages of it that are never written take no memory.
        self.arena = <uint8_t *> malloc(ARENA)
        if self.endings is NULL or self.readings is NULL or self.arena is NULL:
            raise MemoryError(f"no memory for the endings of deck {deck}")
        for index in range(self.endings_count):
            describe(self, index)
        begin_deal(self.readings)
        for code in range(4):
            self.runs.value[COST + code] = <uint16_t> (code + 1)

    cdef void fill(self, Batch *batch, size_t count) noexcept nogil:
        """Write the next `count` deals; there must be that many, and room for them."""
        cdef size_t deal = 0
        cdef size_t part, row, place, i
        cdef int code
        if self.form.links == 0:
            for deal in range(count):
                memcpy(batch.rows + deal * self.size, self.codes, self.size)
                batch.cut[deal] = <uint16_t> self.cut
                next_deal(self.codes, self.size)
            return
        begin_batch(&self.runs, batch == self.filled and batch.writer == <const void *> self)
        self.filled = batch
        batch.writer = <const void *> self
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
            flush(&self.runs, batch, row, count)

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
        """Read the cards above the ending, of which those from `place` on are new."""
        cdef Reading reading = self.readings[place]
        cdef Join join
        cdef size_t stop = self.size - self.ending
        while True:
            self.readings[place] = reading
            if place == self.cut:
                go_on(&self.runs, batch, FIRST_A, reading.first, deal)
                go_on(&self.runs, batch, LAST_A, reading.last, deal)
                go_on(&self.runs, batch, LEAD_A, lead_of(&reading), deal)
                go_on(&self.runs, batch, TRAIL_A, trail_of(&reading), deal)
                begin_hand(&reading)
            if place == stop:
                break
            if read_card(&self.form, &reading, self.codes[place], &join):
                if join.wide:
                    go_on(&self.runs, batch, join.wide_row, join.wide, deal)
                go_on(&self.runs, batch, join.row, join.link, deal)
            place += 1
        self.readings[stop] = reading
        if reading.wide < 1:
            go_on(&self.runs, batch, WIDE_X, 0, deal)
        if reading.wide < 2:
            go_on(&self.runs, batch, WIDE_Y, 0, deal)
        if self.group.rows is NULL:
            self.make(self.group)

    cdef void put_group(self, Batch *batch, size_t deal, size_t count) noexcept nogil:
        """Write so many deals of the group, from the arrangement that comes next."""
        cdef const Endings *group = self.group
        cdef const Reading *above = self.readings + self.size - self.ending
        cdef const uint8_t *rows = group.rows + self.at
        cdef uint8_t trail_a = <uint8_t> self.runs.value[TRAIL_A]
        cdef uint8_t *to
        cdef uint8_t before
        cdef size_t i
        if group.payment_cards == 0:
            # A group of one deal, the rest of whose hand B is number cards.
            before = above.gap + <uint8_t> self.ending
            go_on(&self.runs, batch, FIRST_B, above.first, deal)
            go_on(&self.runs, batch, LAST_B, above.last, deal)
            go_on(&self.runs, batch, OWED_B, (before if above.last == NONE else above.lead) + trail_a, deal)
            go_on(&self.runs, batch, TRAIL_B, 0 if above.last == NONE else before, deal)
            return
        if above.last == NONE:
            before = above.gap + trail_a
            to = take_over(&self.runs, batch, FIRST_B, deal, count)
            for i in range(count):
                to[i] = rows[JOIN * group.stride + i] - rows[OPENING * group.stride + i]
            to = take_over(&self.runs, batch, OWED_B, deal, count)
            for i in range(count):
                to[i] = rows[OPENING * group.stride + i] + before
        else:
            go_on(&self.runs, batch, FIRST_B, above.first, deal)
            go_on(&self.runs, batch, OWED_B, above.lead + trail_a, deal)
            self.put_join(batch, above, deal, count)
        copy_blocks(take_over(&self.runs, batch, LAST_B, deal, count), rows + LAST * group.stride, count)
        copy_blocks(take_over(&self.runs, batch, TRAIL_B, deal, count), rows + TRAIL * group.stride, count)
        for i in range(group.payment_cards):
            copy_blocks(
                take_over(&self.runs, batch, group.links[i], deal, count), rows + (LINKS + i) * group.stride, count
            )

    cdef void put_join(self, Batch *batch, const Reading *above, size_t deal, size_t count) noexcept nogil:
        """Write the link from the last payment card above the ending to the first one in it."""
        cdef const uint8_t *join = self.group.rows + JOIN * self.group.stride + self.at
        cdef const uint8_t *opening = self.group.rows + OPENING * self.group.stride + self.at
        cdef uint8_t *to = take_over(&self.runs, batch, above.last >> self.form.gap_bits, deal, count)
        cdef uint8_t widest = widest_gap(self.form.gap_bits)
        cdef uint8_t gap = above.gap
        cdef uint8_t *wide
        cdef size_t i
        if gap + self.group.counts[0] <= widest:
            copy_blocks(to, join, count)
            for i in range(count):
                to[i] += gap
            return
        wide = take_over(&self.runs, batch, WIDE_X + above.wide, deal, count)
        for i in range(count):
            if opening[i] + gap <= widest:
                to[i] = join[i] + gap
                wide[i] = 0
            else:
                to[i] = join[i] - opening[i] + widest + 1 + above.wide
                wide[i] = opening[i] + gap

    cdef void make(self, Endings *group) noexcept nogil:
        """Write the rows of every arrangement of an ending."""
        cdef uint8_t cards[64]
        cdef uint8_t place[MAX_LINKS]   # of each card number, its row among the links
        cdef Reading reading
        cdef Join join
        cdef uint8_t code
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
            begin_deal(&reading)
            for code in range(5):
                reading.used[code] = <uint8_t> (self.counts[code] - group.counts[code])
            for i in range(group.size):
                if read_card(&self.form, &reading, cards[i], &join):
                    to[place[join.row] * group.stride] = join.link
            to[JOIN * group.stride] = reading.first | reading.lead
            to[OPENING * group.stride] = reading.lead
            to[LAST * group.stride] = reading.last
            to[TRAIL * group.stride] = reading.gap
            next_deal(cards, group.size)
