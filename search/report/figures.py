"""Gather everything that the report of a ledger shows, before anything is drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from camicia.ancestry.ancestors import Cycle
from camicia.cards import Deck
from camicia.errors import DealError
from camicia.known_cycles import catalogue
from camicia.records import longest_known
from camicia.results import Status
from search.campaign import Totals
from search.finds import LENGTHS
from search.ledger import Ledger, StoredFind
from search.report.document import error_of_mean, summary
from search.report.forecast import SEARCHED_THROUGH, Forecast, Gain, forecasts, gain_of_climbing
from search.report.history import Rate, present_rate
from search.report.survival import Halving, dependence_of, fit_halving, survival
from search.strategies import strategy_named

#: What is said of a cycle that only our catalogue has, and of one that it has not either.
OURS, NEW = "this program", "new"


@dataclass(frozen=True)
class CycleFound:
    """A cycle, with the ledger's deals that fall into it.

    Parameters
    ----------
    name : str
        The name of the cycle.
    cards, tricks : int
        Its lengths.
    origin : str or None
        Where it is published, "this program" if only our catalogue has it, "new" if that has not either. None
        if the catalogue has no cycle of the deck, so that nothing can be said.
    number : int or None
        How many of the deals played fall into it; None if the ledger does not count them.
    deals : list of StoredFind
        The deals that it lists, by rank.
    """

    name: str
    cards: int
    tricks: int
    origin: str | None
    number: int | None
    deals: list[StoredFind]


@dataclass(frozen=True)
class Walks:
    """The cycles of the deck met by walks among loops.

    Parameters
    ----------
    cycles : int
        How many.
    with_deals, deals : int
        How many of them balanced deals fall into, and these deals.
    origins : Counter of str, or None
        How many are "published", of "this program" (in the catalogue only) or "new". None if the catalogue
        has no cycle of the deck.
    """

    cycles: int
    with_deals: int
    deals: int
    origins: Counter[str] | None


@dataclass(frozen=True)
class Figures:
    """The contents of a ledger, and what to expect of the hunt.

    Parameters
    ----------
    document : dict
        What `search.report.document.summary` gives.
    deck : Deck or None
        The deck; None of an empty ledger.
    edited : bool
        Whether the games are those of edited states, which are not deals of the deck.
    best : dict of str to list of list of StoredFind
        The longest finite games by each length, each deal once: those of one tree together, longest first.
    walks : Walks or None
        What walks among loops have met; None for other hunts.
    cycles : list of CycleFound
        By cards.
    shares : array of float64
        The survival curve; empty if the games are those of edited states.
    halving : Halving or None
        The law fitted to the curve.
    known_tricks : int or None
        The most tricks of any known game of the deck.
    rate : Rate or None
        Deals per second, and what that is the rate of.
    gain : Gain or None
        The gain from climbing.
    forecasts : list of Forecast
        What to expect, if it can be estimated.
    deals_left : int or None
        Approximate number of deals that the campaigns still have to play; None if they never end.
    """

    document: dict[str, Any]
    deck: Deck | None
    edited: bool
    best: dict[str, list[list[StoredFind]]]
    walks: Walks | None
    cycles: list[CycleFound]
    shares: npt.NDArray[np.float64]
    halving: Halving | None
    known_tricks: int | None
    rate: Rate | None
    gain: Gain | None
    forecasts: list[Forecast]
    deals_left: int | None


def figures(ledger: Ledger, top: int) -> Figures:
    """Gather the contents of a report.

    Parameters
    ----------
    ledger : Ledger
        The ledger.
    top : int
        Number of longest games by each length, each from a different tree.
    """
    document = summary(ledger)
    entries = ledger.campaigns()
    deck = entries[0].campaign.deck if entries else None
    histogram = {int(tricks): int(games) for tricks, games in document["histogram"].items()}
    finds = [find for entry in entries for find in ledger.finds(entry)]
    dependence = dependence_of(histogram, error_of_mean(document))
    plays = strategy_named(document["strategy"]).plays if entries else None
    # Other strategies choose their deals: no law of random deals predicts what they will meet.
    halving = fit_halving(histogram, dependence) if plays == "random" else None
    rate = present_rate(ledger)
    known = longest_known(deck, "tricks") if deck else None
    games = sum(histogram.values())
    gain = gain_of_climbing(finds, halving, games) if halving else None
    longest = max((find.result.tricks for find in finds), default=0)
    return Figures(
        document=document,
        deck=deck,
        edited=plays == "edited",
        best={length: _best(finds, length, top) for length in LENGTHS},
        walks=_walks(ledger, deck) if deck and plays == "edited" else None,
        cycles=cycles_found(
            (find for entry in entries for find in ledger.finds(entry, Status.LOOP)),
            deck,
            _numbers(ledger, document, plays == "edited"),
        ),
        shares=survival({} if plays == "edited" else histogram),
        halving=halving,
        known_tricks=known,
        rate=rate,
        gain=gain,
        forecasts=forecasts(
            halving, rate.deals, longest, known, deck.deal_count, gain, deck in SEARCHED_THROUGH
        )
        if deck and halving and rate
        else [],
        deals_left=_deals_left(ledger),
    )


def _deals_left(ledger: Ledger) -> int | None:
    """Return the number of deals in unfinished units, the last of which may be smaller."""
    left = None
    for entry in ledger.campaigns():
        units = strategy_named(entry.campaign.strategy).unit_count(entry.campaign)
        if units is not None:
            left = (left or 0) + (units - ledger.totals(entry).units) * entry.campaign.unit_size
    return left


def _best(finds: Iterable[StoredFind], length: str, top: int) -> list[list[StoredFind]]:
    each = {find.deal: find for find in finds}
    trees: dict[int | str, list[StoredFind]] = {}
    for find in sorted(each.values(), key=lambda find: (-getattr(find.result, length), find.rank)):
        # A find of no tree stands alone.
        trees.setdefault(find.tree or find.deal, []).append(find)
    return list(trees.values())[:top]


def _walks(ledger: Ledger, deck: Deck) -> Walks:
    met = _met(ledger)
    known = origins(deck)
    return Walks(
        len(met),
        sum(1 for deals in met.values() if deals),
        sum(met.values()),
        Counter(origin if (origin := known.get(name, NEW)) in (NEW, OURS) else "published" for name in met)
        if known
        else None,
    )


def origins(deck: Deck) -> dict[str, str]:
    """Where each known cycle of a deck comes from, by name; empty if none is known.

    Examples
    --------
    >>> from camicia import STANDARD
    >>> sorted(set(origins(STANDARD).values()))
    ['Casella 2024, arXiv 2403.13855', 'this program']
    """
    return {cycle.name: OURS if cycle.new else cycle.source for cycle in catalogue(deck)}


def _numbers(ledger: Ledger, document: dict[str, Any], edited: bool) -> dict[str, int]:
    """Return how many deals fall into each cycle, by name, where the ledger counts them."""
    numbers = {cycle["cycle"]: int(cycle["loops"]) for cycle in document.get("cycle_list", ())}
    return numbers | _met(ledger) if edited else numbers


def _met(ledger: Ledger) -> dict[str, int]:
    """Return the cycles met by walks among loops, by name, with the deals that fall into each."""
    totals = Totals()
    for entry in ledger.campaigns():
        totals.join(ledger.totals(entry, with_cycles=True))
    return dict(strategy_named(ledger.campaigns()[0].campaign.strategy).cycles(totals))


def cycles_found(
    loops: Iterable[StoredFind], deck: Deck | None, numbers: Mapping[str, int]
) -> list[CycleFound]:
    """The cycles of listed deals, and those that are counted and no catalogue has; new ones first."""
    known = origins(deck) if deck else {}
    deals: dict[str, list[StoredFind]] = {name: [] for name in numbers if known and name not in known}
    for loop in sorted({loop.deal: loop for loop in loops}.values(), key=lambda loop: loop.rank):
        deals.setdefault(Cycle.of(loop.deal).name, []).append(loop)
    found = []
    for name, listed in deals.items():
        try:
            cycle = Cycle.of(name)
        except DealError:
            # A name in a ledger may have the right form and still name no cycle.
            continue
        origin = known.get(name, NEW) if known else None
        found.append(CycleFound(name, cycle.cards, cycle.tricks, origin, numbers.get(name), listed))
    return sorted(found, key=lambda cycle: (cycle.origin != NEW, -cycle.cards, cycle.name))
