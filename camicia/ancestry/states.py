"""A state at the start of a round, seen from the player who leads."""

from __future__ import annotations

from dataclasses import dataclass

from camicia.ancestry.trees import state_after
from camicia.cards import Deal, Hand
from camicia.checks import checked_whole
from camicia.errors import DealError
from camicia.results import Status, counted
from camicia.showing import hands_html, short_notation
from camicia.simulate import simulate

#: Most tricks that a game can be played on for in one call.
MAX_TRICKS = 2**62


@dataclass(frozen=True, slots=True, order=True, repr=False, init=False)
class State:
    """Both hands at the start of a round, seen from the player who leads.

    Parameters
    ----------
    leader, other : bytes
        Card codes 0 to 4, top card first: the hand of the player who leads, and the other's. Or `leader`
        alone: both hands in the notation of a deal.

    Raises
    ------
    DealError
        If a hand is empty, a code is not 0 to 4, or there are more than 65,535 cards.

    Examples
    --------
    >>> from camicia import State
    >>> state = State(b"\\1\\0\\0", b"\\0\\1\\0")
    >>> str(state), str(state.to_deal().deck)
    ('J--/-J-', '4:2:0:0:0')
    """

    leader: bytes
    other: bytes

    def __init__(self, leader: Hand | str, other: Hand | None = None) -> None:
        deal = Deal(leader, other)
        if not deal.hand_a or not deal.hand_b:
            raise DealError(f"state '{deal}': a hand is empty, expected cards in both")
        object.__setattr__(self, "leader", deal.hand_a)
        object.__setattr__(self, "other", deal.hand_b)

    @classmethod
    def from_deal(cls, deal: Deal | str) -> State:
        """Return the state at the start of a deal's game: hand A leads.

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
        """Return the state of a deal's game that has `tricks` tricks still to go.

        Parameters
        ----------
        deal : Deal or str
            A deal whose game finishes.
        tricks : int
            Tricks to go, from 1 to those of the whole game.

        Raises
        ------
        DealError
            If the game never ends or has fewer tricks, or a hand is empty.
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
        """Return the state reached by playing on for `tricks` tricks.

        Raises
        ------
        DealError
            If the game ends before that.
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

    def __repr__(self) -> str:
        return f"State({short_notation(self.leader, self.other)!r})"

    def _repr_html_(self) -> str:
        return hands_html({"leader": self.leader, "other": self.other}, "state")


def _deal(deal: Deal | str) -> Deal:
    return Deal.parse(deal) if isinstance(deal, str) else deal
