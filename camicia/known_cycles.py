"""The catalogue of cycles of full decks: published ones, and those found by our own walks."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from camicia import rules
from camicia.ancestry.ancestors import Cycle, State
from camicia.cards import Deal, Deck
from camicia.decks import DeckLike, as_deck
from camicia.results import Status

#: The `source` of cycles that are in no publication known to us.
OWN = "found by this program"


class KnownCycle(NamedTuple):
    """A cycle, with the states and deals that fall into it.

    Parameters
    ----------
    deck : Deck
        The deck that its cards form.
    name : str
        Notation of its smallest state, seen from the leader.
    cards, tricks : int
        Lengths of the cycle in absolute terms.
    basin : int
        States that fall into it, its own included.
    deals : int
        How many of them are balanced deals, with the usual cut.
    transient_tricks : int or None
        The longest transient of these deals, in tricks; None if there is no deal.
    deal : str or None
        The deal of smallest rank; None if there is none.
    source : str
        Where it was published, or that it was found by this program.
    """

    deck: Deck
    name: str
    cards: int
    tricks: int
    basin: int
    deals: int
    transient_tricks: int | None
    deal: str | None
    source: str

    @property
    def new(self) -> bool:
        """Whether it is in no publication known to us."""
        return self.source == OWN

    def as_dict(self) -> dict[str, Any]:
        """The cycle under its JSON and CSV field names.

        Examples
        --------
        >>> catalogue()[0].as_dict()["deck"]
        '28:4:4:4:0'
        """
        return {
            "deck": str(self.deck),
            "cycle": self.name,
            "cycle_cards": self.cards,
            "cycle_tricks": self.tricks,
            "basin_states": self.basin,
            "deals": self.deals,
            "longest_transient_tricks": self.transient_tricks,
            "deal": self.deal,
            "source": self.source,
        }


def describe(cycle: Cycle, source: str = OWN) -> KnownCycle:
    """Describe a cycle, walking its whole basin.

    Parameters
    ----------
    cycle : Cycle
        The cycle.
    source : str, optional
        Where it was published.

    Examples
    --------
    >>> found = describe(Cycle.of("J--/-J-"))
    >>> found.basin, found.deals, found.transient_tricks, found.deal
    (3, 1, 1, 'J--/-J-')
    """
    deck = cycle.states[0].to_deal().deck
    tree = cycle.basin()
    deals = sorted(tree.by_tricks, key=lambda found: deck.rank(found.deal))
    return KnownCycle(
        deck,
        cycle.name,
        cycle.cards,
        cycle.tricks,
        tree.states,
        len(deals),
        (deals and tree.by_tricks[0].tricks - cycle.tricks) or None,
        str(deals[0].deal) if deals else None,
        source,
    )


@cache
def catalogue(deck: DeckLike | None = None) -> tuple[KnownCycle, ...]:
    """Return the known cycles, ordered by deck, most deals first.

    Parameters
    ----------
    deck : Deck or str, optional
        The deck: a `Deck`, a name such as ``"standard"``, or counts (default: all decks).

    Examples
    --------
    >>> any(cycle.deals == 30 and not cycle.new for cycle in catalogue("standard"))
    True
    """
    text = files("camicia.data").joinpath("loops.csv").read_text(encoding="utf-8")
    cycles = map(_cycle, csv.DictReader(text.splitlines()))
    wanted = None if deck is None else as_deck(deck)
    return tuple(cycle for cycle in cycles if wanted is None or cycle.deck == wanted)


def looping_deals(cycle: KnownCycle) -> list[Deal]:
    """Return all balanced deals that fall into a cycle, by rank.

    Examples
    --------
    >>> [str(deal) for deal in looping_deals(describe(Cycle.of("J--/-J-")))]
    ['J--/-J-']
    """
    deals = [found.deal for found in Cycle.of(cycle.name).basin().by_cards]
    return sorted(deals, key=cycle.deck.rank)


def check(cycle: KnownCycle) -> str | None:
    """Replay a cycle and its deals by the rules in plain Python; returns the fault found, or None.

    The named state must lie on a cycle of the stated lengths, and every deal of the basin must be a loop of
    the deck, with the usual cut, that reaches a state of the cycle.

    Examples
    --------
    >>> check(describe(Cycle.of("J--/-J-"))) is None
    True
    """
    result = rules.play(Deal.parse(cycle.name))
    found = (result.status, result.transient_tricks, result.cycle_cards, result.cycle_tricks)
    if found != (Status.LOOP, 0, cycle.cards, cycle.tricks):
        return f"cycle {cycle.name}: replays as {result.reason}"
    again = describe(Cycle.of(cycle.name), cycle.source)
    if again != cycle:
        return f"cycle {cycle.name}: walks to {again}, stated as {cycle}"
    deals = looping_deals(cycle)
    if len(set(deals)) != len(deals):
        return f"cycle {cycle.name}: lists a deal twice"
    for deal in deals:
        result = rules.play(deal)
        if deal.deck != cycle.deck or len(deal.hand_a) != cycle.deck.cut:
            return f"deal {deal}: is not a balanced deal of deck {cycle.deck}"
        if (result.status, result.cycle_cards, result.cycle_tricks) != (
            Status.LOOP,
            cycle.cards,
            cycle.tricks,
        ):
            return f"deal {deal}: replays as {result.reason}"
        if Cycle.of(State.from_deal(deal)).name != cycle.name:
            return f"deal {deal}: falls into another cycle than {cycle.name}"
    return None


def _cycle(row: dict[str, str]) -> KnownCycle:
    return KnownCycle(
        Deck.parse(row["deck"]),
        row["cycle"],
        int(row["cycle_cards"]),
        int(row["cycle_tricks"]),
        int(row["basin_states"]),
        int(row["deals"]),
        int(row["longest_transient_tricks"]) if row["longest_transient_tricks"] else None,
        row["deal"] or None,
        row["source"],
    )
