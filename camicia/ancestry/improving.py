"""Climbing from one deal: the tree above the end of its game, and the longest deals that share that end."""

from __future__ import annotations

from dataclasses import dataclass

from camicia.ancestry.ancestors import MAX_STATES, Ancestor, State, Tree, walk
from camicia.cards import Deal
from camicia.errors import DealError
from camicia.results import Result, Status
from camicia.simulate import simulate

#: Default number of tricks to go at the root of a deal's tree. The tree above the last state contains those
#: above all earlier ones, so it has all there is to find; on the decks tried, up to 208 cards, it has from
#: a dozen to a hundred thousand states, two milliseconds of walking.
FROM_END = 1


@dataclass(frozen=True, slots=True)
class Improvement:
    """The result of climbing from a deal.

    Parameters
    ----------
    deal : Deal
        The deal it began with.
    result : Result
        The result of its game.
    by_cards, by_tricks : Ancestor
        The longest deals found; the deal itself if none is longer.
    trees : int
        Number of trees walked.
    states : int
        Number of states in them.
    truncated : bool
        Whether a limit left out any states.
    """

    deal: Deal
    result: Result
    by_cards: Ancestor
    by_tricks: Ancestor
    trees: int
    states: int
    truncated: bool

    @property
    def improved(self) -> bool:
        """Whether a longer deal was found, by either length."""
        return self.by_cards.cards > self.result.cards or self.by_tricks.tricks > self.result.tricks


def finite_result(deal: Deal) -> Result:
    """Play a deal that should finish.

    Raises
    ------
    DealError
        If its game never ends, or a hand is empty.
    """
    State.from_deal(deal)
    result = simulate(deal)
    if result.status is Status.LOOP:
        raise DealError(f"deal '{deal}': its game never ends, expected one that finishes")
    return result


def finite_deal(text: str) -> Deal:
    """Read a deal that should finish.

    Raises
    ------
    DealError
        If it is not a deal, its game never ends, or a hand is empty.

    Examples
    --------
    >>> str(finite_deal("J/-J"))
    'J/-J'
    """
    deal = Deal.parse(text)
    finite_result(deal)
    return deal


def tree_above(deal: Deal, from_end: int, *, max_states: int = MAX_STATES, top: int | None) -> Tree:
    """All ancestors of the state of a deal's game with a given number of tricks to go.

    Raises
    ------
    DealError
        If the game has fewer tricks or never ends, or a hand is empty.
    """
    return walk(State.from_end(deal, from_end), max_states=max_states, top=top)


def improve(deal: Deal, *, max_states: int = MAX_STATES) -> Improvement:
    """Climb from a deal until nothing longer is found.

    The tree above the last state of its game holds the trees above all earlier ones, and those of every deal
    in it: that is all that climbing can reach. Only if it has more than `max_states` states does climbing
    begin further up, with twice as many tricks to go each time, and again from each longer deal it meets.

    Parameters
    ----------
    deal : Deal
        A deal whose game finishes.
    max_states : int, optional
        The most states to count in a tree.

    Raises
    ------
    DealError
        If the game never ends, or a hand is empty.
    CamiciaError
        If `max_states` is not a whole number from 1 up.

    Examples
    --------
    >>> found = improve(Deal.parse("---JQ---K-A----A-J-K---QK-/-J-----------AJQA----K---Q"))
    >>> found.result.tricks, found.by_tricks.tricks, found.truncated
    (805, 822, False)
    """
    result = finite_result(deal)
    best = {"cards": Ancestor(deal, result.cards, result.tricks)}
    best["tricks"] = best["cards"]
    trees = states = 0
    truncated = False
    pending = [deal]
    while pending:
        start = pending.pop()
        for from_end in _doublings(simulate(start).tricks):
            tree = tree_above(start, from_end, max_states=max_states, top=1)
            trees += 1
            states += tree.states
            for length, found in (("cards", tree.by_cards), ("tricks", tree.by_tricks)):
                if found and getattr(found[0], length) > getattr(best[length], length):
                    best[length] = found[0]
                    if tree.truncated:
                        pending.append(found[0].deal)
            truncated |= tree.truncated
            if not tree.truncated:
                break
    return Improvement(deal, result, best["cards"], best["tricks"], trees, states, truncated)


def _doublings(tricks: int) -> list[int]:
    """Return one, two, four and so on, up to a number of tricks.

    Examples
    --------
    >>> _doublings(9)
    [1, 2, 4, 8]
    """
    return [1 << power for power in range(tricks.bit_length())]
