"""A campaign's identity, the report of one of its units, and sums of such reports."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from camicia.cards import Deck
from camicia.deals.sampling import SEED_LIMIT, STREAM_VERSION, checked_seed
from camicia.errors import DeckError
from camicia.kinds import Kind, decimal, line, shown, whole
from search.errors import CampaignError
from search.finds import Find

#: Finds kept of each kind: the best by cards, and the best by tricks.
FINDS_KEPT = 100

#: Loops kept, those of smallest rank; all are counted. So a ledger full of loops stays small.
LOOPS_KEPT = 100

#: Upper limit on finds kept of each kind: every commit goes through all of them.
MOST_KEPT = 100_000

#: Cards in the largest deck that can be hunted. Games of larger decks are so long that units, and the
#: measurements before them, would take minutes and could not be interrupted.
MOST_CARDS = 256

#: Most deals in a unit: a current machine would work on them for some hours.
MOST_UNIT_SIZE = 10**12

#: Checksums are sums modulo this.
CHECKSUM_MODULUS = 1 << 64

#: Counters that every strategy has, summed like its own: the processor time of the units for which it was
#: measured, and their deals. Units from versions that measured only wall time lack them.
PROCESSOR_MICROSECONDS = "processor_microseconds"
PROCESSOR_DEALS = "processor_deals"
PROCESSOR_COUNTERS = (PROCESSOR_MICROSECONDS, PROCESSOR_DEALS)

#: Allowed values of a strategy's own settings.
Setting = int | str

#: The fields of a campaign's JSON, and what each may hold; its strategy checks the settings further.
FIELDS: dict[str, Kind] = {
    "strategy": line(40),
    "deck": line(40),
    "seed": decimal(SEED_LIMIT - 1),
    "unit_size": decimal(MOST_UNIT_SIZE),
    "finds_kept": whole(0, MOST_KEPT),
    "loops_kept": whole(0, MOST_KEPT),
    "stream": whole(1, 1 << 31),
    "settings": Kind(
        "an object of numbers and texts",
        lambda value: isinstance(value, dict) and all(type(item) in (int, str) for item in value.values()),
    ),
}


@dataclass(frozen=True)
class Campaign:
    """The identity of a campaign: all that is needed to compute any of its units.

    Parameters
    ----------
    strategy : str
        Name of the strategy.
    deck : Deck
        The deck to deal from.
    seed : int
        Seed of the random stream, 0 to 2**64 - 1.
    unit_size : int
        Deals in a unit.
    finds_kept, loops_kept : int
        How many finds each list keeps.
    stream : int
        Version of the random stream.
    settings : mapping of str to int or str
        Other values that the strategy fixes, such as thresholds.

    Raises
    ------
    CampaignError
        If a number is impossible.

    Examples
    --------
    >>> from camicia import STANDARD
    >>> campaign = Campaign("sample", STANDARD, seed=7, unit_size=1248)
    >>> Campaign.from_json(campaign.to_json()) == campaign
    True
    """

    strategy: str
    deck: Deck
    seed: int
    unit_size: int
    finds_kept: int = FINDS_KEPT
    loops_kept: int = LOOPS_KEPT
    stream: int = STREAM_VERSION
    settings: Mapping[str, Setting] = field(default_factory=dict)

    def __post_init__(self) -> None:
        checked_seed(self.seed)
        bounds = {
            "unit_size": (1, MOST_UNIT_SIZE),
            "finds_kept": (0, MOST_KEPT),
            "loops_kept": (0, MOST_KEPT),
        }
        for name, (least, most) in bounds.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                raise CampaignError(
                    f"{name.replace('_', ' ')} {value!r}: expected a whole number from {least} to {most:,}"
                )

    def as_dict(self) -> dict[str, Any]:
        """The identity under its JSON field names; seed and unit size are strings, like all such counts."""
        return asdict(self) | {
            "deck": str(self.deck),
            "seed": str(self.seed),
            "unit_size": str(self.unit_size),
            "settings": dict(sorted(self.settings.items())),
        }

    def to_json(self) -> str:
        """The identity as canonical JSON: two campaigns are the same if this text is the same."""
        return json.dumps(self.as_dict(), sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` wrote.

        Raises
        ------
        CampaignError
            If it is not such a text.
        """
        values = _fields(text)
        try:
            campaign = cls(
                **values
                | {
                    "deck": Deck.parse(values["deck"]),
                    "seed": int(values["seed"]),
                    "unit_size": int(values["unit_size"]),
                }
            )
        except (ValueError, DeckError) as error:
            raise CampaignError(f"campaign {text[:80]!r}: expected the JSON of one ({error})") from None
        if campaign.deck.size > MOST_CARDS:
            raise CampaignError(
                f"campaign {text[:80]!r}: deck of {campaign.deck.size:,} cards, expected at most {MOST_CARDS}"
            )
        if campaign.to_json() != text:
            raise CampaignError(f"campaign {text[:80]!r}: expected canonical JSON, as `to_json` writes it")
        return campaign

    @property
    def identity(self) -> str:
        """The campaign's name: sixteen hexadecimal digits.

        Examples
        --------
        >>> from camicia import STANDARD
        >>> len(Campaign("sample", STANDARD, seed=7, unit_size=1248).identity)
        16
        """
        return hashlib.sha256(self.to_json().encode()).hexdigest()[:16]


