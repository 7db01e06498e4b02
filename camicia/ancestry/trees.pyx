"""Walks for Python: states as pairs of hands, their neighbours, their trees, and their cycles."""

from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t, uint32_t

from camicia.ancestry.cycles cimport CycleName, name_cycle
from camicia.ancestry.longest cimport close_best, entries_of, open_best
from camicia.ancestry.predecessors cimport Tree, next_lift, open_frame, return_opening, take_opening, walk
from camicia.ancestry.walker cimport (
    Frame, Walker, close_walker, has_predecessors, open_walker, play_trick, set_state, write_row,
)
from camicia.watch cimport Watch, look, watch_for

import numpy as np

#: Tricks between two looks at the watch, some milliseconds.
cdef enum:
    LOOK = 1 << 16


cdef class Room:
    """A walker and a tree that give their memory back."""

    cdef Walker *walker
    cdef Tree tree
    cdef Watch watch

    def __cinit__(self, size_t cards, size_t payment_cards, int64_t max_depth=0, uint32_t top=0):
        self.walker = open_walker(cards, payment_cards, max_depth)
        if (self.walker is NULL or not open_best(&self.tree.cards, False, top, cards)
                or not open_best(&self.tree.tricks, True, top, cards)):
            raise MemoryError(f"no memory to walk {max_depth:,} tricks deep and keep {top:,} deals")

    def __dealloc__(self):
        close_walker(self.walker)
        close_best(&self.tree.cards)
        close_best(&self.tree.tricks)

    cdef int put(self, bytes leader, bytes other) except -1:
        """Take a state of at most as many cards and payment cards as there is room for."""
        cdef Py_ssize_t size = len(leader) + len(other)
        cdef Py_ssize_t payment_cards = size - leader.count(0) - other.count(0)
        if <size_t> size > self.walker.room or payment_cards > <Py_ssize_t> self.walker.mask + 1:
            raise ValueError(f"{size} cards, {payment_cards} of them payment cards: there is no room for so many")
        # From here on the work may be long.
        self.watch = watch_for(None)
        self.walker.watch = &self.watch
        set_state(
            self.walker, <const uint8_t *> PyBytes_AsString(leader), len(leader),
            <const uint8_t *> PyBytes_AsString(other), len(other),
        )
        return 0

    cdef tuple state(self):
        cdef uint32_t leads = self.walker.hand[self.walker.leader].size
        cdef uint32_t size = self.walker.hand[0].size + self.walker.hand[1].size
        write_row(self.walker, self.walker.row)
        row = PyBytes_FromStringAndSize(<char *> self.walker.row, size)
        return row[:leads], row[leads:]


cdef Room room_for(bytes leader, bytes other):
    cdef size_t size = len(leader) + len(other)
    room = Room(size, size - leader.count(0) - other.count(0))
    room.put(leader, other)
    return room


def states_before(bytes leader, bytes other):
    """All states one trick earlier, by the cards that the trick played.

    Parameters
    ----------
    leader, other : bytes
        The leader's hand and the other one: card codes 0 to 4, top card first; taken as valid, neither empty.

    Returns
    -------
    list of tuple (leader, other, cards)
        The hands of each state, and the cards played in its trick.

    Examples
    --------
    >>> from camicia.ancestry.trees import states_before
    >>> states_before(b"\\1\\0\\0\\1\\0", b"\\0")[:2]
    [(b'\\x01\\x01\\x00\\x00', b'\\x00\\x00', 2), (b'\\x00\\x00\\x00', b'\\x01\\x01\\x00', 3)]
    """
    cdef Room room = room_for(leader, other)
    cdef Walker *walker = room.walker
    cdef Frame *frame = walker.frames
    cdef uint32_t numbers
    found = []
    if not has_predecessors(walker, &walker.hand[walker.leader]):
        return found
    open_frame(walker, frame, 0)
    while next_lift(walker, frame):
        look(walker.watch)
        for numbers in range(frame.above + 1):
            take_opening(walker, frame, numbers)
            found.append((*room.state(), frame.pile + numbers))
            return_opening(walker, frame, numbers)
    return found


def state_after(bytes leader, bytes other, int64_t tricks):
    """Play a state on for a number of tricks.

    Parameters
    ----------
    leader, other : bytes
        The leader's hand and the other one: card codes 0 to 4, top card first; taken as valid, neither empty.
    tricks : int
        Tricks to play.

    Returns
    -------
    tuple (leader, other, cards) or None
        The hands of the state reached and the cards played; None if the game ends before it.

    Examples
    --------
    >>> from camicia.ancestry.trees import state_after
    >>> state_after(b"\\1\\0\\0", b"\\0\\1\\0", 1)
    (b'\\x00\\x00\\x01\\x00', b'\\x01\\x00', 2)
    """
    cdef Room room = room_for(leader, other)
    cdef int64_t cards = 0
    cdef int64_t i
    cdef uint32_t played = 1
    with nogil:
        for i in range(tricks):
            played = play_trick(room.walker)
            if played == 0:
                break
            cards += played
            if i % LOOK == LOOK - 1:
                look(room.walker.watch)
    return (*room.state(), cards) if played else None


def cycle_of(bytes leader, bytes other):
    """Play a state on to its cycle.

    Parameters
    ----------
    leader, other : bytes
        The leader's hand and the other one: card codes 0 to 4, top card first; taken as valid, neither empty.

    Returns
    -------
    tuple (leader, other, states, cards, swapped) or None
        The smallest state of the cycle; how many different ones it has, seen from their leaders; the cards
        played in going once through them; and whether the players have then changed places. None if the game
        ends.

    Examples
    --------
    >>> from camicia.ancestry.trees import cycle_of
    >>> cycle_of(b"\\1\\0\\0", b"\\0\\1\\0")
    (b'\\x00\\x00\\x01\\x00', b'\\x01\\x00', 1, 3, True)
    """
    cdef Room room = room_for(leader, other)
    cdef CycleName cycle
    cdef bint loops
    with nogil:
        loops = name_cycle(room.walker, &cycle)
    if not loops:
        return None
    row = PyBytes_FromStringAndSize(<char *> room.walker.row, len(leader) + len(other))
    return row[:cycle.leader_cards], row[cycle.leader_cards:], cycle.states, cycle.cards, bool(cycle.swapped)


