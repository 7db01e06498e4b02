"""Enumerate: play every deal of a range of ranks, so that its results are proven for the range."""

from __future__ import annotations

import re
import time
from collections import Counter
from typing import Any

from camicia.cards import Deck
from camicia.deals.ranks import parse_bound, rank_text
from camicia.kinds import decimal
from search.campaign import Campaign, Totals, UnitReport
from search.errors import CampaignError
from search.finds import deal_of
from search.scan.account import Account
from search.scan.scan import scan_ranks
from search.strategies.base import CYCLE, CYCLE_SUMS, Strategy, cycle_name, is_cycle_name, report_of
from search.strategies.ranges import RankRange
from search.strategies.request import Option, Request, finds_kept

#: Number of units that a small range is cut into, so that machines and workers can share it.
UNITS = 64

#: Most deals in a unit: a few seconds of work, as for every strategy. It is not measured, because all shards
#: of a search must agree on it, wherever they run.
UNIT_DEALS = 1 << 25

#: Most loops listed with their deals. All loops are counted, each towards its cycle.
LOOPS_LISTED = 10_000

#: Settings that are the ends of a range.
RANGE_SETTINGS = ("from", "to")

#: Number of places along the range that `--dry-run` measures, and the least time it plays, in seconds.
MEASURED_PLACES = 64
MEASURED_SECONDS = 1.0

#: Prefix of counter names; a number of cards follows.
LENGTH = "games of cards "
UNNAMED = "loops of no named cycle"


def bound(text: str) -> str:
    """Read a rank from the command line, in the form that a campaign's setting has."""
    return rank_text(parse_bound(text))


class Enumerate(Strategy):
    """Every balanced deal of a range of ranks, in order."""

    name = "enumerate"
    summary = "play every deal of a deck, or of a range of ranks"
    description = """\
Plays every balanced deal of a deck, or of a range of its ranks: places in the lexicographic order of hand A
followed by hand B, number card < J < Q < K < A. Once it is complete, it is proven that there are no longer
games and no other loops. Shards are parts of one search, for several machines; `camicia merge` joins their
ledgers.

examples:
  camicia search enumerate --deck 12:2:2:2:0
  camicia search enumerate --deck 18:2:2:2:2 --shard 3/7
  camicia search enumerate --deck 28:4:4:4:0 --from 1e12 --to 1001e9
  camicia search enumerate --deck 28:4:4:4:0 --dry-run"""
    settings = dict.fromkeys(RANGE_SETTINGS, decimal())
    options = (
        Option("from", "rank of the first deal (default: 0)", metavar="R", read=bound, may_differ=True),
        Option(
            "to",
            "rank to stop before (default: after the last deal)",
            metavar="R",
            read=bound,
            may_differ=True,
        ),
    )
    is_seeded = False
    can_estimate = True

    def plan(self, request: Request) -> Campaign:
        """Fix the range, and the unit size, which is the same wherever it is chosen."""
        settings = request.settings
        ranks = RankRange.of(
            request.deck,
            parse_bound(str(settings.get("from", "0"))),
            parse_bound(str(settings["to"])) if "to" in settings else None,
        )
        if not ranks.size:
            raise CampaignError(f"ranks {ranks}: expected at least one deal")
        return Campaign(
            self.name,
            request.deck,
            # Nothing is random: the same search has the same identity everywhere.
            seed=0,
            unit_size=request.unit_size or unit_size(ranks),
            finds_kept=finds_kept(request),
            loops_kept=LOOPS_LISTED,
            settings={"from": rank_text(ranks.start), "to": rank_text(ranks.stop)},
        )

    def unit_count(self, campaign: Campaign) -> int:
        """Number of units in the range."""
        return ranks_of(campaign).unit_count(campaign.unit_size)

    def check(self, campaign: Campaign) -> None:
        """Check that the ends of the range are ranks of the deck."""
        super().check(campaign)
        if not ranks_of(campaign).size:
            raise CampaignError(f"ranks {ranks_of(campaign)}: expected at least one deal")

    def deals_of(self, campaign: Campaign, unit: int) -> int:
        """Number of deals in a unit; the last may have fewer."""
        return ranks_of(campaign).unit(unit, campaign.unit_size).size

    def source(self, campaign: Campaign) -> None:
        """None, as the deals are determined by rank."""

    def ranks(self, campaign: Campaign) -> RankRange:
        """The range."""
        return ranks_of(campaign)

    def cycles(self, totals: Totals) -> dict[str, int]:
        """Looping deals by the name of their cycle, most first."""
        found = {
            name.removeprefix(CYCLE): number
            for name, number in totals.counters.items()
            if name.startswith(CYCLE)
        }
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))

    def games_of_cards(self, totals: Totals, cards: int) -> int:
        """The count made by the units that hold the longest games."""
        return totals.counters.get(f"{LENGTH}{cards}", 0)

    def is_counter(self, name: str, deck: Deck) -> bool:
        """Loops by their cycle, or games of the most cards of a unit."""
        if name.startswith(CYCLE):
            return is_cycle_name(name.removeprefix(CYCLE), deck)
        return name in (UNNAMED, *CYCLE_SUMS) or bool(
            re.fullmatch(rf"{LENGTH}(0|[1-9]\d{{0,18}})", name, re.ASCII)
        )

    def check_totals(self, totals: Totals) -> None:
        """Check that every loop is counted towards a cycle, or as one of no named cycle."""
        counted = totals.counters.get("counted_in_cycles", 0) + totals.counters.get(UNNAMED, 0)
        if counted != totals.loops:
            raise CampaignError(
                f"loops of all cycles are {counted:,}, expected the {totals.loops:,} of the units"
            )

    def run_unit(self, campaign: Campaign, unit: int, kernel: str | None = None) -> UnitReport:
        """Play the unit's part of the range, and name the cycles of its loops."""
        ranks = ranks_of(campaign).unit(unit, campaign.unit_size)
        account = Account(campaign.deck.size, campaign.finds_kept, campaign.loops_kept)
        kernel = scan_ranks(account, campaign.deck, ranks.start, ranks.stop, kernel)
        counters = longest_counter(account) | cycle_counters(account, campaign.deck)
        return report_of(account, unit, kernel=kernel, counters=counters)

    def seconds_needed(self, campaign: Campaign, kernel: str | None = None) -> float:
        """Estimate how long one core needs for a campaign, from a short measurement.

        Games of consecutive ranks resemble each other, and lengths vary along the range: so a few deals are
        played at each of many places, spread evenly over it.
        """
        ranks = ranks_of(campaign)
        places = min(MEASURED_PLACES, ranks.size)
        deals = 1
        while True:
            spent = played = 0.0
            for place in range(places):
                middle = ranks.start + ranks.size * (2 * place + 1) // (2 * places)
                part = RankRange(middle, min(middle + deals, ranks.stop))
                account = Account(campaign.deck.size, campaign.finds_kept, campaign.loops_kept)
                # Processor time, because the estimate is for a core that does nothing else.
                started = time.thread_time()
                scan_ranks(account, campaign.deck, *part, kernel)
                spent += time.thread_time() - started
                played += part.size
            if spent >= MEASURED_SECONDS or deals * places >= ranks.size:
                return spent / played * ranks.size
            deals = min(UNIT_DEALS, round(deals * min(16.0, 2 * MEASURED_SECONDS / max(spent, 1e-3))) + 1)

    def details(self, campaign: Campaign, totals: Totals) -> dict[str, Any]:
        """The part of the range that is done, and the cycles found."""
        ranks = ranks_of(campaign)
        return {
            "from": rank_text(ranks.start),
            "to": rank_text(ranks.stop),
            "complete": totals.games == ranks.size,
            "cycles": totals.counters.get("cycles", 0),
        }


