"""States at the start of a round: their predecessors, the trees of all their ancestors, and cycles.

A state with equal hands is a deal. So all ancestors of a state that a long game passes through hold every
deal whose game passes through it, each with its exact length: that of the way back and of what is to go.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from camicia.ancestry.trees import cycle_of, state_after, states_before, walk_back
from camicia.cards import Deal
from camicia.checks import checked_whole
from camicia.errors import DealError
from camicia.results import Status, counted
from camicia.simulate import simulate

#: States that a walk counts unless told otherwise: two thousand times the tree above the last trick of a
#: record game, and a second or two of walking.
MAX_STATES = 100_000_000

#: Tricks that a walk goes back unless told otherwise: many times the longest game known, and 5 MB of frames.
MAX_DEPTH = 100_000

#: The most tricks that a game can be asked to be played on for.
MAX_TRICKS = 2**62

#: Deals that a walk keeps by each length unless told otherwise: as many as a hunt keeps.
TOP = 100


@dataclass(frozen=True, slots=True, order=True)
class State:
    """Both hands at the start of a round, seen from the player who leads.

    Parameters
    ----------
    leader, other : bytes
        Card codes 0 to 4, top card first: the hand of the player who leads, and the other's.

    Raises
    ------
    DealError
        If a hand is empty, a code is not 0 to 4, or there are more than 65,535 cards.

    Examples
    --------
    >>> from camicia.ancestry.ancestors import State
    >>> state = State(b"\\1\\0\\0", b"\\0\\1\\0")
    >>> str(state), str(state.to_deal().deck)
    ('J--/-J-', '4:2:0:0:0')
    """

    leader: bytes
    other: bytes

    def __post_init__(self) -> None:
        deal = Deal(self.leader, self.other)
        if not deal.hand_a or not deal.hand_b:
            raise DealError(f"state '{deal}': a hand is empty, expected cards in both")
        object.__setattr__(self, "leader", deal.hand_a)
        object.__setattr__(self, "other", deal.hand_b)

    @classmethod
    def from_deal(cls, deal: Deal | str) -> State:
        """The state at the start of a deal's game: hand A leads.

        Raises
        ------
        DealError
            If a hand is empty, or the notation is wrong.

        Examples
        --------
        >>> State.from_deal("J--/-J-") == State(b"\\1\\0\\0", b"\\0\\1\\0")
        True
        """
        deal = _deal(deal)
        return cls(deal.hand_a, deal.hand_b)

    @classmethod
    def from_end(cls, deal: Deal | str, tricks: int) -> State:
        """The state of a deal's game that has `tricks` tricks still to go.

        Parameters
        ----------
        deal : Deal or str
            A deal whose game is finished one day.
        tricks : int
            Tricks to go, from 1 to those of the whole game.

        Raises
        ------
        DealError
            If the game never ends or has not that many tricks, or a hand is empty.
        CamiciaError
            If `tricks` is not a whole number from 1 up.

        Examples
        --------
        >>> str(State.from_end("J--/-JA", 3))
        '--J-/JA'
        """
        deal = _deal(deal)
        tricks = checked_whole("tricks to go", tricks, 1, MAX_TRICKS)
        result = simulate(deal)
        if result.status is Status.LOOP:
            raise DealError(f"deal '{deal}': never ends, expected a game that finishes")
        if tricks > result.tricks:
            raise DealError(
                f"deal '{deal}': has {counted(result.tricks, 'trick')}, expected at least {tricks:,}"
            )
        return cls.from_deal(deal).after(result.tricks - tricks)

    def to_deal(self) -> Deal:
        """The deal whose game starts in this state, with the leader as A.

        Examples
        --------
        >>> str(State(b"\\1", b"\\0").to_deal())
        'J/-'
        """
        return Deal(self.leader, self.other)

    def after(self, tricks: int) -> State:
        """The state reached by playing on for `tricks` tricks.

        Raises
        ------
        DealError
            If the game ends before it.
        CamiciaError
            If `tricks` is not a whole number from 0 up.

        Examples
        --------
        >>> str(State.from_deal("J--/-J-").after(2))
        '--J-/J-'
        """
        tricks = checked_whole("tricks to play", tricks, 0, MAX_TRICKS)
        reached = state_after(self.leader, self.other, tricks)
        if reached is None:
            raise DealError(f"state '{self}': its game ends within {counted(tricks, 'trick')}")
        return State(reached[0], reached[1])

    @property
    def size(self) -> int:
        """Number of cards in both hands."""
        return len(self.leader) + len(self.other)

    @property
    def balanced(self) -> bool:
        """Whether the leader's hand is that of the usual cut: half of the cards, rounded down."""
        return len(self.leader) == self.size // 2

    def __str__(self) -> str:
        return str(self.to_deal())


