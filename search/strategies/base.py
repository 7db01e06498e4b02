"""What a strategy is: how its campaigns are planned, what one of their units does, and what it reports."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar, Literal

from camicia.ancestry.trees import cycle_of
from camicia.cards import Deal, Deck
from camicia.codes import SYMBOLS
from camicia.kinds import Kind, shown
from search.campaign import (
    CHECKSUM_MODULUS,
    MOST_UNIT_SIZE,
    Campaign,
    Setting,
    Totals,
    UnitReport,
)
from search.errors import CampaignError
from search.finds import Find
from search.scan.account import Account
from search.strategies.ranges import RankRange
from search.strategies.request import Option, Request

#: Work in a unit, in seconds of one core: long enough that handing out and committing (a few milliseconds)
#: cost nothing, short enough that progress shows and a kill loses little.
UNIT_SECONDS = 3.0

#: Units a second that all workers together should do at most: large fleets get longer units, so that neither
#: the driver nor the ledger has more to do than with two workers. But no more than ten minutes of work is in
#: a unit, as it would be lost with its worker.
MOST_UNITS_A_SECOND = 30.0
MOST_UNIT_SECONDS = 600.0

#: Least work in a unit, however short the first run: an hour of such units still makes a ledger of only a
#: few megabytes.
LEAST_UNIT_SECONDS = 0.1

#: Units that a first run of a known number of deals is cut into for each worker, so that all finish at about
#: one time.
UNITS_PER_WORKER = 8

#: The same for a first run of a known time. Workers give way to all other programs: even with a thirtieth of
#: a processor, each still finishes a unit in time.
UNITS_PER_WORKER_IN_TIME = 32

#: Prefix of the counters of cycles: the name of a cycle follows, or a number of deals and the name. The
#: ledger keeps them apart, as there may be a million, and keeps sums over them as counters: the cycles, those
#: whose number of deals is not 0, these deals, and the sum of the counters.
CYCLE = "cycle "
CYCLE_SUMS = ("cycles", "cycles_with_deals", "looping_deals", "counted_in_cycles")

#: How long the rate is measured, in seconds.
MEASURING_SECONDS = 0.3


class Strategy(ABC):
    """One way to hunt. Each subclass has its own module and one entry in `search.strategies`."""

    #: Its name.
    name: ClassVar[str]
    #: A one-line description.
    summary: ClassVar[str]
    #: A longer description with examples, for its help.
    description: ClassVar[str]
    #: What it plays: uniform random deals of the deck, deals chosen in another way, or states edited from
    #: loops. Only the lengths of the first follow the law that a report fits, and only the last are no deals.
    plays: ClassVar[Literal["random", "given", "edited"]] = "given"

    #: The settings that may be given, in the order of the help, and a note in the help about all of them.
    options: ClassVar[Sequence[Option]] = ()
    options_note: ClassVar[str] = "fixed when the ledger is made"
    #: Whether a seed decides what it plays.
    is_seeded: ClassVar[bool] = True
    #: Whether `seconds_needed` can estimate how long a whole campaign takes.
    can_estimate: ClassVar[bool] = False
    #: The settings that each of its campaigns fixes, and their allowed values.
    settings: ClassVar[Mapping[str, Kind]] = {}
    #: Further settings that only some campaigns have.
    further_settings: ClassVar[Mapping[str, Kind]] = {}
    #: Names of the counters that every unit reports, and of those among them that no other run can confirm.
    counters: ClassVar[Sequence[str]] = ()
    measured_counters: ClassVar[Sequence[str]] = ()

    def check(self, campaign: Campaign) -> None:
        """Check that this strategy could have planned a campaign; its source is not trusted.

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

    def check_options(self, given: Mapping[str, Setting]) -> None:
        """Check that the settings given for a new campaign are options of this strategy and do not conflict.

        Raises
        ------
        CampaignError
            If one is unknown or has an unknown value, or if two exclude each other.
        """
        options = {option.name: option for option in self.options}
        for name, value in given.items():
            if name not in options:
                expected = ", ".join(options) or "none"
                raise CampaignError(f"setting {shown(name)}: unknown to {self.name}, expected {expected}")
            option = options[name]
            if option.choices is not None and value not in option.choices:
                raise CampaignError(
                    f"{option.flag} {shown(value)}: expected one of {', '.join(option.choices)}"
                )
            if option.alternative_to in given:
                other = options[str(option.alternative_to)]
                raise CampaignError(f"{option.flag}: not allowed with {other.flag}")

    def unit_limit(self, campaign: Campaign) -> int:
        """Most units that the campaign can have: the numbers of its deals fit in 63 bits."""
        there_are = self.unit_count(campaign)
        return (1 << 63) // campaign.unit_size if there_are is None else there_are

    def deals_of(self, campaign: Campaign, unit: int) -> int:
        """Number of deals in a unit."""
        return campaign.unit_size

    def source(self, campaign: Campaign) -> Hashable:
        """What determines, with a unit's number, the deals that the unit begins with; None if ranks do.

        Two units of one number deal the same deals, up to the end of the shorter, if their campaigns have
        the same source, whatever else these differ in.
        """
        return self.name, campaign.deck, campaign.seed, campaign.stream

    def ranks(self, campaign: Campaign) -> RankRange | None:
        """The range of ranks that the campaign plays in full; None if it does not deal by rank."""
        return None

    def cycles(self, totals: Totals) -> Mapping[str, int]:
        """The cycles that units have met, by name, each with the deals that fall into it, most first."""
        return {}

    def games_of_cards(self, totals: Totals, cards: int) -> int:
        """The number of games of `cards` cards, if no game is longer and every rank is played."""
        raise NotImplementedError(f"{self.name} does not count games by their cards")

    def seconds_needed(self, campaign: Campaign, kernel: str | None = None) -> float:
        """Estimate how long one core needs for a campaign, from a short measurement; see `can_estimate`."""
        raise NotImplementedError(f"{self.name} cannot estimate its time")

    def is_counter(self, name: str, deck: Deck) -> bool:
        """Whether a counter may have this name."""
        return name in self.counters

    def check_totals(self, totals: Totals) -> None:  # noqa: B027 - most counters stand by themselves
        """Check that the strategy's counters agree with the sums that every campaign has.

        Raises
        ------
        CampaignError
            If they do not.
        """

    @abstractmethod
    def plan(self, request: Request) -> Campaign:
        """Fix the identity of a new campaign, measuring whatever it needs."""

    def group(self, deck: Deck) -> int:
        """Deals that belong together: a unit has a whole number of such groups.

        Where deals of one group depend on one another, give the same number to `Account`: errors of means are
        computed over groups.
        """
        return 1

    @abstractmethod
    def run_unit(self, campaign: Campaign, unit: int, kernel: str | None = None) -> UnitReport:
        """Do one unit's work: a pure function of campaign and unit, but for the kernel.

        Deals are played and counted by `search.scan`: `scan_deals` takes them from any source, `GivenDeals`
        is a source of deals made in Python. The first game of a unit has the number unit * unit size in the
        checksum, or its rank where every rank is played; docs/checksum.md has the formula.
        """

    def unit_count(self, campaign: Campaign) -> int | None:
        """Total number of units in the campaign; None if it never ends."""
        return None

    def details(self, campaign: Campaign, totals: Totals) -> dict[str, Any]:
        """What `status` reports beyond the totals, under the field names of JSON."""
        return {}

    def progress(self, campaign: Campaign, totals: Totals) -> str:
        """What a run reports while it is on, beyond deals, rate and the longest; empty for nothing."""
        return ""

    def lines(self, campaign: Mapping[str, Any]) -> list[tuple[str, str]]:
        """The lines, each with a label, that `status` prints beyond the totals, from a campaign's JSON."""
        return []


