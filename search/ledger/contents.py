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
from search.ledger.cycles import packed, unpacked
from search.ledger.folding import Block
from search.ledger.schema import COLUMNS, COUNTER
from search.ledger.store import Store
from search.ledger.stored import StoredFind, damage_named, read_rows, unsigned
from search.ledger.stretches import Stretch
from search.ledger.unit_sets import UnitSet
from search.strategies import CYCLE, STRATEGIES, strategy_named

#: Names of the totals that every strategy has.
SUMS = tuple(field.name for field in fields(Totals) if field.name != "counters")

#: The columns of an origin, without its number and its campaign.
_ORIGIN = COLUMNS["origins"][2:]


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

    def done(self, entry: Entry) -> UnitSet:
        """Return the numbers of the units done."""
        runs = []
        for row in read_rows(self, "blocks", "WHERE campaign = ? ORDER BY unit", entry.id):
            runs.append(Block(*row[1:]).numbers)
            with damage_named(self.path):
                self._check_limit(entry, "blocks", row, runs[-1][-1])
        done = UnitSet.of(runs)
        if (twice := done.twice()) is not None:
            raise LedgerError(
                f"ledger {str(self.path)!r}: damaged: table blocks: two have unit {twice} of campaign "
                f"{entry.id}, expected one"
            )
        return done

    def _check_limit(self, entry: Entry, table: str, row: Sequence[Any], unit: int) -> None:
        limit = strategy_named(entry.campaign.strategy).unit_limit(entry.campaign)
        if unit >= limit:
            raise row_fault(table, row, "unit", unit, f"a number of one of {limit:,} units")

    def dealt(self, entry: Entry) -> UnitSet:
        """Return the units whose deals are played, if only by another campaign of the same random stream.

        Merging may combine campaigns that differ in measured settings but play the same deals.
        """
        source = source_of(entry)
        dealt = self.done(entry)
        for other in self.campaigns():
            if other.id != entry.id and source is not None and source_of(other) == source:
                done = self.done(other)
                if common := dealt.common(done):
                    raise LedgerError(
                        f"ledger {str(self.path)!r}: campaigns {entry.campaign.identity} and "
                        f"{other.campaign.identity} have both played unit {common.first()}, expected each "
                        "unit once; hunt with another ledger"
                    )
                dealt.update(done)
        return dealt

    def totals(self, entry: Entry, *, with_cycles: bool = False) -> Totals:
        """Return the sums over the units done.

        Parameters
        ----------
        entry : Entry
            The campaign.
        with_cycles : bool, optional
            Whether the counters include one for each cycle; there may be a million of them.
        """
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
                    counter in PROCESSOR_COUNTERS
                    or (strategy.is_counter(counter, deck) and not counter.startswith(CYCLE))
                ):
                    counters[counter] = int(text)
                else:
                    expected = f"one of {', '.join(SUMS)}, or a counter of {strategy.name}"
                    raise row_fault("totals", row, "name", name, expected)
        if with_cycles:
            counters |= {f"{CYCLE}{name}": number for name, number in self.cycles(entry)}
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

    def cycles(self, entry: Entry) -> Iterator[tuple[str, int]]:
        """Yield the cycles met, by the name that the strategy counts them under, each with its number."""
        strategy, deck = strategy_named(entry.campaign.strategy), entry.campaign.deck
        for row in read_rows(self, "cycles", "WHERE campaign = ? ORDER BY cycle", entry.id):
            _, data, number = row
            name = unpacked(data)
            with damage_named(self.path):
                if not strategy.is_counter(f"{CYCLE}{name}", deck) or packed(name) != data:
                    raise row_fault("cycles", row, "cycle", data.hex(), f"a cycle of deck {deck}, packed")
            yield name, number

    def histogram(self, entry: Entry) -> dict[int, int]:
        """Finite games by their number of tricks."""
        rows = read_rows(self, "histogram", "WHERE campaign = ? ORDER BY tricks", entry.id)
        return {tricks: games for _, tricks, games in rows}

    def finds(self, entry: Entry, status: Status = Status.FINISHED) -> list[StoredFind]:
        """Return the finds of one status, longest first."""
        deck = entry.campaign.deck
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
                self._check_limit(entry, "finds", row, find.unit)
                finds.append(find)
        return finds

    def blocks(self, entry: Entry) -> Iterator[dict[str, Any]]:
        """Yield the units done in blocks, by first unit: sums, checksum, and where and when they were done.

        Kernel, host and version are empty if the units of a block have different ones.
        """
        strategy, campaign = strategy_named(entry.campaign.strategy), entry.campaign
        origins = {
            number: dict(zip(_ORIGIN, origin, strict=True))
            for number, _, *origin in read_rows(self, "origins", "WHERE campaign = ?", entry.id)
        }
        for row in read_rows(self, "blocks", "WHERE campaign = ? ORDER BY unit", entry.id):
            block = Block(*row[1:])
            last = block.numbers[-1]
            # Only the last unit of a campaign may be smaller than the others.
            games = strategy.deals_of(campaign, last) + (block.units - 1) * campaign.unit_size
            with damage_named(self.path):
                self._check_limit(entry, "blocks", row, last)
                if block.games != games:
                    what = "the unit" if block.units == 1 else f"its {block.units} units"
                    raise row_fault("blocks", row, "games", block.games, f"{games}, the deals of {what}")
                if block.origin is not None and block.origin not in origins:
                    raise row_fault("blocks", row, "origin", block.origin, "the number of an origin")
            values = block._asdict()
            del values["origin"]
            origin = dict.fromkeys(_ORIGIN, "") if block.origin is None else origins[block.origin]
            yield values | {"checksum": unsigned(block.checksum)} | origin

    def history(self, entry: Entry) -> list[Stretch]:
        """Return what was committed in each stretch of time in which anything was, in order."""
        rows = read_rows(self, "history", "WHERE campaign = ? ORDER BY started, seconds", entry.id)
        return [Stretch(*row[1:]) for row in rows]

    def units_set_aside(self, entry: Entry) -> dict[int, str]:
        """Return the units that failed repeatedly, and why; the totals lack them."""
        rows = read_rows(self, "set_aside", "WHERE campaign = ? ORDER BY unit", entry.id)
        with damage_named(self.path):
            for row in rows:
                self._check_limit(entry, "set_aside", row, row[1])
        return {unit: reason for _, unit, reason, _ in rows}

    def origins(self, entry: Entry) -> list[tuple[str, str, str]]:
        """Return kernel, host and version of every process that did units of a campaign."""
        rows = read_rows(self, "origins", "WHERE campaign = ? ORDER BY id", entry.id)
        return [(kernel, host, version) for _, _, kernel, host, version in rows]

    def runs(self, entry: Entry) -> list[dict[str, Any]]:
        """Return the runs so far: when, how long, with how many workers, where, and what was done."""
        names = COLUMNS["runs"][2:]
        rows = read_rows(self, "runs", "WHERE campaign = ? ORDER BY id", entry.id)
        return [dict(zip(names, row[2:], strict=True)) for row in rows]


def source_of(entry: Entry) -> Hashable:
    """Return what determines, with a unit's number, the deals that a unit begins with; None for ranks."""
    return strategy_named(entry.campaign.strategy).source(entry.campaign)


def shared_units(
    entries: Sequence[Entry], done: Callable[[Entry], UnitSet]
) -> Iterator[tuple[Entry, Entry, UnitSet]]:
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
    tuple of Entry, Entry and UnitSet
        Two campaigns, and the numbers of the units that both have done.
    """
    of_source: dict[Hashable, list[tuple[Entry, UnitSet]]] = {}
    for entry in entries:
        if (source := source_of(entry)) is None:
            continue
        others = of_source.setdefault(source, [])
        units = done(entry)
        for other, theirs in others:
            if common := units.common(theirs):
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
