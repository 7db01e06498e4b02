"""The ledger: one SQLite file that holds what a campaign has come to, one transaction a commit."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from camicia.results import Status
from camicia.version import __version__
from search.campaign import Campaign, Totals, UnitReport
from search.errors import CampaignError, LedgerError
from search.finds import Find, best_by_either, deal_of, replay, smallest
from search.schema import COLUMNS
from search.store import Store
from search.stored import StoredFind, signed, unsigned


class Entry(NamedTuple):
    """A campaign in a ledger."""

    id: int
    campaign: Campaign
    version: str
    made: int


class Ledger(Store):
    """A ledger that is open; use it in a `with` statement.

    Parameters
    ----------
    path : path
        The file.
    mode : {"read", "write", "create"}
        Whether it is only looked at, continued, or made if it is not there.
    backup_seconds : float, optional
        Least time between two backups while it is written.

    Raises
    ------
    LedgerError
        If it is not a ledger, is damaged and has no backup, of a newer version, read-only, or in use.

    Examples
    --------
    >>> import tempfile, os
    >>> from camicia import STANDARD
    >>> campaign = Campaign("sample", STANDARD, seed=7, unit_size=1248)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Ledger(os.path.join(folder, "hunt.db"), "create") as ledger:
    ...         entry = ledger.enter(campaign)
    ...         ledger.commit(entry, [UnitReport(0, 1248, 0, 1, 1, {1: 1248}, checksum=5)])
    ...         ledger.totals(entry).games
    []
    1248
    """

    def campaigns(self) -> list[Entry]:
        """The campaigns the ledger holds: one, or several after a merge."""
        rows = self.rows("SELECT id, identity, version, made FROM campaigns ORDER BY id")
        try:
            return [Entry(id_, Campaign.from_json(text), version, made) for id_, text, version, made in rows]
        except CampaignError as error:
            raise LedgerError(f"ledger {str(self.path)!r}: damaged: {error}") from None

    def enter(self, campaign: Campaign) -> Entry:
        """Add a campaign, or find it where the ledger holds it."""
        entries = self.campaigns()
        if all(entry.campaign != campaign for entry in entries):
            with self.transaction():
                self.insert(
                    "campaigns", [len(entries) + 1, campaign.to_json(), __version__, int(time.time())]
                )
            entries = self.campaigns()
        return next(entry for entry in entries if entry.campaign == campaign)

    def done(self, entry: Entry) -> set[int]:
        """Numbers of the units done."""
        return {unit for (unit,) in self.rows("SELECT unit FROM units WHERE campaign = ?", entry.id)}

    def totals(self, entry: Entry) -> Totals:
        """Sums over the units done."""
        totals = Totals()
        for name, text in self.rows("SELECT name, value FROM totals WHERE campaign = ?", entry.id):
            if name.startswith("counter."):
                totals.counters[name.removeprefix("counter.")] = int(text)
            else:
                setattr(totals, name, int(text))
        return totals

    def histogram(self, entry: Entry) -> dict[int, int]:
        """Finite games by their number of tricks."""
        return dict(
            self.rows("SELECT tricks, games FROM histogram WHERE campaign = ? ORDER BY tricks", entry.id)
        )

    def finds(self, entry: Entry, status: Status = Status.FINISHED) -> list[StoredFind]:
        """The finds of one status, longest first."""
        rows = self.rows(
            f"SELECT {', '.join(COLUMNS['finds'])} FROM finds WHERE campaign = ? AND status = ?"
            " ORDER BY cards DESC, tricks DESC, deal",
            entry.id,
            str(status),
        )
        return [StoredFind.of_row(row) for row in rows]

    def units(self, entry: Entry) -> Iterator[dict[str, Any]]:
        """Every unit done, by number: its sums, its checksum, and where and when it was done."""
        rows = self.rows(
            "SELECT unit, games, loops, cards, tricks, checksum, milliseconds, committed, kernel, host,"
            " version FROM units JOIN origins ON origin = origins.id WHERE campaign = ? ORDER BY unit",
            entry.id,
        )
        names = (*COLUMNS["units"][1:-1], "kernel", "host", "version")
        for row in rows:
            unit = dict(zip(names, row, strict=True))
            yield unit | {"checksum": unsigned(unit["checksum"])}

    def set_aside(self, entry: Entry, unit: int, reason: str) -> None:
        """Note that a unit failed again and again; doing it takes the note away."""
        with self.transaction():
            self.insert("set_aside", [entry.id, unit, reason, int(time.time())], verb="REPLACE")

    def units_set_aside(self, entry: Entry) -> dict[int, str]:
        """The units that failed again and again, and why; totals lack them."""
        return dict(
            self.rows("SELECT unit, reason FROM set_aside WHERE campaign = ? ORDER BY unit", entry.id)
        )

    def origins(self) -> list[tuple[str, str, str]]:
        """Kernel, host and version of everything that did units."""
        return list(self.rows("SELECT kernel, host, version FROM origins ORDER BY id"))

    def commit(
        self,
        entry: Entry,
        reports: Sequence[UnitReport],
        *,
        run: tuple[int, float] | None = None,
    ) -> list[StoredFind]:
        """Store the reports of units, all in one transaction or none.

        Parameters
        ----------
        entry : Entry
            The campaign.
        reports : sequence of UnitReport
            Of units that are not yet done.
        run : tuple of int and float, optional
            The run they were done in, from `begin_run`, and how many seconds it has lasted.

        Returns
        -------
        list of StoredFind
            The finds that entered the lists.

        Raises
        ------
        VerificationError
            If a find does not replay to what was reported.
        LedgerError
            If a unit is done already.
        HuntError
            If the file cannot take it, as when the disk is full.
        """
        self.back_up_if_due()
        now = int(time.time())
        with self.transaction():
            if run:
                self._lengthen_run(*run)
            for report in reports:
                self._add_unit(entry, report, now)
            self._add_totals(entry, _sum(reports))
            self._add_histogram(entry, (report.histogram for report in reports))
            return self._add_finds(entry, reports, now)

    def absorb(self, entry: Entry, other: Ledger, theirs: Entry) -> None:
        """Take over all that another ledger holds of the same campaign.

        Raises
        ------
        LedgerError
            If both hold the same unit.
        """
        common = self.done(entry) & other.done(theirs)
        if common:
            raise LedgerError(
                f"ledger {str(other.path)!r}: unit {min(common)} of campaign {theirs.campaign.identity} is "
                f"there already ({len(common)} such units), expected units that no other ledger holds"
            )
        with self.transaction():
            for unit in other.units(theirs):
                origin = self._origin(unit["kernel"], unit["host"], unit["version"])
                values = [unit[name] for name in COLUMNS["units"][1:-1]]
                self._insert_unit([entry.id, *values, origin])
                self._forget_set_aside(entry, unit["unit"])
            self._add_totals(entry, other.totals(theirs))
            self._add_histogram(entry, [other.histogram(theirs)])
            for number, reason in other.units_set_aside(theirs).items():
                if number not in self.done(entry):
                    self.insert("set_aside", [entry.id, number, reason, int(time.time())], verb="REPLACE")
            for status in Status:
                self._keep(entry, status, other.finds(theirs, status))

    def begin_run(self, entry: Entry, workers: int, host: str) -> int:
        """Note that a run begins; returns its number."""
        with self.transaction():
            ((number,),) = self.rows("SELECT count(*) + 1 FROM runs")
            self.insert("runs", [number, entry.id, int(time.time()), 0, workers, host])
        return int(number)

    def runs(self, entry: Entry) -> list[dict[str, Any]]:
        """The runs so far: when, how long, with how many workers, where."""
        names = ("started", "seconds", "workers", "host")
        rows = self.rows(
            "SELECT started, seconds, workers, host FROM runs WHERE campaign = ? ORDER BY id", entry.id
        )
        return [dict(zip(names, row, strict=True)) for row in rows]

    def _add_unit(self, entry: Entry, report: UnitReport, now: int) -> None:
        origin = self._origin(report.kernel, report.host, __version__)
        milliseconds = round(1000 * report.seconds)
        sums = [report.games, report.loops, report.cards, report.tricks, report.checksum]
        try:
            self._insert_unit([entry.id, report.unit, *sums, milliseconds, now, origin])
        except sqlite3.IntegrityError:
            raise LedgerError(f"ledger {str(self.path)!r}: unit {report.unit} is done already") from None
        self._forget_set_aside(entry, report.unit)

    def _forget_set_aside(self, entry: Entry, unit: int) -> None:
        self._database.execute("DELETE FROM set_aside WHERE campaign = ? AND unit = ?", (entry.id, unit))

    def _lengthen_run(self, run: int, seconds: float) -> None:
        ((*values,),) = self.rows(f"SELECT {', '.join(COLUMNS['runs'])} FROM runs WHERE id = ?", run)
        values[COLUMNS["runs"].index("seconds")] = round(seconds)
        self.insert("runs", values, verb="REPLACE")

    def _insert_unit(self, values: list[int]) -> None:
        place = COLUMNS["units"].index("checksum")
        values[place] = signed(values[place])
        self.insert("units", values)

    def _origin(self, *origin: str) -> int:
        query = "SELECT id FROM origins WHERE kernel = ? AND host = ? AND version = ?"
        if not self.rows(query, *origin):
            ((number,),) = self.rows("SELECT count(*) + 1 FROM origins")
            self.insert("origins", [number, *origin])
        return int(self.rows(query, *origin)[0][0])

    def _add_totals(self, entry: Entry, added: Totals) -> None:
        totals = self.totals(entry)
        totals.join(added)
        values = {name: number for name, number in vars(totals).items() if name != "counters"}
        values |= {f"counter.{name}": number for name, number in totals.counters.items()}
        for name, number in values.items():
            self.insert("totals", [entry.id, name, str(number)], verb="REPLACE")

    def _add_histogram(self, entry: Entry, histograms: Iterable[Mapping[int, int]]) -> None:
        bins = self.histogram(entry)
        changed = set()
        for histogram in histograms:
            for tricks, games in histogram.items():
                bins[tricks] = bins.get(tricks, 0) + games
                changed.add(tricks)
        for tricks in changed:
            self.insert("histogram", [entry.id, tricks, bins[tricks]], verb="REPLACE")

    def _add_finds(self, entry: Entry, reports: Sequence[UnitReport], now: int) -> list[StoredFind]:
        entered = []
        deck = entry.campaign.deck
        for status in Status:
            met: dict[Find, int] = {}
            for report in reports:
                for find in report.finds if status is Status.FINISHED else report.loop_finds:
                    met[find] = min(report.unit, met.get(find, report.unit))
            stored = {item.find: item for item in self.finds(entry, status)}
            new = [find for find in chosen(entry.campaign, status, stored.keys() | met) if find not in stored]
            # Only what is to be stored is replayed: most of what units report does not enter the lists.
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
            again = [item._replace(unit=met[find]) for find, item in stored.items() if find in met]
            self._keep(entry, status, [*confirmed, *again])
            entered += confirmed
        return entered

    def _keep(self, entry: Entry, status: Status, more: Iterable[StoredFind]) -> None:
        """Put finds into their list, and drop what no longer belongs there.

        A deal met in several units is that of the first of them, whichever is committed first.
        """
        stored = {item.find: item for item in self.finds(entry, status)}
        candidates = dict(stored)
        for item in more:
            if item.find not in candidates or item.unit < candidates[item.find].unit:
                candidates[item.find] = item
        kept = set(chosen(entry.campaign, status, candidates))
        self._database.executemany(
            "DELETE FROM finds WHERE campaign = ? AND deal = ?",
            [(entry.id, item.deal) for find, item in stored.items() if find not in kept],
        )
        for find in kept:
            item = candidates[find]
            if stored.get(find) != item:
                self.insert("finds", item.row(entry.id), verb="REPLACE")


def chosen(campaign: Campaign, status: Status, finds: Iterable[Find]) -> list[Find]:
    """Those of the finds that a campaign's lists keep."""
    if status is Status.LOOP:
        return smallest(finds, campaign.loops_kept)
    return best_by_either(finds, campaign.finds_kept)


def _sum(reports: Iterable[UnitReport]) -> Totals:
    totals = Totals()
    for report in reports:
        totals.add(report)
    return totals
