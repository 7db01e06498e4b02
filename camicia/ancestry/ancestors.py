"""States at the start of a round: their predecessors, the trees of all their ancestors, and cycles.

A state with equal hands is a deal. So the ancestors of a state that a long game passes through include every
deal whose game passes through it, each with its exact length: the way back plus what is left to play.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from camicia.ancestry.states import State as State
from camicia.ancestry.trees import cycle_of, state_after, states_before, walk_back
from camicia.cards import Deal
from camicia.checks import checked_whole
from camicia.errors import DealError
from camicia.results import Status, counted
from camicia.simulate import simulate

if TYPE_CHECKING:
    import numpy.typing as npt

#: Default limit on the states that a walk counts: two thousand times the tree above the last trick of a
#: record game, and a second or two of walking.
MAX_STATES = 100_000_000

#: Default limit on the tricks that a walk goes back: many times the longest known game, and 5 MB of frames.
MAX_DEPTH = 100_000

#: Deals that a walk keeps by each length, by default: as many as a hunt keeps.
TOP = 100


class Predecessor(NamedTuple):
    """A state one trick earlier, and the cards played in that trick."""

    state: State
    cards: int


class Ancestor(NamedTuple):
    """A balanced deal found by a walk, with the exact lengths of its game, counted as by `simulate`."""

    deal: Deal
    cards: int
    tricks: int


@dataclass(frozen=True, slots=True, repr=False)
class Tree:
    """The result of a walk.

    Parameters
    ----------
    root : State
        The state where the walk began; for a basin, the smallest state of the cycle.
    states : int
        States counted, root included.
    balanced : int
        How many of them give the leader the usual cut.
    truncated : bool
        Whether a limit left out any states.
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

    def __repr__(self) -> str:
        longest = f", longest {self.by_cards[0].cards:,} cards" if self.by_cards else ""
        cut_short = ", truncated" if self.truncated else ""
        return (
            f"<Tree above {self.root!r}: {counted(self.states, 'state')}, {self.balanced:,} balanced"
            f"{longest}{cut_short}>"
        )


@dataclass(frozen=True, slots=True, repr=False)
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

    def __repr__(self) -> str:
        return (
            f"<Cycle of {self.states[0]!r}: {counted(self.cards, 'card')}, {counted(self.tricks, 'trick')}>"
        )

    @property
    def name(self) -> str:
        """The notation of the smallest state."""
        return str(self.states[0])

    def basin(
        self, *, max_states: int = MAX_STATES, max_depth: int = MAX_DEPTH, top: int | None = None
    ) -> Tree:
        """Return all states whose games fall into this cycle, its own included.

        Parameters
        ----------
        max_states, max_depth : int
            The most states to count, and tricks to go back from the cycle.
        top : int, optional
            Balanced deals to keep by each length (default: all).

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
    """Return all states from which one trick leads to a state.

    Parameters
    ----------
    state : State
        A state at the start of a round.

    Returns
    -------
    list of Predecessor
        Each state once, in order of the cards that its trick plays; that number differs for each of them.
        Empty unless the leader's hand ends in a payment card followed by as many number cards as its penalty.

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

    If the state lies on a cycle, the walk does not enter the cycle again: it finds the part of the basin that
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
        Counts, depths and deals. `truncated` says whether a limit left some out.

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
    """Return the cards of the trick that this state plays, if the game does not end with it."""
    reached = state_after(state.leader, state.other, 1)
    assert reached is not None
    return reached[2]
