"""The walk among loops: edit a state of a loop's cycle, play on, and keep each new cycle to go on from.

Random bits are raw 64-bit words of NumPy's Philox4x64 with the campaign's seed as key, those of unit i from
counter ``i << 128`` on. A number below `bound` is the upper half of a word times `bound`: not quite uniform,
by less than one in 2^50, which a walk does not feel.
"""

from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp, memcpy, memmove

from camicia.ancestry.cycles cimport Course, CycleName, name_reached, reach_cycle
from camicia.ancestry.walker cimport close_walker, open_walker, play_trick, set_state, write_row
from camicia.watch cimport look, watch_for
from search.scan.histogram cimport close_histogram, filled_bins, make_bin, open_histogram
from search.strategies.loops.names cimport close_names, enter, hash_state, make_slots, open_names
from search.strategies.loops.pool cimport Loop, close_pool, draw_loop, open_pool, pick, put_loop

from numpy.random import Philox

from camicia.deals.sampling import checked_seed

cdef extern from "tally.h" nogil:
    uint64_t mixed_game(uint64_t number, uint64_t status, uint64_t cards, uint64_t tricks)

#: Edits between two looks at the watch, some milliseconds.
cdef enum:
    LOOK = 1 << 12

#: Edits of a state at once, at most: more of them hardly ever leave a loop.
cdef enum:
    MOST_EDITS = 4

#: Wanted cycles there is room for at first.
cdef enum:
    FIRST_WANTED = 256


