"""The request for a hunt: the campaign to begin, or what the one to resume must satisfy."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from camicia.cards import STANDARD, Deck
from search.campaign import Campaign, Setting
from search.ledger import loops_in
from search.strategies import DEFAULT_STRATEGY, Request, strategy_named
from search.strategies.base import whole_groups
from search.workers import usable_cpus


@dataclass(frozen=True)
class Wish:
    """The request for a hunt. None means not given: the ledger decides, or the default applies.

    Parameters
    ----------
    strategy : str or None
        How to hunt; None means the ledger's strategy, or `climb` for a new ledger.
    deck : Deck, optional
        The deck to deal from (default for a new ledger: the standard deck).
    seed, unit_size, keep : int, optional
        Seed of the random stream, deals in a unit, and finds kept in each list.
    settings : mapping of str to int or str
        The strategy's own settings.
    ledger : path, optional
        The file (default: named after strategy and deck, in the current directory).
    deals : int, optional
        Total deals of the campaign (default: no limit).
    seconds : float, optional
        How long to hunt.
    workers : int, optional
        Processes (default: one per usable CPU).
    """

    strategy: str | None = None
    deck: Deck | None = None
    seed: int | None = None
    unit_size: int | None = None
    keep: int | None = None
    settings: Mapping[str, Setting] | None = None
    ledger: str | os.PathLike[str] | None = None
    deals: int | None = None
    seconds: float | None = None
    workers: int | None = None

    @property
    def path(self) -> Path:
        """The path of the ledger."""
        if self.ledger is not None:
            return Path(self.ledger)
        name = f"{self.strategy or DEFAULT_STRATEGY}-{self.deck or STANDARD}.db"
        return Path(name.replace(":", "-"))

    @property
    def slots(self) -> int:
        """Number of workers on this machine."""
        return self.workers or usable_cpus()

    def plan(self) -> Campaign:
        """Plan the new campaign that was asked for, measuring whatever it needs.

        Raises
        ------
        CampaignError
            If no such campaign is possible.
        """
        strategy = strategy_named(self.strategy or DEFAULT_STRATEGY)
        deck, settings = self.deck or STANDARD, dict(self.settings or {})
        strategy.check_options(settings)
        # Read only when a campaign is planned: to resume one, the earlier ledger is not needed.
        earlier = (
            partial(loops_in, str(settings["from_ledger"]), deck) if "from_ledger" in settings else tuple
        )
        return strategy.plan(
            Request(
                deck=deck,
                seed=self.seed,
                unit_size=self.unit_size,
                finds_kept=self.keep,
                settings=settings,
                deals=self.deals,
                seconds=self.seconds,
                workers=self.slots,
                earlier_loops=earlier,
            )
        )

    def identity(self, campaign: Campaign | None) -> dict[str, Any]:
        """The identity fields that were given, in the form in which a ledger's campaign has them."""
        unit_size = self.unit_size
        if unit_size is not None and campaign is not None:
            unit_size = whole_groups(unit_size, strategy_named(campaign.strategy).group(campaign.deck))
        given: dict[str, Any] = {
            "strategy": self.strategy,
            "deck": self.deck,
            "seed": self.seed,
            "finds_kept": self.keep,
            "unit_size": unit_size,
            **(self.settings or {}),
        }
        return {name: value for name, value in given.items() if value is not None}