def ranks_of(campaign: Campaign) -> RankRange:
    """Return the range that a campaign plays.

    Raises
    ------
    CamiciaError
        If it has no such range.
    """
    try:
        start, stop = (parse_bound(str(campaign.settings[name])) for name in RANGE_SETTINGS)
    except KeyError as missing:
        raise CampaignError(
            f"campaign of strategy {campaign.strategy!r}: has no {missing}, expected a range of ranks"
        ) from None
    return RankRange.of(campaign.deck, start, stop)


def unit_size(ranks: RankRange) -> int:
    """Return the number of deals in a unit, which depends on the range alone.

    Examples
    --------
    >>> unit_size(RankRange(0, 11880)), unit_size(RankRange(0, 10**15))
    (186, 33554432)
    """
    return max(1, min(-(-ranks.size // UNITS), UNIT_DEALS))


def longest_counter(account: Account) -> dict[str, int]:
    """Count the games that are as long, in cards, as the unit's longest.

    Only the units that hold the longest game of all count to its number, so their sum is exact, however
    many games are kept as finds. For tricks, see the histogram.
    """
    if account.games == account.loops:
        return {}
    return {f"{LENGTH}{account.most_cards}": account.most_cards_games}


def cycle_counters(account: Account, deck: Deck) -> dict[str, int]:
    """Count the unit's loops by the name of their cycle; loops not listed by the account stay unnamed."""
    named = Counter(f"{CYCLE}{cycle_name(deal_of(find.codes, deck))}" for find in account.loop_finds())
    if unnamed := account.loops - named.total():
        named[UNNAMED] = unnamed
    return dict(named)