class Predecessor(NamedTuple):
    """A state one trick earlier, and the cards played in that trick."""

    state: State
    cards: int


class Ancestor(NamedTuple):
    """A balanced deal found by a walk, with the exact lengths of its game, counted as by `simulate`."""

    deal: Deal
    cards: int
    tricks: int


@dataclass(frozen=True, slots=True)
class Tree:
    """What a walk found.

    Parameters
    ----------
    root : State
        Where the walk began; the smallest state of the cycle for a basin.
    states : int
        States counted, root included.
    balanced : int
        Those whose leader has the usual cut.
    truncated : bool
        Whether a limit left some out.
    depths : array of int64
        States by the number of tricks to the root, or to the cycle for a basin; bin 0 holds the root.
    by_cards, by_tricks : list of Ancestor
        The longest balanced deals, longest first, ties to the smaller rank.
    """

    root: State
    states: int
    balanced: int
    truncated: bool
    depths: npt.NDArray[np.int64]
    by_cards: list[Ancestor]
    by_tricks: list[Ancestor]


@dataclass(frozen=True, slots=True)
class Cycle:
    """The cycle that a game falls into, as the set of its states seen from their leaders.

    Two loops have the same cycle if these sets are equal, whoever leads; `Cycle.of` starts every one at its
    smallest state (by the leader's hand as a word, then the other's), whose notation is its name. Two games
    of one cycle therefore give equal objects.

    Parameters
    ----------
    states : tuple of State
        In the order of play from the smallest one.
    cards, tricks : int
        Lengths of the cycle in absolute terms: twice those of one turn through the states if the players
        change places in it.

    Examples
    --------
    >>> from camicia.ancestry.ancestors import Cycle
    >>> cycle = Cycle.of("J--/-J-")
    >>> cycle.name, cycle.tricks, len(cycle.states)
    ('--J-/J-', 2, 1)
    >>> cycle == Cycle.of("--J-/J-")
    True
    """

    states: tuple[State, ...]
    cards: int
    tricks: int

    @classmethod
    def of(cls, start: Deal | State | str) -> Cycle:
        """The cycle that a deal or state falls into.

        Raises
        ------
        DealError
            If its game finishes, a hand is empty, or the notation is wrong.
        """
        state = start if isinstance(start, State) else State.from_deal(start)
        found = cycle_of(state.leader, state.other)
        if found is None:
            raise DealError(f"deal '{state}': its game finishes, expected a loop")
        leader, other, length, cards, swapped = found
        states = [State(leader, other)]
        for _ in range(length - 1):
            states.append(states[-1].after(1))
        turns = 2 if swapped else 1
        return cls(tuple(states), turns * cards, turns * length)

    @property
    def name(self) -> str:
        """The notation of the smallest state."""
        return str(self.states[0])

    def basin(
        self, *, max_states: int = MAX_STATES, max_depth: int = MAX_DEPTH, top: int | None = None
    ) -> Tree:
        """All states whose games fall into this cycle, its own included.

        Parameters
        ----------
        max_states, max_depth : int
            The most states to count, and tricks to go back from the cycle.
        top : int, optional
            Balanced deals to keep by each length; all unless given.

        Returns
        -------
        Tree
            With `cards` and `tricks` of the deals as for any loop: up to the first repeated state.

        Raises
        ------
        CamiciaError
            If a limit is not a whole number in its range.

        Examples
        --------
        >>> basin = Cycle.of("J--/-J-").basin()
        >>> basin.states, [str(found.deal) for found in basin.by_tricks]
        (3, ['J--/-J-'])
        """
        roots = [
            (state.leader, state.other, self.cards, self.tricks, _cards_of_trick(self.states[place - 1]))
            for place, state in enumerate(self.states)
        ]
        return _walk(self.states[0], roots, max_states, max_depth, top)


