"""What a game of some length costs: deals to play and core-years, from the fitted law and measured rates."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from camicia.cards import STANDARD, Deck
from camicia.records import longest_known
from camicia.results import Status
from search.errors import CampaignError
from search.ledger import Ledger
from search.report.document import error_of_mean, summary
from search.report.forecast import Gain, forecast_of, gain_from
from search.report.survival import Halving, dependence_of, fit_halving
from search.strategies import strategy_named

#: Machines that the time is given for, with their cores.
MACHINES = {"a laptop": 4, "a desktop": 16, "a rack": 1000}

#: The file of measured facts; its first line says which hunt it comes from.
_FACTS = "measured.csv"

_YEAR = 365.25 * 86_400


class Facts(NamedTuple):
    """What a hunt has measured.

    Parameters
    ----------
    deck : Deck
        Its deck.
    source : str
        What it was, in words.
    games : int
        Finite games.
    halving : Halving
        The law fitted to them.
    gain : Gain or None
        How many times as often climbing finds long games as sampling does, if the hunt has climbed.
    """

    deck: Deck
    source: str
    games: int
    halving: Halving
    gain: Gain | None


@dataclass(frozen=True)
class Price:
    """What a game costs by one way of hunting.

    Parameters
    ----------
    strategy : str
        The way.
    rate : float
        Deals that one core plays a second.
    deals : float
        Deals to play until the first such game, on average.
    factor : float
        The factor by which the errors of law and gain may put that out.
    exists : bool
        Whether the deck is expected to have any such deal at all, if the law holds so far.
    """

    strategy: str
    rate: float
    deals: float
    factor: float
    exists: bool

    @property
    def core_seconds(self) -> float:
        """Seconds that one core would need."""
        return self.deals / self.rate

    def as_dict(self, machines: dict[str, int]) -> dict[str, Any]:
        """The price under JSON field names, with the time on some machines of so many cores."""
        return {
            "strategy": self.strategy,
            "deals_per_core_second": self.rate,
            "deals": self.deals,
            "known_up_to_factor": self.factor,
            "core_years": self.core_seconds / _YEAR,
            "expected_to_exist": self.exists,
            "days": {name: self.core_seconds / cores / 86_400 for name, cores in machines.items()},
        }


def prices(facts: Facts, tricks: int, rates: dict[str, float]) -> list[Price]:
    """Compute what a game of at least so many tricks costs by each way of hunting.

    Parameters
    ----------
    facts : Facts
        What was measured.
    tricks : int
        The least number of tricks.
    rates : dict of str to float
        Deals a second of one core, by strategy; "climb" is left out if its gain is unknown.

    Examples
    --------
    >>> halving = Halving(20.0, 0.1, start=80, share=1 / 16, games=10_000)
    >>> facts = Facts(STANDARD, "an example", 160_000, halving, Gain(100.0, 20, 300))
    >>> [f"{price.deals:.2g}" for price in prices(facts, 481, {"sample": 1e6, "climb": 1e6})]
    ['1.7e+07', '1.7e+05']
    """
    found = []
    for strategy, rate in rates.items():
        gain = facts.gain if strategy == "climb" else None
        if strategy == "climb" and gain is None:
            continue
        item = forecast_of(tricks, facts.halving, rate, facts.deck.deal_count, gain)
        found.append(Price(strategy, rate, item.deals, item.factor, item.exists))
    return found


def goal(deck: Deck) -> int:
    """Return the fewest tricks of a game longer than any known.

    Raises
    ------
    CampaignError
        If no record of the deck is known.
    """
    known = longest_known(deck, "tricks")
    if known is None:
        raise CampaignError(f"deck {deck}: no long game of it is known, expected --tricks")
    return known + 1


@cache
def shipped_facts() -> Facts:
    """Return what a long hunt of the standard deck has measured.

    Examples
    --------
    >>> facts = shipped_facts()
    >>> str(facts.deck), 19 < facts.halving.tricks < 21
    ('36:4:4:4:4', True)
    """
    text = files("search.report").joinpath(_FACTS).read_text(encoding="utf-8")
    source = text.partition("\n")[0].removeprefix("# ")
    rows = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    histogram: dict[int, int] = {}
    trees: list[int] = []
    dependence = 1.0
    for row in rows:
        if row["what"] == "games":
            histogram[int(row["tricks"])] = int(row["number"])
        elif row["what"] == "tree":
            trees.append(int(row["tricks"]))
        else:
            dependence = float(row["number"])
    halving = fit_halving(histogram, dependence)
    assert halving is not None
    games = sum(histogram.values())
    return Facts(STANDARD, source, games, halving, gain_from(trees, halving, games))


def facts_of(ledger: Ledger) -> Facts:
    """Return what a ledger has measured.

    Raises
    ------
    CampaignError
        If it holds no random deals, or too few.
    """
    document = summary(ledger)
    name = f"ledger {str(ledger.path)!r}"
    entries = ledger.campaigns()
    if not entries or strategy_named(document["strategy"]).plays != "random":
        raise CampaignError(
            f"{name}: holds no random deals, expected one of `search climb` or `search sample`"
        )
    histogram = {int(tricks): int(games) for tricks, games in document["histogram"].items()}
    halving = fit_halving(histogram, dependence_of(histogram, error_of_mean(document)))
    if halving is None:
        raise CampaignError(f"{name}: too few long games were played yet, expected some minutes of a hunt")
    games = sum(histogram.values())
    trees = best_of_trees(ledger)
    source = f"{name}, {int(document['deals']):,} deals"
    return Facts(entries[0].campaign.deck, source, games, halving, gain_from(trees, halving, games))


def best_of_trees(ledger: Ledger) -> list[int]:
    """Return the tricks of the longest deal of each tree that the finds of a ledger come from."""
    best: dict[int, int] = {}
    for entry in ledger.campaigns():
        for find in ledger.finds(entry, Status.FINISHED):
            if find.tree:
                best[find.tree] = max(find.result.tricks, best.get(find.tree, 0))
    return sorted(best.values(), reverse=True)


def facts_text(ledger: Ledger) -> str:
    """Return the text of a file of facts, such as the shipped one, from the ledger of a long hunt."""
    document = summary(ledger)
    (entry,) = ledger.campaigns()
    seed, deals = entry.campaign.seed, int(document["deals"])
    source = [
        f"{deals:,} deals of `camicia search {entry.campaign.strategy} --seed {seed}`",
        f"campaign {entry.campaign.to_json()}",
        f"checksum {document['checksum']}",
    ]
    histogram = {int(tricks): int(games) for tricks, games in document["histogram"].items()}
    dependence = dependence_of(histogram, error_of_mean(document))
    lines = [*(f"# {line}" for line in source), "what,tricks,number"]
    lines += [f"dependence,,{dependence:.4f}"]
    lines += [f"games,{tricks},{games}" for tricks, games in sorted(histogram.items())]
    lines += [f"tree,{tricks}," for tricks in best_of_trees(ledger)[:100]]
    return "\n".join([*lines, ""])