@dataclass(frozen=True)
class UnitReport:
    """The report of one unit.

    Everything except `seconds`, `processor_seconds`, `kernel` and `host` is a pure function of campaign and
    unit.

    Parameters
    ----------
    unit : int
        Its number in the campaign.
    games, loops : int
        Deals played, and how many of them never end.
    cards, tricks : int
        Sums over the finite games.
    histogram : mapping of int to int
        Finite games by their number of tricks.
    checksum : int
        Sum of the mixed results of its games, modulo 2**64; docs/checksum.md has the formula.
    finds, loop_finds : tuple of Find
        The best finite games, and the looping deals of smallest rank.
    counters : mapping of str to int
        Other counts of the strategy. Each is summed over the units of a campaign.
    seconds : float
        Wall-clock time that the unit took.
    processor_seconds : float or None
        Processor time of its thread, None if not measured; it is ignored when reports are compared.
    kernel, host : str
        The kernel that played the unit, and the host it ran on.
    """

    unit: int
    games: int
    loops: int
    cards: int
    tricks: int
    histogram: Mapping[int, int]
    checksum: int
    finds: tuple[Find, ...] = ()
    loop_finds: tuple[Find, ...] = ()
    counters: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    processor_seconds: float | None = field(default=None, compare=False)
    kernel: str = ""
    host: str = ""


@dataclass
class Totals:
    """Sums over any set of a campaign's units, whatever the order in which they are added.

    Examples
    --------
    >>> totals = Totals()
    >>> totals.add(UnitReport(0, 10, 1, 90, 9, {1: 9}, checksum=5))
    >>> totals.games, totals.mean("cards")
    (10, 10.0)
    """

    units: int = 0
    games: int = 0
    loops: int = 0
    cards: int = 0
    tricks: int = 0
    checksum: int = 0
    milliseconds: int = 0
    counters: dict[str, int] = field(default_factory=dict)

    def add(self, report: UnitReport) -> None:
        """Add the report of a unit."""
        self.units += 1
        self.games += report.games
        self.loops += report.loops
        self.cards += report.cards
        self.tricks += report.tricks
        self.checksum = (self.checksum + report.checksum) % CHECKSUM_MODULUS
        self.milliseconds += round(1000 * report.seconds)
        self._count(report.counters.items())
        if report.processor_seconds is not None:
            self._count(
                [
                    (PROCESSOR_MICROSECONDS, round(1e6 * report.processor_seconds)),
                    (PROCESSOR_DEALS, report.games),
                ]
            )

    def join(self, other: Totals) -> None:
        """Add the totals of other units."""
        for name in ("units", "games", "loops", "cards", "tricks", "milliseconds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.checksum = (self.checksum + other.checksum) % CHECKSUM_MODULUS
        self._count(other.counters.items())

    def _count(self, counters: Iterable[tuple[str, int]]) -> None:
        for name, number in counters:
            self.counters[name] = self.counters.get(name, 0) + number

    @property
    def mean_seconds(self) -> float | None:
        """Mean wall-clock time of a unit; None while there are no units."""
        return self.milliseconds / 1000 / self.units if self.units else None

    @property
    def processor_seconds(self) -> float | None:
        """Processor time of all units; None unless it was measured for every deal."""
        if self.counters.get(PROCESSOR_DEALS, 0) != self.games:
            return None
        return self.counters.get(PROCESSOR_MICROSECONDS, 0) / 1e6

    @property
    def processor_rate(self) -> float | None:
        """Deals per second of processor time, over the units for which it was measured; None if none was.

        Examples
        --------
        >>> totals = Totals(games=30, counters={PROCESSOR_DEALS: 20, PROCESSOR_MICROSECONDS: 10_000_000})
        >>> totals.processor_rate, totals.processor_seconds
        (2.0, None)
        """
        microseconds = self.counters.get(PROCESSOR_MICROSECONDS, 0)
        return 1e6 * self.counters.get(PROCESSOR_DEALS, 0) / microseconds if microseconds else None

    @property
    def finished(self) -> int:
        """Games that end."""
        return self.games - self.loops

    def mean(self, length: str) -> float | None:
        """Mean length of the finite games, in cards or in tricks; None while there are none."""
        return int(getattr(self, length)) / self.finished if self.finished else None


def _fields(text: str) -> dict[str, Any]:
    """The fields of a campaign's JSON, each as `FIELDS` has it."""
    beginning = f"campaign {text[:80]!r}: expected the JSON of one"
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        # The second is what comes of a thousand brackets.
        raise CampaignError(f"{beginning} ({error})") from None
    if not isinstance(values, dict) or values.keys() != FIELDS.keys():
        raise CampaignError(f"{beginning}, with the fields {', '.join(FIELDS)}")
    for name, kind in FIELDS.items():
        if not kind.accepts(values[name]):
            raise CampaignError(f"{beginning} ({name} is {shown(values[name])}, expected {kind.expected})")
    return values