def predecessors(state: State) -> list[Predecessor]:
    """All states from which one trick leads to a state.

    Parameters
    ----------
    state : State
        A state at the start of a round.

    Returns
    -------
    list of Predecessor
        Each state once, in order of the cards that its trick plays, which are different for all of them.
        Empty unless the leader's hand ends in a payment card and then as many number cards as its penalty.

    Examples
    --------
    >>> from camicia.ancestry.ancestors import State, predecessors
    >>> [(str(state), cards) for state, cards in predecessors(State.from_deal("J--J-/-"))]
    [('JJ--/--', 2), ('---/JJ-', 3), ('-JJ/---', 4)]
    """
    return [
        Predecessor(State(leader, other), cards)
        for leader, other, cards in states_before(state.leader, state.other)
    ]


def walk(
    state: State, *, max_states: int = MAX_STATES, max_depth: int = MAX_DEPTH, top: int | None = TOP
) -> Tree:
    """Visit all ancestors of a state, depth first, and collect the longest balanced deals among them.

    If the state lies on a cycle, the cycle is not entered again: what is found is the part of the basin that
    joins the cycle at this state; `Cycle.basin` has all of it.

    Parameters
    ----------
    state : State
        The root of the tree.
    max_states, max_depth : int
        The most states to count, and tricks to go back.
    top : int or None
        Balanced deals to keep by each length; None keeps all, and walks twice to know how many.

    Returns
    -------
    Tree
        Counts, depths and deals. `truncated` tells whether a limit left some out.

    Raises
    ------
    CamiciaError
        If a limit is not a whole number in its range.

    Examples
    --------
    >>> from camicia.ancestry.ancestors import State, walk
    >>> collins = "A-QK------Q----KA-----J---/-JAK----A--Q----J---QJ--K-"
    >>> tree = walk(State.from_end(collins, 300))
    >>> tree.states, tree.balanced, tree.by_cards[0].cards, tree.by_cards[0].tricks
    (35106, 1201, 7544, 1048)
    """
    result = simulate(state.to_deal())
    avoid = 0
    if result.status is Status.LOOP and result.transient_tricks == 0:
        found = cycle_of(state.leader, state.other)
        assert found is not None
        avoid = _cards_of_trick(state.after(found[2] - 1))
    root = (state.leader, state.other, result.cards, result.tricks, avoid)
    return _walk(state, [root], max_states, max_depth, top)


def _walk(
    root: State,
    roots: list[tuple[bytes, bytes, int, int, int]],
    max_states: int,
    max_depth: int,
    top: int | None,
) -> Tree:
    max_states = checked_whole("most states", max_states, 1, 2**62)
    max_depth = checked_whole("most tricks to go back", max_depth, 0, 2**31)
    cut = root.size // 2
    if top is None:
        top = walk_back(roots, cut, max_states, max_depth, 0)[1]
    top = checked_whole("deals to keep", top, 0, 2**31)
    found = walk_back(roots, cut, max_states, max_depth, top)
    states, balanced, truncated, depths, by_cards, by_tricks = found

    def ancestors(rows: list[tuple[int, int, bytes]]) -> list[Ancestor]:
        return [Ancestor(Deal(row[:cut], row[cut:]), cards, tricks) for cards, tricks, row in rows]

    return Tree(root, states, balanced, truncated, depths, ancestors(by_cards), ancestors(by_tricks))


def _cards_of_trick(state: State) -> int:
    """Cards of the trick that this state plays, where the game does not end with it."""
    reached = state_after(state.leader, state.other, 1)
    assert reached is not None
    return reached[2]


def _deal(deal: Deal | str) -> Deal:
    return Deal.parse(deal) if isinstance(deal, str) else deal
