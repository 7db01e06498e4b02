"""The account of a unit's games: sums, histogram, checksum, the longest games, and the loops.

Each game costs a nanosecond or two: two sums, one bin, one mixed hash and two comparisons. Only a game that
may belong in a list, some hundreds among millions, is looked at further.

The mixing function is the finaliser of SplitMix64: G. L. Steele, D. Lea and C. H. Flood, "Fast splittable
pseudorandom number generators", OOPSLA 2014. docs/checksum.md has the whole formula.
"""

from libc.stdint cimport INT64_MAX, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy

from camicia.kernels.batch cimport Batch, Late, get_deal, packed_cards, packed_tricks
from camicia.wide cimport number_of, u128
from search.scan.histogram cimport FIRST_BINS, close_histogram, filled_bins, make_bin, open_histogram
from search.scan.toplist cimport close_list, contents, offer, open_list

from search.finds import Find

cdef extern from "tally.h" nogil:
    ctypedef struct Tally:
        uint64_t checksum
        uint64_t cards
        uint32_t most_cards
        uint32_t most_tricks
        uint32_t zeros

    uint64_t mixed_game(uint64_t number, uint64_t status, uint64_t cards, uint64_t tricks)
    Tally tally_block(const uint32_t *results, size_t count, uint64_t first_number)

#: Packed results that are tallied at once: they are looked at one by one only if a block holds a loop or a
#: game that may belong in a list.
cdef enum:
    BLOCK = 256

#: Counters side by side for a number of tricks: equal results in a row would wait for each other in one.
cdef enum:
    SIDES = 4

#: Candidates there is room for at first; a unit of climbing meets some hundreds.
cdef enum:
    FIRST_CANDIDATES = 256


cdef bint want(Candidates *wanted, size_t size, const uint8_t *codes, int64_t cards, int64_t tricks) noexcept nogil:
    """Note a candidate. Returns whether there was memory."""
    cdef Py_ssize_t room
    cdef void *block
    if wanted.count == wanted.room:
        room = 2 * wanted.room if wanted.room else FIRST_CANDIDATES
        block = realloc(wanted.codes, <size_t> room * size)
        if block is NULL:
            return False
        wanted.codes = <uint8_t *> block
        block = realloc(wanted.lengths, <size_t> room * 2 * sizeof(int64_t))
        if block is NULL:
            return False
        wanted.lengths = <int64_t *> block
        wanted.room = room
    memcpy(wanted.codes + <size_t> wanted.count * size, codes, size)
    wanted.lengths[2 * wanted.count] = cards
    wanted.lengths[2 * wanted.count + 1] = tricks
    wanted.count += 1
    return True