cdef class Wander:
    """One walk among loops.

    Parameters
    ----------
    deck : Deck
        The deck that is wanted: no state gets more cards.
    seed : int
        The campaign's seed, 0 to 2**64 - 1.
    unit : int
        Number of the unit, 0 or more.
    surplus : int
        How many cards a loop may have beyond those of the deck, over all codes.
    longest_cycle : int
        The most states of a cycle.
    uneven : int
        How far the hands may at least be apart on the whole of a cycle, in cards.
    recency : int
        How strongly recent loops are preferred: the newest of so many random ones is a candidate.
    nearness : int
        How strongly those near to the deck are preferred: the nearest of so many candidates is taken.
    payment_weight : int
        As how many number cards a payment card counts that a loop lacks or has too many.
    alike : int
        0 to go on from every loop; 1 from only one of those that differ in nothing but which payment card
        stands where.

    Examples
    --------
    >>> from camicia import Deck
    >>> from search.strategies.loops.wander import Wander
    >>> wander = Wander(Deck(4, 2, 0, 0, 0), 7, 0, 1, 100, 8, 2, 2, 1, 0)
    >>> wander.start(b"\\1\\0\\0", b"\\0\\1\\0")
    True
    >>> wander.run(1000, 0)
    >>> wander.tallied()["games"], wander.cycles()
    (1000, [(b'\\x00\\x00\\x01\\x00', b'\\x01\\x00')])
    """

    def __cinit__(self, deck, seed, unit, int64_t surplus, int64_t longest_cycle, int64_t uneven,
                  int64_t recency, int64_t nearness, int64_t payment_weight, bint alike):
        self.stride = deck.size
        self.generator = Philox(key=checked_seed(seed), counter=int(unit) << 128)
        self.bits = <bitgen_t *> PyCapsule_GetPointer(self.generator.capsule, "BitGenerator")
        for code, count in enumerate(deck.counts):
            self.counts[code] = count
        self.surplus = surplus
        self.longest_cycle = longest_cycle
        self.uneven = uneven
        self.recency = recency
        self.nearness = nearness
        self.payment_weight = payment_weight
        self.alike = alike
        self.walker = open_walker(self.stride, self.stride, 0)
        self.row = <uint8_t *> malloc(self.stride + 1)
        self.layout = <uint8_t *> malloc(self.stride + 5)
        self.unedited = <uint8_t *> malloc(self.stride)
        self.wanted_room = FIRST_WANTED
        self.wanted = <uint8_t *> malloc(<size_t> FIRST_WANTED * (self.stride + 4))
        if (self.walker is NULL or self.row is NULL or self.layout is NULL or self.unedited is NULL
                or self.wanted is NULL or not open_pool(&self.pool, self.stride)
                or not open_histogram(&self.histogram)
                or not open_names(&self.names) or not open_names(&self.layouts)):
            raise MemoryError(f"no memory for a walk among loops of {self.stride:,} cards")

    def __dealloc__(self):
        close_walker(self.walker)
        close_pool(&self.pool)
        close_names(&self.names)
        close_names(&self.layouts)
        close_histogram(&self.histogram)
        free(self.row)
        free(self.layout)
        free(self.unedited)
        free(self.wanted)

    def start(self, bytes leader, bytes other):
        """Put a loop in to go on from.

        Parameters
        ----------
        leader, other : bytes
            Hands of a state: card codes 0 to 4, top card first; taken as valid, neither empty, of at most as
            many cards as the deck.

        Returns
        -------
        bool
            Whether it is a loop that was not there yet and is within the bounds, but for evenness.
        """
        cdef Course course
        cdef int64_t states
        cdef uint64_t before = self.names.count
        cdef int64_t uneven = self.uneven
        cdef uint32_t size = <uint32_t> (len(leader) + len(other))
        row = leader + other
        if size > self.stride or not leader or not other or row.strip(bytes(range(5))):
            raise ValueError(f"{size} cards: expected two hands of codes 0 to 4, at most {self.stride} in all")
        memcpy(self.row, PyBytes_AsString(row), size)
        if not self.within(size, <uint32_t> len(leader)):
            return False
        set_state(self.walker, self.row, len(leader), self.row + len(leader), len(other))
        course.cards = course.tricks = 0
        self._begin_watch()
        states = reach_cycle(self.walker, &course)
        if states == 0:
            return False
        self.uneven = size
        self.note(size, states)
        self.uneven = uneven
        self._check_memory()
        return self.names.count > before

    def run(self, int64_t edits, uint64_t first_number):
        """Edit and play on so many times; the first of these games has the given number."""
        cdef int64_t i
        cdef Loop loop
        cdef uint32_t size, leads
        if self.pool.count == 0:
            raise ValueError("no loop to begin with")
        self._begin_watch()
        with nogil:
            for i in range(edits):
                if i % LOOK == LOOK - 1:
                    look(&self.watch)
                while True:
                    self.choose(&loop)
                    leads = loop.leads
                    size = self.edited(loop.size, &leads)
                    if self.within(size, leads) and not (
                            size == loop.size and leads == loop.leads
                            and memcmp(self.row, self.unedited, size) == 0):
                        break
                self.test(size, leads, first_number + <uint64_t> i)
                if self.out_of_memory:
                    break
        self._check_memory()

    def tallied(self):
        """What the games came to: a dict of games, loops, met, cards, tricks, checksum, histogram.

        `met` counts the cycles, of whatever deck.
        """
        return {
            "games": self.games,
            "loops": self.loops,
            "met": self.met,
            "cards": self.cards,
            "tricks": self.tricks,
            "checksum": self.checksum,
            "histogram": filled_bins(&self.histogram),
        }

    @property
    def gone_on_from(self):
        """How many loops were kept to go on from."""
        return self.pool.count

    def cycles(self):
        """The cycles of exactly the deck, in the order in which they were met: both hands of the smallest state."""
        cdef int64_t i
        cdef uint8_t *entry = self.wanted
        cdef uint32_t leads
        found = []
        for i in range(self.wanted_count):
            memcpy(&leads, entry, 4)
            row = PyBytes_FromStringAndSize(<char *> entry + 4, self.stride)
            found.append((row[:leads], row[leads:]))
            entry += self.stride + 4
        return found

    def _begin_watch(self):
        self.watch = watch_for(None)
        self.walker.watch = &self.watch

    def _check_memory(self):
        if self.out_of_memory:
            raise MemoryError(f"no memory for the {self.names.count:,} cycles of a walk")

    cdef void choose(self, Loop *loop) noexcept nogil:
        """Take a loop to go on from, and put a random state of its cycle into `row`."""
        cdef const uint8_t *row = draw_loop(&self.pool, self.bits, self.recency, self.nearness, loop)
        cdef int64_t i
        set_state(self.walker, row, loop.leads, row + loop.leads, loop.size - loop.leads)
        for i in range(<int64_t> pick(self.bits, <uint64_t> loop.states)):
            play_trick(self.walker)
        write_row(self.walker, self.row)
        memcpy(self.unedited, self.row, loop.size)
        loop.leads = self.walker.hand[self.walker.leader].size

    cdef uint32_t edited(self, uint32_t size, uint32_t *leads) noexcept nogil:
        """Edit the state in `row` one to four times; returns its new size."""
        cdef uint64_t edits = 1 + pick(self.bits, MOST_EDITS)
        cdef uint64_t kind
        cdef uint32_t place, other
        cdef uint8_t code
        while edits:
            kind = pick(self.bits, 4)
            if kind == 0 and size < self.stride:
                # Between the hands there are two places, below the one and on top of the other.
                place = <uint32_t> pick(self.bits, size + 2)
                if place <= leads[0]:
                    leads[0] += 1
                else:
                    place -= 1
                memmove(self.row + place + 1, self.row + place, size - place)
                self.row[place] = self.card()
                size += 1
                edits -= 1
            elif kind == 1 and size > 2:
                place = <uint32_t> pick(self.bits, size)
                if place < leads[0]:
                    leads[0] -= 1
                size -= 1
                memmove(self.row + place, self.row + place + 1, size - place)
                edits -= 1
            elif kind == 2:
                place = <uint32_t> pick(self.bits, size)
                code = self.card()
                if code != self.row[place]:
                    self.row[place] = code
                    edits -= 1
            elif kind == 3:
                place = <uint32_t> pick(self.bits, size)
                other = <uint32_t> pick(self.bits, size)
                code = self.row[place]
                if code != self.row[other]:
                    self.row[place] = self.row[other]
                    self.row[other] = code
                    edits -= 1
        return size

    cdef uint8_t card(self) noexcept nogil:
        """A card: a number card half of the time, else any payment card of the deck."""
        cdef uint64_t kind = pick(self.bits, 8)
        cdef uint8_t code = 0 if kind < 4 else <uint8_t> (kind - 3)
        return code if self.counts[code] else 0

    cdef bint within(self, uint32_t size, uint32_t leads) noexcept nogil:
        """Whether the state in `row` has both hands and no more surplus cards than it may."""
        cdef int64_t have[5]
        cdef int64_t surplus = 0
        cdef uint32_t i
        if leads == 0 or leads == size:
            return False
        for i in range(5):
            have[i] = 0
        for i in range(size):
            have[self.row[i]] += 1
        for i in range(5):
            if have[i] > self.counts[i]:
                surplus += have[i] - self.counts[i]
        return surplus <= self.surplus

    cdef int test(self, uint32_t size, uint32_t leads, uint64_t number) except -1 nogil:
        """Play the state in `row` on, tally its game, and note its cycle if it has one."""
        cdef Course course
        cdef int64_t states
        course.cards = course.tricks = 0
        set_state(self.walker, self.row, leads, self.row + leads, size - leads)
        states = reach_cycle(self.walker, &course)
        self.games += 1
        self.checksum += mixed_game(number, states > 0, <uint64_t> course.cards, <uint64_t> course.tricks)
        if states:
            self.loops += 1
            if states <= self.longest_cycle:
                self.note(size, states)
        elif make_bin(&self.histogram, course.tricks):
            self.cards += course.cards
            self.tricks += course.tricks
            self.histogram.bins[course.tricks] += 1
        else:
            self.out_of_memory = True
        return 0

    cdef int note(self, uint32_t size, int64_t states) except -1 nogil:
        """Name the cycle that the walker is on, and keep it if it is new and its hands come near each other."""
        cdef CycleName cycle
        cdef Loop loop
        cdef int64_t apart, i
        cdef int64_t nearest = size
        name_reached(self.walker, states, &cycle)
        if not make_slots(&self.names):
            self.out_of_memory = True
            return 0
        if not enter(&self.names, hash_state(self.walker.row, size, cycle.leader_cards)):
            return 0
        self.met += 1
        if self.far_from_deck(size, 1) == 0:
            self.want(cycle.leader_cards)
        for i in range(states):
            apart = <int64_t> self.walker.hand[0].size - <int64_t> self.walker.hand[1].size
            nearest = min(nearest, apart if apart >= 0 else -apart)
            play_trick(self.walker)
        if nearest > self.uneven or (self.alike and not self.new_layout(size, cycle.leader_cards)):
            return 0
        loop.size = size
        loop.leads = cycle.leader_cards
        loop.cost = self.far_from_deck(size, self.payment_weight)
        loop.states = states
        put_loop(&self.pool, &loop, self.walker.row)
        return 0

    cdef int64_t far_from_deck(self, uint32_t size, int64_t payment_weight) noexcept nogil:
        """How many cards to put into the walker's smallest state or take out to make the deck of it."""
        cdef int64_t have[5]
        cdef int64_t numbers, payments
        cdef uint32_t i
        for i in range(5):
            have[i] = -<int64_t> self.counts[i]
        for i in range(size):
            have[self.walker.row[i]] += 1
        numbers = have[0] if have[0] >= 0 else -have[0]
        payments = 0
        for i in range(1, 5):
            payments += have[i] if have[i] >= 0 else -have[i]
        return numbers + payment_weight * payments

    cdef bint new_layout(self, uint32_t size, uint32_t leads) noexcept nogil:
        """Note where payment cards stand in the walker's smallest state, and how many of each; whether that is new."""
        cdef uint8_t *counts = self.layout + size
        cdef uint8_t code
        cdef uint32_t i
        for i in range(5):
            counts[i] = 0
        for i in range(size):
            code = self.walker.row[i]
            self.layout[i] = code != 0
            counts[code] += 1
        if not make_slots(&self.layouts):
            self.out_of_memory = True
            return False
        return enter(&self.layouts, hash_state(self.layout, size + 5, leads))

    cdef void want(self, uint32_t leads) noexcept nogil:
        """Keep the smallest state of a cycle for `cycles`."""
        cdef size_t width = self.stride + 4
        cdef uint8_t *wanted
        if self.wanted_count == self.wanted_room:
            wanted = <uint8_t *> realloc(self.wanted, 2 * <size_t> self.wanted_room * width)
            if wanted is NULL:
                self.out_of_memory = True
                return
            self.wanted = wanted
            self.wanted_room *= 2
        memcpy(self.wanted + self.wanted_count * width, &leads, 4)
        memcpy(self.wanted + self.wanted_count * width + 4, self.walker.row, self.stride)
        self.wanted_count += 1