def is_cycle_name(text: str, deck: Deck) -> bool:
    """Return whether a text can name a cycle of a deck: two hands with all its cards.

    Examples
    --------
    >>> is_cycle_name("--J-/J-", Deck(4, 2, 0, 0, 0)), is_cycle_name("--J-/Q-", Deck(4, 2, 0, 0, 0))
    (True, False)
    """
    if text.count("/") != 1 or len(text) != deck.size + 1:
        return False
    return all(text.count(symbol) == count for symbol, count in zip(SYMBOLS, deck.counts, strict=True))


def cycle_name(deal: Deal) -> str:
    """The name of the cycle that a looping deal falls into: that of `camicia.ancestry.ancestors.Cycle`.

    Examples
    --------
    >>> cycle_name(Deal.parse("J--/-J-"))
    '--J-/J-'
    """
    found = cycle_of(deal.hand_a, deal.hand_b)
    assert found is not None
    return str(Deal(found[0], found[1]))


def whole_groups(unit_size: int, group: int) -> int:
    """Round a unit size up to whole groups, or down where it would become too large.

    Examples
    --------
    >>> whole_groups(2000, 1248), whole_groups(10**12, 1248)
    (2496, 999999999648)
    """
    return min(-(-unit_size // group), MOST_UNIT_SIZE // group) * group


def planned_unit_size(request: Request, deals_per_second: float, group: int = 1) -> int:
    """Choose the deals of a unit: whole groups, for some seconds of work.

    It is less if the first run is short, and more if there are hundreds of workers.

    Parameters
    ----------
    request : Request
        What was asked for; a unit size given is only rounded up to whole groups.
    deals_per_second : float
        Measured rate of one core.
    group : int
        Size of a group of deals that belong together, such as those of one shuffle.

    Examples
    --------
    >>> planned_unit_size(Request(), 1e6, 1248), planned_unit_size(Request(unit_size=1), 1e6, 1248)
    (2995200, 1248)
    >>> planned_unit_size(Request(workers=2000), 1e6) / 1e6
    67.0
    """
    if request.unit_size is not None:
        return whole_groups(request.unit_size, group)
    seconds = min(max(UNIT_SECONDS, request.workers / MOST_UNITS_A_SECOND), MOST_UNIT_SECONDS)
    if request.deals is not None:
        seconds = min(seconds, request.deals / deals_per_second / (UNITS_PER_WORKER * request.workers))
    if request.seconds is not None:
        seconds = min(seconds, request.seconds / UNITS_PER_WORKER_IN_TIME)
    groups = max(1, round(max(seconds, LEAST_UNIT_SECONDS) * deals_per_second / group))
    # Two figures are as exact as the measurement, and easy to read.
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
        The kernel that played it.
    finds, loop_finds : sequence of Find, optional
        The finds and the loops (default: those of the account).
    counters : mapping, optional
        Other counts of the strategy.
    further_checksum : int, optional
        Hash of the strategy's other work, added to the checksum.
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