cdef class Account:
    """Counts games of one deck, batch by batch.

    Parameters
    ----------
    size : int
        Cards of a deal.
    finds_kept, loops_kept : int
        Length of the list of the longest by cards, of that by tricks, and of the loops of smallest rank.
    group : int, optional
        Consecutive games that are not independent of each other, such as those of one shuffle: the squares
        of their sums are added up, for the errors of the means. 0 for none.
    least_tricks : int, optional
        Finite games of at least this many tricks are noted as candidates (default: none).

    Attributes
    ----------
    games, loops : int
        Games counted, and how many of them never end.
    cards, tricks : int
        Sums over the finite games.
    checksum : int
        Sum of the games' mixed results, modulo 2**64.

    Examples
    --------
    >>> from camicia import Deck
    >>> from search.scan.scan import scan_ranks
    >>> account = Account(6, 10, 10)
    >>> _ = scan_ranks(account, Deck(4, 2, 0, 0, 0), 0, 15)
    >>> account.games, account.loops, account.histogram()
    (15, 1, {1: 4, 2: 7, 3: 3})
    """

    def __cinit__(self, Py_ssize_t size, Py_ssize_t finds_kept, Py_ssize_t loops_kept, Py_ssize_t group=0,
                  least_tricks=None):
        self.size = size
        open_list(&self.by_cards, finds_kept, size)
        open_list(&self.by_tricks, finds_kept, size)
        open_list(&self.looping, loops_kept, size)
        self.wanted.least_tricks = INT64_MAX if least_tricks is None else least_tricks
        self.sides = <uint32_t *> calloc(FIRST_BINS * SIDES, sizeof(uint32_t))
        self.deal = <uint8_t *> malloc(size)
        if self.sides is NULL or self.deal is NULL or not open_histogram(&self.finished):
            raise MemoryError("no memory for an account")
        self.group = self.group_left = group

    def __dealloc__(self):
        close_list(&self.by_cards)
        close_list(&self.by_tricks)
        close_list(&self.looping)
        free(self.wanted.codes)
        free(self.wanted.lengths)
        close_histogram(&self.finished)
        free(self.sides)
        free(self.deal)

    cdef void end_part(self, Py_ssize_t games) noexcept nogil:
        """So many games of a group are counted; at its end its sums are squared."""
        self.group_left -= games
        if self.group_left == 0:
            self.squared_cards += <u128> self.group_cards * <u128> self.group_cards
            self.squared_tricks += <u128> self.group_tricks * <u128> self.group_tricks
            self.group_cards = self.group_tricks = 0
            self.group_left = self.group

    cdef void add_played(self, const Batch *batch, uint64_t first_number, size_t count) noexcept nogil:
        """Count the first games of a batch that was played, given the number of the very first.

        A deal is read back only if it may belong in a list.
        """
        cdef size_t first = 0
        cdef size_t part
        if self.group == 0:
            self.count_played(batch, first, first_number, count)
            return
        while count > 0:
            part = min(count, <size_t> self.group_left)
            self.group_cards -= self.cards
            self.group_tricks -= self.tricks
            self.count_played(batch, first, first_number, part)
            self.group_cards += self.cards
            self.group_tricks += self.tricks
            first += part
            first_number += part
            count -= part
            self.end_part(part)

    cdef void count_played(
        self, const Batch *batch, size_t first, uint64_t first_number, size_t count,
    ) noexcept nogil:
        cdef const uint32_t *results = batch.results + first
        cdef uint32_t *sides = self.sides
        cdef uint32_t top = 0
        cdef Tally tally
        cdef size_t start = 0
        cdef size_t part, i
        cdef uint64_t games
        while start < count:
            part = min(count - start, <size_t> BLOCK)
            tally = tally_block(results + start, part, first_number + start)
            self.checksum += tally.checksum
            self.cards += tally.cards
            if tally.most_tricks < FIRST_BINS:
                top = max(top, tally.most_tricks)
                for i in range(start, start + part):
                    sides[packed_tricks(results[i]) * SIDES + (i & (SIDES - 1))] += 1
            else:
                for i in range(start, start + part):
                    self.count_tricks(packed_tricks(results[i]))
            if (tally.zeros or tally.most_cards >= self.by_cards.floor
                    or tally.most_tricks >= min(self.by_tricks.floor, self.wanted.least_tricks)):
                self.look_through(batch, first + start, first_number + start, part)
            start += part
        for i in range(top + 1):
            games = 0
            for part in range(SIDES):
                games += sides[i * SIDES + part]
                sides[i * SIDES + part] = 0
            self.finished.bins[i] += games
            self.tricks += games * i
        self.games += count

    cdef void look_through(
        self, const Batch *batch, size_t first, uint64_t first_number, size_t count,
    ) noexcept nogil:
        """Pick the games of a block that may belong in a list, and count those not in packed form."""
        cdef const Late *late = batch.late
        cdef const Late *end = late + batch.late_count
        cdef uint32_t result
        cdef uint64_t number
        cdef int64_t cards, tricks
        cdef size_t i
        for i in range(first, first + count):
            result = batch.results[i]
            if result:
                cards = packed_cards(result)
                tricks = packed_tricks(result)
                if (cards >= self.by_cards.floor or tricks >= self.by_tricks.floor
                        or tricks >= self.wanted.least_tricks):
                    get_deal(batch, i, self.deal)
                    self.pick(self.deal, 0, cards, tricks)
                continue
            # A loop, or a game too long for the packed form; it was counted as one of no trick and no card.
            while late < end and late.deal != i:
                late += 1
            cards = late.outcome.cards
            tricks = late.outcome.tricks
            number = first_number + (i - first)
            self.finished.bins[0] -= 1
            self.checksum -= mixed_game(number, 0, 0, 0)
            self.checksum += mixed_game(number, late.outcome.status, <uint64_t> cards, <uint64_t> tricks)
            if late.outcome.status:
                self.loops += 1
            else:
                self.cards += cards
                self.count_tricks(tricks)
            get_deal(batch, i, self.deal)
            self.pick(self.deal, late.outcome.status, cards, tricks)

    cdef void count_tricks(self, int64_t tricks) noexcept nogil:
        """Count a finite game in the histogram and the sum of tricks."""
        if not make_bin(&self.finished, tricks):
            self.out_of_memory = True
            return
        self.finished.bins[tricks] += 1
        self.tricks += tricks

    cdef void pick(self, const uint8_t *codes, uint8_t status, int64_t cards, int64_t tricks) noexcept nogil:
        """Offer a deal to the lists it may belong in."""
        if status:
            offer(&self.looping, 0, cards, tricks, codes)
            return
        # No game as long as the longest is ever below the list's end, so all of them come by here.
        if cards > self.most_cards:
            self.most_cards = cards
            self.most_cards_games = 0
        if cards == self.most_cards:
            self.most_cards_games += 1
        offer(&self.by_cards, cards, cards, tricks, codes)
        offer(&self.by_tricks, tricks, cards, tricks, codes)
        if tricks >= self.wanted.least_tricks and not want(&self.wanted, self.size, codes, cards, tricks):
            self.out_of_memory = True

    def check(self):
        """Raise MemoryError if any game could not be counted for want of memory."""
        if self.out_of_memory:
            raise MemoryError("no memory for the account of a unit")

    def histogram(self):
        """Finite games by their number of tricks: a dict that leaves out empty bins."""
        return filled_bins(&self.finished)

    def finds(self):
        """The longest by cards and the longest by tricks, each deal once; a tuple of Find."""
        return tuple(dict.fromkeys(contents(&self.by_cards) + contents(&self.by_tricks)))

    def loop_finds(self):
        """The looping deals of smallest rank; a tuple of Find."""
        return tuple(contents(&self.looping))

    def squares(self):
        """Sums over the groups of their squared cards and of their squared tricks; a tuple of int."""
        return number_of(self.squared_cards), number_of(self.squared_tricks)

    def take_candidates(self):
        """The candidates noted since the last call, in the order they were played; a list of Find."""
        cdef Py_ssize_t i
        cdef const uint8_t *codes = self.wanted.codes
        found = [
            Find(
                (<const char *> codes + i * self.size)[: self.size],
                self.wanted.lengths[2 * i], self.wanted.lengths[2 * i + 1],
            )
            for i in range(self.wanted.count)
        ]
        self.wanted.count = 0
        return found
