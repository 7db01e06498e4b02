"""Read the rows of a ledger as campaigns, totals, units and finds, checking each."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from camicia.cards import Deck
from camicia.codes import SYMBOLS
from camicia.deals.sampling import STREAM_VERSION
from camicia.errors import CamiciaError
from camicia.kinds import shown
from camicia.results import Status
from search.campaign import PROCESSOR_COUNTERS, PROCESSOR_DEALS, Campaign, Totals
from search.errors import CampaignError, LedgerError
from search.ledger.columns import row_fault
from search.ledger.schema import COLUMNS
from search.ledger.store import Store
from search.ledger.stored import StoredFind, damage_named, read_rows, unsigned
from search.strategies import STRATEGIES, strategy_named

#: Names of the totals that every strategy has, and the prefix of a strategy's own counters.
SUMS = tuple(field.name for field in fields(Totals) if field.name != "counters")
COUNTER = "counter."

#: The columns of an origin, without its number.
_ORIGIN = COLUMNS["origins"][1:]


class Entry(NamedTuple):
    """A campaign in a ledger."""

    id: int
    campaign: Campaign
    version: str
    made: int


class Contents(Store):
    """What a ledger holds, for readers; `search.ledger.Ledger` also writes.

    Every method raises `LedgerError` for a row that no version of Camicia writes.
    """

    def campaigns(self) -> list[Entry]:
        """The campaigns the ledger holds: one, or several of one strategy and deck after a merge.

        Raises
        ------
        LedgerError
            If Camicia could not have planned one of them.
        """
        entries: list[Entry] = []
        for row in read_rows(self, "campaigns", "ORDER BY id"):
            id_, text, version, made = row
            try:
                campaign = Campaign.from_json(text)
                if campaign.strategy in STRATEGIES and campaign.stream == STREAM_VERSION:
                    strategy_named(campaign.strategy).check(campaign)
                for other in entries[:1]:
                    alike(other.campaign, campaign)
            except CamiciaError as error:
                raise LedgerError(
                    f"ledger {str(self.path)!r}: damaged: table campaigns, row {id_}: identity: {error}"
                ) from None
            if campaign.strategy not in STRATEGIES or campaign.stream > STREAM_VERSION:
                raise LedgerError(
                    f"ledger {str(self.path)!r}: strategy {shown(campaign.strategy)}, random stream "
                    f"{campaign.stream}: of a newer version, expected one of {', '.join(STRATEGIES)} and "
                    f"stream {STREAM_VERSION}; update Camicia"
                )
            entries.append(Entry(id_, campaign, version, made))
        return entries

    def done(self, entry: Entry) -> set[int]:
        """Return the numbers of the units done."""
        limit = strategy_named(entry.campaign.strategy).unit_limit(entry.campaign)
        numbers = {unit for (unit,) in self.rows("SELECT unit FROM units WHERE campaign = ?", entry.id)}
        with damage_named(self.path):
            for unit in numbers:
                if type(unit) is not int or not 0 <= unit < limit:
                    expected = f"a number of one of {limit:,} units"
                    raise row_fault("units", [entry.id, unit], "unit", unit, expected)
        return numbers

    def dealt(self, entry: Entry) -> set[int]:
        """Return the units whose deals are played, if only by another campaign of the same random stream.

        Merging may combine campaigns that differ in measured settings but play the same deals.
        """
        source = source_of(entry)
        same = [other for other in self.campaigns() if source is not None and source_of(other) == source]
        return self.done(entry).union(*(self.done(other) for other in same))

    def totals(self, entry: Entry) -> Totals:
        """Return the sums over the units done."""
        strategy, deck = strategy_named(entry.campaign.strategy), entry.campaign.deck
        numbers: dict[str, int] = {}
        counters: dict[str, int] = {}
        with damage_named(self.path):
            for row in read_rows(self, "totals", "WHERE campaign = ?", entry.id):
                _, name, text = row
                counter = name.removeprefix(COUNTER)
                if name in SUMS:
                    numbers[name] = int(text)
                elif counter != name and (
                    counter in PROCESSOR_COUNTERS or strategy.is_counter(counter, deck)
                ):
                    counters[counter] = int(text)
                else:
                    expected = f"one of {', '.join(SUMS)}, or a counter of {strategy.name}"
                    raise row_fault("totals", row, "name", name, expected)
        totals = Totals(**numbers, counters=counters)
        if counters.get(PROCESSOR_DEALS, 0) > totals.games:
            raise LedgerError(
                f"ledger {str(self.path)!r}: damaged: table totals: processor time is counted of "
                f"{counters[PROCESSOR_DEALS]:,} deals, expected at most the {totals.games:,} that were played"
            )
        try:
            strategy.check_totals(totals)
        except CampaignError as error:
            raise LedgerError(f"ledger {str(self.path)!r}: damaged: table totals: {error}") from None
        return totals

    def histogram(self, entry: Entry) -> dict[int, int]:
        """Finite games by their number of tricks."""
        rows = read_rows(self, "histogram", "WHERE campaign = ? ORDER BY tricks", entry.id)
        return {tricks: games for _, tricks, games in rows}

    def finds(self, entry: Entry, status: Status = Status.FINISHED) -> list[StoredFind]:
        """Return the finds of one status, longest first."""
        deck = entry.campaign.deck
        limit = strategy_named(entry.campaign.strategy).unit_limit(entry.campaign)
        finds = []
        with damage_named(self.path):
            for row in read_rows(
                self,
                "finds",
                "WHERE campaign = ? AND status = ? ORDER BY cards DESC, tricks DESC, deal",
                entry.id,
                str(status),
            ):
                find = StoredFind.of_row(row)
                if not is_deal_of(find.deal, deck):
                    raise row_fault(
                        "finds", row, "deal", find.deal, f"a deal of deck {deck} with the usual cut"
                    )
                if find.unit >= limit:
                    raise row_fault("finds", row, "unit", find.unit, f"a number of one of {limit:,} units")
                finds.append(find)
        return finds

    def units(self, entry: Entry) -> Iterator[dict[str, Any]]:
        """Yield every unit done, by number: its sums, its checksum, and where and when it was done."""
        strategy = strategy_named(entry.campaign.strategy)
        limit = strategy.unit_limit(entry.campaign)
        origins = {
            number: dict(zip(_ORIGIN, origin, strict=True)) for number, *origin in read_rows(self, "origins")
        }
        for row in read_rows(self, "units", "WHERE campaign = ? ORDER BY unit", entry.id):
            unit = dict(zip(COLUMNS["units"], row, strict=True))
            with damage_named(self.path):
                if unit["unit"] >= limit:
                    expected = f"a number of one of {limit:,} units"
                    raise row_fault("units", row, "unit", unit["unit"], expected)
                if unit["games"] != (games := strategy.deals_of(entry.campaign, unit["unit"])):
                    raise row_fault("units", row, "games", unit["games"], f"{games}, the deals of the unit")
                if unit["origin"] not in origins:
                    raise row_fault("units", row, "origin", unit["origin"], "the number of an origin")
            origin = origins[unit.pop("origin")]
            del unit["campaign"]
            yield unit | {"checksum": unsigned(unit["checksum"])} | origin

    def units_set_aside(self, entry: Entry) -> dict[int, str]:
        """Return the units that failed repeatedly, and why; the totals lack them."""
        rows = read_rows(self, "set_aside", "WHERE campaign = ? ORDER BY unit", entry.id)
        limit = strategy_named(entry.campaign.strategy).unit_limit(entry.campaign)
        with damage_named(self.path):
            for row in rows:
                if row[1] >= limit:
                    raise row_fault("set_aside", row, "unit", row[1], f"a number of one of {limit:,} units")
        return {unit: reason for _, unit, reason, _ in rows}

    def origins(self, entry: Entry) -> list[tuple[str, str, str]]:
        """Return kernel, host and version of every process that did units of a campaign."""
        rows = read_rows(
            self,
            "origins",
            "WHERE id IN (SELECT DISTINCT origin FROM units WHERE campaign = ?) ORDER BY id",
            entry.id,
        )
        return [(kernel, host, version) for _, kernel, host, version in rows]

    def runs(self, entry: Entry) -> list[dict[str, Any]]:
        """Return the runs so far: when, how long, with how many workers, and where."""
        names = ("started", "seconds", "workers", "host")
        rows = read_rows(self, "runs", "WHERE campaign = ? ORDER BY id", entry.id)
        return [dict(zip(names, row[2:], strict=True)) for row in rows]


def source_of(entry: Entry) -> Hashable:
    """Return what determines, with a unit's number, the deals that a unit begins with; None for ranks."""
    return strategy_named(entry.campaign.strategy).source(entry.campaign)


