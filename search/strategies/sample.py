"""Sample: play uniform random deals, and keep the longest."""

from __future__ import annotations

import math
import time
from typing import Any

from camicia.cards import Deck
from camicia.deals.sampling import DealStream
from search.campaign import Campaign, Totals, UnitReport
from search.scan.account import Account
from search.scan.scan import scan_deals
from search.strategies.base import MEASURING_SECONDS, Strategy, planned_unit_size, report_of
from search.strategies.request import Request, finds_kept, new_seed

#: Counters from which the errors of means are computed: shuffles, and the squares of their sums.
SHUFFLE_COUNTERS = ("shuffles", "squared_cards", "squared_tricks")


class Sample(Strategy):
    """Random balanced deals; all are independent except those of one shuffle."""

    name = "sample"
    plays = "random"
    summary = "play uniform random deals"
    description = """\
Plays uniform random deals of a deck, balanced by the usual cut, and keeps the longest games.

examples:
  camicia search sample --for 10m
  camicia search sample --deck 28:4:4:4:0 --deals 1e9 --workers 2
  camicia search sample --seed 7 --ledger seven.db"""
    counters = SHUFFLE_COUNTERS

    def plan(self, request: Request) -> Campaign:
        """Choose a seed, unless given, and measure how many deals make a unit."""
        seed = new_seed(request)
        group = self.group(request.deck)
        rate = 0.0 if request.unit_size is not None else sampling_rate(request.deck)
        return Campaign(
            self.name,
            request.deck,
            seed,
            planned_unit_size(request, rate, group),
            finds_kept(request),
        )

    def group(self, deck: Deck) -> int:
        """The deals of a shuffle."""
        return DealStream(deck, 0, 0).deals_per_shuffle

    def run_unit(self, campaign: Campaign, unit: int, kernel: str | None = None) -> UnitReport:
        """Play the unit's own stretch of the random stream."""
        stream = DealStream(campaign.deck, campaign.seed, unit)
        account = Account(
            campaign.deck.size,
            campaign.finds_kept,
            campaign.loops_kept,
            group=stream.deals_per_shuffle,
        )
        size = campaign.unit_size
        kernel = scan_deals(account, stream, unit * size, size, kernel)
        return report_of(account, unit, kernel=kernel, counters=shuffle_counters(account, stream, size))

    def details(self, campaign: Campaign, totals: Totals) -> dict[str, Any]:
        """The standard errors of both means."""
        return {f"mean_{length}_error": error_of_mean(totals, length) for length in ("cards", "tricks")}


def shuffle_counters(account: Account, stream: DealStream, deals: int) -> dict[str, int]:
    """The values from which the errors of means are computed, named as in `SHUFFLE_COUNTERS`."""
    counted = (deals // stream.deals_per_shuffle, *account.squares())
    return dict(zip(SHUFFLE_COUNTERS, counted, strict=True))


def error_of_mean(totals: Totals, length: str) -> float | None:
    """The standard error of a mean length over shuffles, whose deals are not independent; None if unknown.

    Examples
    --------
    >>> error_of_mean(Totals(games=4, cards=40, counters={"shuffles": 2, "squared_cards": 802}), "cards")
    0.5
    """
    shuffles = totals.counters.get("shuffles", 0)
    squares = totals.counters.get(f"squared_{length}")
    if shuffles < 2 or squares is None or not totals.finished:
        return None
    total = int(getattr(totals, length))
    # The variance of the shuffles' sums times their number, as exact ints: they are too large for floats.
    variance = (shuffles * squares - total * total) / (shuffles - 1)
    return math.sqrt(max(0.0, variance)) / totals.finished


def sampling_rate(deck: Deck) -> float:
    """Measure how many random deals of a deck one core plays per second."""
    stream = DealStream(deck, 0, 0)
    account = Account(deck.size, 1, 1)
    # Processor time: other load on the machine should not change a campaign.
    started = time.process_time()
    batch = 64
    while True:
        scan_deals(account, stream, account.games, batch)
        elapsed = time.process_time() - started
        if elapsed > MEASURING_SECONDS:
            return account.games / elapsed
        batch = max(1, round(batch * min(8.0, (MEASURING_SECONDS - elapsed) / max(elapsed, 1e-4))) + 1)
