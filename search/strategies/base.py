"""What a strategy is: how its campaigns are planned, what one unit of them does, and what it tells people."""

from __future__ import annotations

import argparse
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from camicia.cards import STANDARD, Deck
from camicia.codes import SYMBOLS
from camicia.kinds import Kind, shown
from search.campaign import (
    CHECKSUM_MODULUS,
    FINDS_KEPT,
    MOST_CARDS,
    MOST_DEALS,
    Campaign,
    Setting,
    Totals,
    UnitReport,
)
from search.errors import CampaignError
from search.finds import Find
from search.scan.account import Account

#: Work in a unit, in seconds of one core: long enough for handing out and committing to cost nothing (they
#: take some milliseconds), short enough for progress to be seen and for little to be lost at a kill.
UNIT_SECONDS = 3.0

#: The least work in a unit, however short the first run is to be: an hour of such units is still a
#: ledger of a few megabytes.
LEAST_UNIT_SECONDS = 0.1

#: Units that a first run of a known number of deals is cut into for each worker, so that all finish at about
#: one time.
UNITS_PER_WORKER = 8

#: The same for a first run of a known time. Workers give way to all other programs: where those leave them a
#: thirtieth of a processor, each still has a unit done in time.
UNITS_PER_WORKER_IN_TIME = 32

#: Time that the measurement of the rate takes, in seconds.
MEASURING_SECONDS = 0.3


@dataclass(frozen=True)
class Request:
    """What was asked of a new campaign; None where nothing was.

    Parameters
    ----------
    deck : Deck
        What is to be dealt.
    seed, unit_size, finds_kept : int, optional
        Parts of the identity.
    settings : mapping
        The strategy's own settings that were given.
    deals : int, optional
        Deals the first run is to play.
    seconds : float, optional
        Time the first run is to take.
    workers : int
        Workers it will have.
    earlier_loops : callable, optional
        Returns deals or states that fall into the loops of an earlier campaign, those to begin with first.
    """

    deck: Deck = STANDARD
    seed: int | None = None
    unit_size: int | None = None
    finds_kept: int | None = None
    settings: Mapping[str, Setting] = field(default_factory=dict)
    deals: int | None = None
    seconds: float | None = None
    workers: int = 1
    earlier_loops: Callable[[], Sequence[str]] = tuple

    def __post_init__(self) -> None:
        if self.deck.size > MOST_CARDS:
            raise CampaignError(
                f"deck {self.deck}: has {self.deck.size:,} cards; hunts take decks of up to {MOST_CARDS}, "
                "`camicia play` plays larger ones"
            )


class Strategy(ABC):
    """One way to hunt. A subclass is one module, and one entry in `search.strategies`."""

    #: What people call it.
    name: ClassVar[str]
    #: One line about it.
    summary: ClassVar[str]
    #: More about it, with examples, for its help.
    description: ClassVar[str]
    #: What it plays: random deals, given ones, or states edited from loops. Only the lengths of the first
    #: follow a law, and only the last are no deals of the deck.
    plays: ClassVar[Literal["random", "given", "edited"]] = "given"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:  # noqa: B027 - most have none
        """Add the strategy's own options; the destination of each is the name of a setting."""

    @property
    def setting_names(self) -> Sequence[str]:
        """Names of the settings that may be given on the command line."""
        parser = argparse.ArgumentParser(add_help=False)
        self.add_arguments(parser)
        return [action.dest for action in parser._actions]

    #: What every campaign of it fixes, and what each of these settings may be.
    settings: ClassVar[Mapping[str, Kind]] = {}
    #: Settings that some campaigns have besides.
    further_settings: ClassVar[Mapping[str, Kind]] = {}
    #: Names of its counters that every unit reports, and of those among them that no other run confirms.
    counters: ClassVar[Sequence[str]] = ()
    measured_counters: ClassVar[Sequence[str]] = ()

    def check(self, campaign: Campaign) -> None:
        """See that a campaign is one that this strategy could have planned; it may come from anyone.

        Raises
        ------
        CampaignError
            If a setting is missing, unknown or impossible.
        """
        known = {**self.settings, **self.further_settings}
        for name, value in campaign.settings.items():
            if name not in known:
                expected = ", ".join(known) or "none"
                raise CampaignError(f"setting {shown(name)}: unknown to {self.name}, expected {expected}")
            if not known[name].accepts(value):
                raise CampaignError(f"setting {name} {shown(value)}: expected {known[name].expected}")
        for name in self.settings:
            if name not in campaign.settings:
                raise CampaignError(f"setting {name}: is missing, expected {self.settings[name].expected}")

    def unit_limit(self, campaign: Campaign) -> int:
        """Units that the campaign can have: numbers of its deals are at most 63 bits long."""
        there_are = self.unit_count(campaign)
        return (1 << 63) // campaign.unit_size if there_are is None else there_are

    def deals_of(self, campaign: Campaign, unit: int) -> int:
        """How many deals a unit has."""
        return campaign.unit_size

    def source(self, campaign: Campaign) -> Hashable:
        """What decides, with a unit's number, which deals the unit begins with; None if its ranks do.

        Two units of one number deal the same deals, up to the end of the shorter, if their campaigns have
        the same source, whatever else these differ in.
        """
        return self.name, campaign.deck, campaign.seed, campaign.stream

    def loops_met(self, totals: Totals) -> Collection[tuple[int, str]]:
        """The cycles that a campaign has counted: how many deals fall into each, and a state on it."""
        return ()

    def is_counter(self, name: str, deck: Deck) -> bool:
        """Whether a counter may have this name."""
        return name in self.counters

    def check_totals(self, totals: Totals) -> None:  # noqa: B027 - most counters stand by themselves
        """See that the strategy's counters agree with the sums of every campaign.

        Raises
        ------
        CampaignError
            If they do not.
        """

    @abstractmethod
    def plan(self, request: Request) -> Campaign:
        """Fix the identity of a new campaign, measuring what has to be measured."""

    def group(self, deck: Deck) -> int:
        """Deals that belong together: a unit has a whole number of such groups."""
        return 1

    @abstractmethod
    def run_unit(self, campaign: Campaign, unit: int, kernel: str | None = None) -> UnitReport:
        """Do one unit's work: a pure function of campaign and unit, but for the kernel."""

    def unit_count(self, campaign: Campaign) -> int | None:
        """Units that the campaign has in all, None if it never ends."""
        return None

    def details(self, campaign: Campaign, totals: Totals) -> dict[str, Any]:
        """What `status` tells beyond the totals, under the field names of JSON."""
        return {}

    def progress(self, campaign: Campaign, totals: Totals) -> str:
        """What a run tells while it goes on, beyond deals, rate and the longest; empty for nothing."""
        return ""

    def lines(self, campaign: Mapping[str, Any]) -> list[tuple[str, str]]:
        """What `status` tells people beyond the totals, line by line with a label, from a campaign's JSON."""
        return []