def shared_units(
    entries: Sequence[Entry], done: Callable[[Entry], set[int]]
) -> Iterator[tuple[Entry, Entry, set[int]]]:
    """Yield pairs of campaigns that have played the same deals, however else they differ.

    Unit i begins with the same deals in all campaigns of one random stream: if two of them have done it, the
    longer unit contains all deals of the shorter.

    Parameters
    ----------
    entries : sequence of Entry
        The campaigns.
    done : callable
        Returns the units that a campaign has done.

    Yields
    ------
    tuple of Entry, Entry and set of int
        Two campaigns, and the numbers of the units that both have done.
    """
    of_source: dict[Hashable, list[tuple[Entry, set[int]]]] = {}
    for entry in entries:
        if (source := source_of(entry)) is None:
            continue
        others = of_source.setdefault(source, [])
        units = done(entry)
        for other, theirs in others:
            if common := units & theirs:
                yield other, entry, common
        others.append((entry, units))


def alike(first: Campaign, other: Campaign) -> None:
    """Check that a campaign may share a ledger with another.

    Raises
    ------
    CampaignError
        If strategy or deck differs.
    """
    for name in ("strategy", "deck"):
        expected, value = getattr(first, name), getattr(other, name)
        if value != expected:
            raise CampaignError(f"has {name} {value}, expected {expected} as the first has")


def is_deal_of(text: str, deck: Deck) -> bool:
    """Return whether a text is a deal of all cards of a deck, with the usual cut.

    Examples
    --------
    >>> [is_deal_of(text, Deck(4, 2, 0, 0, 0)) for text in ("J--/-J-", "J---/J-", "J--/-Q-")]
    [True, False, False]
    """
    counts = zip(SYMBOLS, deck.counts, strict=True)
    return text.find("/") == deck.cut and all(text.count(symbol) == count for symbol, count in counts)