cdef class Climber:
    """Walks the trees above many long games, each tree once.

    Parameters
    ----------
    deck : Deck
        What is dealt, with the usual cut.
    from_end : int
        Tricks to go at the roots of the trees.
    max_states, max_depth : int
        The most states of a tree to count, and tricks to go back.
    top : int
        Deals to keep of a tree by each length.

    Raises
    ------
    MemoryError
        If there is no room for that many tricks or deals.

    Examples
    --------
    >>> from camicia import STANDARD, Deal
    >>> climber = Climber(STANDARD, 300, 10**6, 10**4, 1)
    >>> deal = Deal.parse("A-QK------Q----KA-----J---/-JAK----A--Q----J---QJ--K-")
    >>> climber.climb(deal.hand_a + deal.hand_b, 6913, 960)[1:4]
    (35106, 1201, False)
    >>> climber.climb(deal.hand_a + deal.hand_b, 6913, 960) is None
    True
    """

    cdef Room room
    cdef set met
    cdef Py_ssize_t size
    cdef Py_ssize_t cut
    cdef int64_t from_end

    def __init__(self, deck, int64_t from_end, int64_t max_states, int64_t max_depth, uint32_t top):
        self.size = deck.size
        self.cut = deck.cut
        self.from_end = from_end
        self.room = Room(deck.size, deck.payment_cards, max_depth, top)
        self.room.tree.cut = <uint32_t> self.cut
        self.room.tree.max_states = max_states
        self.met = set()

    def climb(self, bytes codes, int64_t cards, int64_t tricks):
        """Walk all ancestors of a game's state with `from_end` tricks to go, unless they were walked before.

        Parameters
        ----------
        codes : bytes
            The deal: card codes 0 to 4, hand A followed by hand B; taken as valid, neither hand empty.
        cards, tricks : int
            The lengths of its game, which is finished one day and has at least `from_end` tricks.

        Returns
        -------
        tuple (root, states, balanced, truncated, by_cards, by_tricks) or None
            The number of cards in the leader's hand at the root, as two bytes, little end first, and the
            root's row; then as of `walk_back`. None if the tree was walked before.
        """
        cdef Tree *tree = &self.room.tree
        cdef Walker *walker = self.room.walker
        cdef int64_t i
        cdef uint32_t leads
        if len(codes) != self.size or not 1 <= self.from_end <= tricks:
            raise ValueError(
                f"{len(codes)} cards and {tricks} tricks: expected {self.size}, and {self.from_end} or more"
            )
        self.room.put(codes[: self.cut], codes[self.cut :])
        with nogil:
            for i in range(tricks - self.from_end):
                cards -= play_trick(walker)
        leads = walker.hand[walker.leader].size
        root = int(leads).to_bytes(2, "little") + b"".join(self.room.state())
        if root in self.met:
            return None
        tree.states = tree.balanced = tree.deepest = 0
        tree.truncated = False
        tree.cards.count = tree.tricks.count = 0
        with nogil:
            walk(walker, tree, cards, self.from_end, 0)
        self.met.add(root)
        return (
            root, tree.states, tree.balanced, bool(tree.truncated),
            entries_of(&tree.cards, self.size), entries_of(&tree.tricks, self.size),
        )


def walk_back(list roots, size_t cut, int64_t max_states, int64_t max_depth, uint32_t top):
    """Walk all ancestors of some states of one deck.

    Parameters
    ----------
    roots : list of tuple (leader, other, cards, tricks, avoid)
        For each state its hands, the cards and tricks from there on, and the cards of the trick that is not
        to be taken back (0 for none). At least one; taken as valid, and no root an ancestor of another.
    cut : int
        Cards that the leader of a balanced state has.
    max_states, max_depth : int
        The most states to count, and tricks to go back.
    top : int
        Deals to keep by each length.

    Returns
    -------
    tuple (states, balanced, truncated, depths, by_cards, by_tricks)
        States counted, roots included; balanced ones; whether a limit left some out; an int64 array of the
        states by tricks above their root; and two lists of (cards, tricks, row), best first, ties to the
        smaller rank.

    Examples
    --------
    >>> from camicia.ancestry.trees import walk_back
    >>> walk_back([(b"\\1\\0\\1\\0", b"\\0", 3, 1, 0)], 2, 100, 100, 1)[:3]
    (5, 1, False)
    """
    cdef size_t size = len(roots[0][0]) + len(roots[0][1])
    cdef Room room = Room(size, size - roots[0][0].count(0) - roots[0][1].count(0), max_depth, top)
    cdef int64_t[::1] depths = np.zeros(max_depth + 1, np.int64)
    cdef int64_t cards, tricks
    cdef uint32_t avoid
    room.tree.cut = <uint32_t> cut
    room.tree.max_states = max_states
    room.tree.depths = &depths[0]
    for leader, other, cards, tricks, avoid in roots:
        room.put(leader, other)
        with nogil:
            walk(room.walker, &room.tree, cards, tricks, avoid)
    return (
        room.tree.states, room.tree.balanced, bool(room.tree.truncated),
        np.asarray(depths)[: room.tree.deepest + 1].copy(),
        entries_of(&room.tree.cards, size), entries_of(&room.tree.tricks, size),
    )
