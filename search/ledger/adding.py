"""Add reports to a ledger: blocks, sums, history and finds, with what the writer keeps in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from camicia.cards import Deck
from camicia.kinds import MOST_NAME, printable
from camicia.results import Status
from camicia.version import __version__
from search.campaign import Campaign, Totals, UnitReport
from search.errors import LedgerError, VerificationError
from search.finds import Find, best_by_either, deal_of, replay, smallest
from search.ledger.contents import SUMS, Contents, Entry
from search.ledger.cycles import deals_of, packed
from search.ledger.folding import FAN, KEPT, SPARE, Block, folds
from search.ledger.held import Held
from search.ledger.schema import COUNTER
from search.ledger.stored import StoredFind, read_rows, signed, unsigned
from search.ledger.stretches import Stretch, folded, is_to_fold
from search.strategies import CYCLE, CYCLE_SUMS

#: Blocks that are folded at once: only a ledger of an older version has more.
MOST_AT_ONCE = 100_000


class Adder(Contents):
    """A ledger that reports can be added to, by `search.ledger.Ledger`. Every method needs a transaction."""

    def __init__(self, path: str | Path, mode: str = "read", **options: Any) -> None:
        super().__init__(path, mode, **options)
        self._held: dict[int, Held] = {}

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run a transaction, all or nothing; if the file cannot be written (disk full), raise a HuntError."""
        try:
            with super().transaction():
                yield
        except BaseException:
            # It may have what was rolled back.
            self._held.clear()
            raise

    def held(self, entry: Entry) -> Held:
        """Return what the writer keeps in memory of a campaign."""
        if entry.id not in self._held:
            self._held[entry.id] = Held.of(self, entry)
        return self._held[entry.id]

    def totals(self, entry: Entry, *, with_cycles: bool = False) -> Totals:
        """Return the sums over the units done, as `Contents.totals`."""
        if entry.id in self._held and not with_cycles:
            return self._held[entry.id].copied_totals()
        return super().totals(entry, with_cycles=with_cycles)

    def add_units(self, entry: Entry, reports: Sequence[UnitReport], now: int) -> None:
        """Add reports of units that are not done yet."""
        held = self.held(entry)
        blocks = []
        for report in reports:
            if report.unit in held.done:
                raise LedgerError(f"ledger {str(self.path)!r}: unit {report.unit} is done already")
            held.done.add(range(report.unit, report.unit + 1))
            origin = self.origin_number(entry, report.kernel, report.host, __version__)
            milliseconds = round(1000 * report.seconds)
            sums = report.games, report.loops, report.cards, report.tricks, report.checksum
            blocks.append(Block(report.unit, 1, 1, *sums, milliseconds, now, origin))
        self.add_blocks(entry, blocks)
        self.fold(entry)
        self.forget_set_aside(entry)

    def add_blocks(self, entry: Entry, blocks: Iterable[Block]) -> None:
        """Store blocks whose units are not done yet."""
        added = list(blocks)
        self.insert_all("blocks", ([entry.id, *_signed(block)] for block in added))
        self.held(entry).sizes.update(block.units for block in added)

    def fold(self, entry: Entry) -> None:
        """Fold old blocks where there are too many of a size."""
        sizes = self.held(entry).sizes
        units = 1
        while units <= max(sizes, default=0):
            if sizes[units] >= self.held(entry).fold_at.get(units, KEPT + SPARE):
                self._fold(entry, units)
            units *= FAN

    def _fold(self, entry: Entry, units: int) -> None:
        """Fold the blocks of one size where all that belong together are done, until few are left."""
        sizes = self.held(entry).sizes
        which = "WHERE campaign = ? AND units = ? ORDER BY unit LIMIT ?"
        while sizes[units] > KEPT:
            rows = read_rows(self, "blocks", which, entry.id, units, MOST_AT_ONCE)
            steps = self.rows("SELECT DISTINCT step FROM blocks WHERE campaign = ? AND units > 1", entry.id)
            blocks = (Block(*row[1:])._replace(checksum=unsigned(row[8])) for row in rows)
            made = list(folds(blocks, sizes[units] - KEPT, [step for (step,) in steps]))
            if not made:
                break
            old = [(entry.id, block.unit) for fold in made for block in fold.old]
            self._database.executemany("DELETE FROM blocks WHERE campaign = ? AND unit = ?", old)
            self.add_blocks(entry, (fold.new for fold in made))
            sizes[units] -= len(old)
        # Where nothing could be folded it is not tried again at once.
        self.held(entry).fold_at[units] = max(KEPT, sizes[units]) + SPARE

    def forget_set_aside(self, entry: Entry) -> None:
        """Remove the record of units that failed and are done now."""
        held = self.held(entry)
        for unit in [unit for unit in held.set_aside if unit in held.done]:
            self._database.execute("DELETE FROM set_aside WHERE campaign = ? AND unit = ?", (entry.id, unit))
            held.set_aside.remove(unit)

    def origin_number(self, entry: Entry, *origin: str) -> int:
        """Return the number of an origin of a campaign, a new one if need be."""
        origin = tuple(printable(text, MOST_NAME) for text in origin)
        known = self.held(entry).origins
        if origin not in known:
            known[origin] = self.next_number("origins")
            self.insert("origins", [known[origin], entry.id, *origin])
        return known[origin]

    def next_number(self, table: str) -> int:
        """Return the number of a new row."""
        ((number,),) = self.rows(f"SELECT coalesce(max(id), 0) + 1 FROM {table}")
        return int(number)

    def add_totals(self, entry: Entry, added: Totals) -> None:
        """Add sums, which may be negative, and the counters of cycles to their own table."""
        totals = self.held(entry).totals
        before = _named(totals)
        cycles = {name: number for name, number in added.counters.items() if name.startswith(CYCLE)}
        # Sums over the cycles are made here, where it is known which of them are new.
        others = {
            name: number for name, number in added.counters.items() if name not in {*cycles, *CYCLE_SUMS}
        }
        totals.join(Totals(**{name: getattr(added, name) for name in SUMS}, counters=others))
        for name, number in cycles.items():
            self._count_cycle(entry, totals.counters, name.removeprefix(CYCLE), number)
        changed = _named(totals).items() - before.items()
        self.insert_all("totals", ([entry.id, name, str(number)] for name, number in changed), verb="REPLACE")

    def _count_cycle(self, entry: Entry, counters: dict[str, int], name: str, number: int) -> None:
        data = packed(name)
        known = read_rows(self, "cycles", "WHERE campaign = ? AND cycle = ?", entry.id, data)
        before = known[0][2] if known else 0
        if before + number:
            self.insert("cycles", [entry.id, data, before + number], verb="REPLACE")
        else:
            self._database.execute("DELETE FROM cycles WHERE campaign = ? AND cycle = ?", (entry.id, data))
        deals = deals_of(name)
        # One more cycle, one less, or one that is there before and after.
        more = bool(before + number) - bool(before)
        for total, change in zip(CYCLE_SUMS, (more, more * (deals > 0), more * deals, number), strict=True):
            counters[total] = counters.get(total, 0) + change

    def add_histogram(self, entry: Entry, histograms: Iterable[Mapping[int, int]]) -> None:
        """Add finite games by their number of tricks; their numbers may be negative."""
        bins = self.held(entry).histogram
        changed = set()
        for histogram in histograms:
            for tricks, games in histogram.items():
                bins[tricks] = bins.get(tricks, 0) + games
                changed.add(tricks)
        empty = [(entry.id, tricks) for tricks in changed if not bins[tricks]]
        self._database.executemany("DELETE FROM histogram WHERE campaign = ? AND tricks = ?", empty)
        rows = ([entry.id, tricks, bins[tricks]] for tricks in changed if bins[tricks])
        self.insert_all("histogram", rows, verb="REPLACE")

    def add_history(self, entry: Entry, stretches: Iterable[Stretch]) -> None:
        """Add what was committed in some stretches of time, and fold old ones where there are too many."""
        held = self.held(entry)
        before = len(held.history)
        for stretch in stretches:
            key = stretch.start, stretch.seconds
            held.history[key] = held.history[key].joined(stretch) if key in held.history else stretch
            self.insert("history", [entry.id, *held.history[key]], verb="REPLACE")
        if len(held.history) > before and is_to_fold(held.history):
            old, new = folded(held.history.values())
            for stretch in old:
                del held.history[stretch.start, stretch.seconds]
            self._database.executemany(
                "DELETE FROM history WHERE campaign = ? AND started = ? AND seconds = ?",
                [(entry.id, stretch.start, stretch.seconds) for stretch in old],
            )
            held.history |= new
            for stretch in new.values():
                self.insert("history", [entry.id, *stretch])

    def add_finds(self, entry: Entry, reports: Sequence[UnitReport], now: int) -> list[StoredFind]:
        """Add the finds of reports to the lists, as far as they belong there; returns those that are new."""
        entered = []
        deck = entry.campaign.deck
        for status in Status:
            met: dict[Find, int] = {}
            for report in reports:
                for find in report.finds if status is Status.FINISHED else report.loop_finds:
                    met[find] = min(report.unit, met.get(find, report.unit))
            if not met:
                continue
            stored = self.held(entry).finds[status]
            new = [find for find in chosen(entry.campaign, status, stored.keys() | met) if find not in stored]
            # Replay only what will be stored: most finds that units report do not enter the lists.
            confirmed = [
                StoredFind(
                    str(deal := deal_of(find.codes, deck)),
                    deck.rank(deal),
                    replay(find, deck, status),
                    find.tree,
                    met[find],
                    now,
                )
                for find in new
            ]
            earlier = [
                item._replace(unit=unit)
                for find, unit in met.items()
                if (item := stored.get(find)) and unit < item.unit
            ]
            if confirmed or earlier:
                self.keep(entry, status, [*confirmed, *earlier])
            entered += confirmed
        return entered

    def keep(
        self, entry: Entry, status: Status, more: Iterable[StoredFind], *, confirmed: bool = True
    ) -> None:
        """Put finds into their list, and drop those that no longer belong there.

        A deal met in several units is credited to the first of them, whichever is committed first.

        Parameters
        ----------
        entry : Entry
            The campaign.
        status : Status
            Which list.
        more : iterable of StoredFind
            The finds.
        confirmed : bool, optional
            Whether they were replayed; if not, those that enter the list are replayed now.

        Raises
        ------
        VerificationError
            If one does not replay as stored.
        """
        stored = self.held(entry).finds[status]
        candidates = dict(stored)
        for item in more:
            if item.find not in candidates or item.unit < candidates[item.find].unit:
                candidates[item.find] = item
        kept = {find: candidates[find] for find in chosen(entry.campaign, status, candidates)}
        if not confirmed:
            for find in kept.keys() - stored.keys():
                check_find(kept[find], entry.campaign.deck, status)
        self._database.executemany(
            "DELETE FROM finds WHERE campaign = ? AND deal = ?",
            [(entry.id, item.deal) for find, item in stored.items() if find not in kept],
        )
        for find, item in kept.items():
            if stored.get(find) != item:
                self.insert("finds", item.row(entry.id), verb="REPLACE")
        self.held(entry).finds[status] = kept


def check_find(item: StoredFind, deck: Deck, status: Status) -> None:
    """Replay a find of another ledger by the rules.

    Raises
    ------
    VerificationError
        If its game, or its rank, is not as stored.
    """
    result = replay(item.find, deck, status)
    if result != item.result or deck.rank(item.deal) != item.rank:
        raise VerificationError(
            f"find {item.deal}: stored as {item.result.reason}, rank {item.rank}, but by the rules "
            f"{result.reason}, rank {deck.rank(item.deal)}"
        )


def chosen(campaign: Campaign, status: Status, finds: Iterable[Find]) -> list[Find]:
    """Return the finds that a campaign's lists keep."""
    if status is Status.LOOP:
        return smallest(finds, campaign.loops_kept)
    return best_by_either(finds, campaign.finds_kept)


def _signed(block: Block) -> Block:
    """Return a block with its checksum as SQLite stores it."""
    return block._replace(checksum=signed(block.checksum))


def _named(totals: Totals) -> dict[str, int]:
    """Return totals under the names that they have in their table."""
    counters = {f"{COUNTER}{name}": number for name, number in totals.counters.items()}
    return {name: getattr(totals, name) for name in SUMS} | counters