def is_cycle_name(text: str, deck: Deck) -> bool:
    """Whether a text can be the name of a cycle of a deck: two hands of all its cards.

    Examples
    --------
    >>> is_cycle_name("--J-/J-", Deck(4, 2, 0, 0, 0)), is_cycle_name("--J-/Q-", Deck(4, 2, 0, 0, 0))
    (True, False)
    """
    if text.count("/") != 1 or len(text) != deck.size + 1:
        return False
    return all(text.count(symbol) == count for symbol, count in zip(SYMBOLS, deck.counts, strict=True))


def new_seed(request: Request) -> int:
    """The seed that was asked for, or a random one."""
    return secrets.randbits(64) if request.seed is None else request.seed


def finds_kept(request: Request) -> int:
    """The number of finds to keep that was asked for, or the usual one."""
    return FINDS_KEPT if request.finds_kept is None else request.finds_kept


def whole_groups(unit_size: int, group: int) -> int:
    """Round a unit size up to whole groups, or down where it would be too large otherwise.

    Examples
    --------
    >>> whole_groups(2000, 1248), whole_groups(10**12, 1248)
    (2496, 999999999648)
    """
    return min(-(-unit_size // group), MOST_DEALS // group) * group


def planned_unit_size(request: Request, deals_per_second: float, group: int = 1) -> int:
    """Choose the deals of a unit: whole groups, for some seconds of work, less if the first run is short.

    Parameters
    ----------
    request : Request
        What was asked for; a unit size given is only rounded up to whole groups.
    deals_per_second : float
        Measured rate of one core.
    group : int
        Deals that belong together, such as those of one shuffle.

    Examples
    --------
    >>> planned_unit_size(Request(), 1e6, 1248), planned_unit_size(Request(unit_size=1), 1e6, 1248)
    (2995200, 1248)
    """
    if request.unit_size is not None:
        return whole_groups(request.unit_size, group)
    seconds = UNIT_SECONDS
    if request.deals is not None:
        seconds = min(seconds, request.deals / deals_per_second / (UNITS_PER_WORKER * request.workers))
    if request.seconds is not None:
        seconds = min(seconds, request.seconds / UNITS_PER_WORKER_IN_TIME)
    groups = max(1, round(max(seconds, LEAST_UNIT_SECONDS) * deals_per_second / group))
    # Two figures are as exact as the measurement, and pleasant to read.
    scale = int(10 ** max(0, len(str(groups)) - 2))
    return max(1, round(groups / scale)) * scale * group


def report_of(
    account: Account,
    unit: int,
    *,
    kernel: str,
    finds: Sequence[Find] | None = None,
    loop_finds: Sequence[Find] | None = None,
    counters: Mapping[str, int] | None = None,
    further_checksum: int = 0,
) -> UnitReport:
    """Make the report of a unit from its account.

    Parameters
    ----------
    account : Account
        The unit's games.
    unit : int
        Number of the unit.
    kernel : str
        What played it.
    finds, loop_finds : sequence of Find, optional
        The finds and the loops, where they are not those of the account.
    counters : mapping, optional
        What else the strategy counts.
    further_checksum : int, optional
        Hash of what else the strategy did, added to the checksum.
    """
    return UnitReport(
        unit=unit,
        games=account.games,
        loops=account.loops,
        cards=account.cards,
        tricks=account.tricks,
        histogram=account.histogram(),
        checksum=(account.checksum + further_checksum) % CHECKSUM_MODULUS,
        finds=account.finds() if finds is None else tuple(finds),
        loop_finds=account.loop_finds() if loop_finds is None else tuple(loop_finds),
        counters=dict(counters or {}),
        kernel=kernel,
    )
