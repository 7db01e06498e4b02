"""What a strategy is: how its campaigns are planned, what one unit of them does, and what it tells people."""

from __future__ import annotations

import argparse
import platform
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from camicia.cards import STANDARD, Deck
from search.account import Account
from search.campaign import CHECKSUM_MODULUS, FINDS_KEPT, Campaign, Setting, Totals, UnitReport
from search.errors import CampaignError
from search.finds import Find

#: Work in a unit, in seconds of one core: long enough for handing out and committing to cost nothing (they
#: take some milliseconds), short enough for progress to be seen and for little to be lost at a kill.
UNIT_SECONDS = 3.0

#: The least work in a unit, however short the first run is to be: an hour of such units is still a
#: ledger of a few megabytes.
LEAST_UNIT_SECONDS = 0.1

#: Units that a first run of known length is cut into for each worker, so that all finish at about one time.
UNITS_PER_WORKER = 8

#: Time that the measurement of the rate takes, in seconds.
MEASURING_SECONDS = 0.3


#: Cards of the largest deck that is hunted. Games of larger ones are so long that units, and what is measured
#: beforehand, would take minutes which nothing can interrupt.
MOST_CARDS = 256


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
    """

    deck: Deck = STANDARD
    seed: int | None = None
    unit_size: int | None = None
    finds_kept: int | None = None
    settings: Mapping[str, Setting] = field(default_factory=dict)
    deals: int | None = None
    seconds: float | None = None
    workers: int = 1

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

    @abstractmethod
    def plan(self, request: Request) -> Campaign:
        """Fix the identity of a new campaign, measuring what has to be measured."""

    @abstractmethod
    def run_unit(self, campaign: Campaign, unit: int, kernel: str | None = None) -> UnitReport:
        """Do one unit's work: a pure function of campaign and unit, but for time, kernel and host."""

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


def new_seed(request: Request) -> int:
    """The seed that was asked for, or a random one."""
    return secrets.randbits(64) if request.seed is None else request.seed


def finds_kept(request: Request) -> int:
    """The number of finds to keep that was asked for, or the usual one."""
    return FINDS_KEPT if request.finds_kept is None else request.finds_kept


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
        return -(-request.unit_size // group) * group
    seconds = UNIT_SECONDS
    if request.deals is not None:
        seconds = min(seconds, request.deals / deals_per_second / (UNITS_PER_WORKER * request.workers))
    if request.seconds is not None:
        seconds = min(seconds, request.seconds / UNITS_PER_WORKER)
    groups = max(1, round(max(seconds, LEAST_UNIT_SECONDS) * deals_per_second / group))
    # Two figures are as exact as the measurement, and pleasant to read.
    scale = int(10 ** max(0, len(str(groups)) - 2))
    return max(1, round(groups / scale)) * scale * group


def report_of(
    account: Account,
    unit: int,
    *,
    started: float,
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
    started : float
        `time.perf_counter` when it began.
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
        seconds=time.perf_counter() - started,
        kernel=kernel,
        host=platform.node(),
    )
