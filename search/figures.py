"""All that the report of a ledger tells, gathered from it before anything is drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from camicia.ancestors import Cycle
from camicia.cards import Deck
from camicia.records import longest_known
from camicia.results import Status
from search.finds import LENGTHS
from search.forecast import Forecast, Gain, forecasts, gain_of_climbing
from search.history import present_rate
from search.ledger import Ledger
from search.stored import StoredFind
from search.strategies import strategy_named
from search.summary import summary
from search.survival import KNOWN_HALVING, Halving, dependence_of, fit_halving, survival


@dataclass(frozen=True)
class CycleFound:
    """A cycle, with the deals of the ledger that fall into it.

    Parameters
    ----------
    name : str
        The name of the cycle.
    cards, tricks : int
        Its lengths.
    deals : list of StoredFind
        By rank.
    """

    name: str
    cards: int
    tricks: int
    deals: list[StoredFind]


@dataclass(frozen=True)
class Figures:
    """What a ledger has come to, and what is to be expected of it.

    Parameters
    ----------
    document : dict
        What `search.summary.summary` tells.
    deck : Deck or None
        The deck; None of an empty ledger.
    best : dict of str to list of StoredFind
        The longest finite games by each length, each deal once.
    cycles : list of CycleFound
        By cards.
    shares : array of float64
        The survival curve.
    halving : Halving or None
        The law fitted to it.
    known_halving, known_tricks : float, int or None
        What is known of the deck.
    rate : tuple of float and str, or None
        Deals a second, and in words of what.
    gain : Gain or None
        What climbing gains.
    forecasts : list of Forecast
        What is to be expected, if that can be told.
    deals_left : int or None
        Deals that the campaigns still have to play, about; None if they never end.
    """

    document: dict[str, Any]
    deck: Deck | None
    best: dict[str, list[StoredFind]]
    cycles: list[CycleFound]
    shares: npt.NDArray[np.float64]
    halving: Halving | None
    known_halving: float | None
    known_tricks: int | None
    rate: tuple[float, str] | None
    gain: Gain | None
    forecasts: list[Forecast]
    deals_left: int | None


def figures(ledger: Ledger, top: int) -> Figures:
    """Gather what a report tells.

    Parameters
    ----------
    ledger : Ledger
        The ledger.
    top : int
        How many of the longest games by each length.
    """
    document = summary(ledger)
    entries = ledger.campaigns()
    deck = entries[0].campaign.deck if entries else None
    histogram = {int(tricks): int(games) for tricks, games in document["histogram"].items()}
    finds = [find for entry in entries for find in ledger.finds(entry)]
    dependence = dependence_of(histogram, _error_of_mean(document))
    # Other strategies choose their deals: no law of random deals tells what they will meet.
    random = document["strategy"] in ("sample", "climb")
    halving = fit_halving(histogram, dependence) if random else None
    rate = present_rate(ledger)
    known = longest_known(deck, "tricks") if deck else None
    games = sum(histogram.values())
    gain = gain_of_climbing(finds, halving, games) if halving else None
    longest = max((find.result.tricks for find in finds), default=0)
    return Figures(
        document=document,
        deck=deck,
        best={length: _best(finds, length, top) for length in LENGTHS},
        cycles=_cycles(find for entry in entries for find in ledger.finds(entry, Status.LOOP)),
        shares=survival(histogram),
        halving=halving,
        known_halving=KNOWN_HALVING.get(deck) if deck and random else None,
        known_tricks=known,
        rate=rate,
        gain=gain,
        forecasts=forecasts(halving, rate[0], longest, known, deck.deal_count, gain)
        if deck and halving and rate
        else [],
        deals_left=_deals_left(ledger),
    )


def _deals_left(ledger: Ledger) -> int | None:
    """Deals of the units that are not done, the last of which may be smaller."""
    left = None
    for entry in ledger.campaigns():
        units = strategy_named(entry.campaign.strategy).unit_count(entry.campaign)
        if units is not None:
            left = (left or 0) + (units - ledger.totals(entry).units) * entry.campaign.unit_size
    return left


def _error_of_mean(document: dict[str, Any]) -> float | None:
    """The error of the mean number of tricks over all campaigns, each of which is independent."""
    parts = [
        (int(campaign["deals"]), campaign.get("mean_tricks_error"))
        for campaign in document["campaigns"]
        if int(campaign["deals"])
    ]
    if not parts or any(error is None for _, error in parts):
        return None
    deals = sum(number for number, _ in parts)
    return math.sqrt(sum((number * error) ** 2 for number, error in parts)) / deals


def _best(finds: Iterable[StoredFind], length: str, top: int) -> list[StoredFind]:
    each = {find.deal: find for find in finds}
    return sorted(each.values(), key=lambda find: (-getattr(find.result, length), find.rank))[:top]


def _cycles(loops: Iterable[StoredFind]) -> list[CycleFound]:
    found: dict[str, CycleFound] = {}
    for loop in sorted({loop.deal: loop for loop in loops}.values(), key=lambda loop: loop.rank):
        name = Cycle.of(loop.deal).name
        cards, tricks = loop.result.cycle_cards or 0, loop.result.cycle_tricks or 0
        found.setdefault(name, CycleFound(name, cards, tricks, [])).deals.append(loop)
    return sorted(found.values(), key=lambda cycle: (-cycle.cards, cycle.name))
