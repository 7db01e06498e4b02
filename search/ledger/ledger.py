"""The ledger: one SQLite file that holds the results of campaigns, committed in transactions."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence

from camicia.kinds import MOST_NAME, printable
from camicia.results import Status
from camicia.version import __version__
from search.campaign import Campaign, Totals, UnitReport
from search.errors import LedgerError
from search.finds import Find, best_by_either, deal_of, replay, smallest
from search.ledger.contents import COUNTER, SUMS, Contents, Entry
from search.ledger.schema import COLUMNS
from search.ledger.stored import StoredFind, read_rows, signed
from search.strategies import strategy_named


class Ledger(Contents):
    """An open ledger; use it in a `with` statement.

    Parameters
    ----------
    path : path
        The file.
    mode : {"read", "write", "create"}
        Read it only, continue it, or create it if it does not exist.
    backup_seconds : float, optional
        Shortest time between two backups while it is being written.

    Raises
    ------
    LedgerError
        If it is not a ledger, is damaged without a backup, has a newer version, is read-only, or in use.

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

    def enter(self, campaign: Campaign) -> Entry:
        """Add a campaign, or find it if the ledger already holds it.

        Raises
        ------
        CampaignError
            If its strategy could not have planned it.
        """
        strategy_named(campaign.strategy).check(campaign)
        entries = self.campaigns()
        if all(entry.campaign != campaign for entry in entries):
            with self.transaction():
                number = max((entry.id for entry in entries), default=0) + 1
                self.insert("campaigns", [number, campaign.to_json(), __version__, int(time.time())])
            entries = self.campaigns()
        return next(entry for entry in entries if entry.campaign == campaign)

    def set_aside(self, entry: Entry, unit: int, reason: str) -> None:
        """Record that a unit failed repeatedly; the record is removed once the unit succeeds."""
        with self.transaction():
            row = [entry.id, unit, printable(reason), int(time.time())]
            self.insert("set_aside", row, verb="REPLACE")

    def commit(
        self,
        entry: Entry,
        reports: Sequence[UnitReport],
        *,
        run: tuple[int, float] | None = None,
    ) -> list[StoredFind]:
        """Store the reports of units in one transaction: all or none.

        Parameters
        ----------
        entry : Entry
            The campaign.
        reports : sequence of UnitReport
            Reports of units that are not done yet.
        run : tuple of int and float, optional
            The run that did them, from `begin_run`, and how many seconds it has lasted.

        Returns
        -------
        list of StoredFind
            The finds that entered the lists.

        Raises
        ------
        VerificationError
            If a find does not replay as reported.
        LedgerError
            If a unit has been done already.
        HuntError
            If the file cannot be written, for example because the disk is full.
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
        """Copy everything that another ledger holds of the same campaign.

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
                stored = {item.find: item for item in self.finds(entry, status)}
                self._keep(entry, status, stored, other.finds(theirs, status))

    def begin_run(self, entry: Entry, workers: int, host: str) -> int:
        """Record the start of a run; returns its number."""
        with self.transaction():
            number = self._next_number("runs")
            values = [number, entry.id, int(time.time()), 0, workers, printable(host, MOST_NAME)]
            self.insert("runs", values)
        return number

    def end_run(self, run: int, seconds: float) -> None:
        """Record how long a run has lasted, from `begin_run` to its end."""
        with self.transaction():
            self._lengthen_run(run, seconds)

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
        origin = tuple(printable(text, MOST_NAME) for text in origin)
        query = "WHERE kernel = ? AND host = ? AND version = ?"
        if not read_rows(self, "origins", query, *origin):
            self.insert("origins", [self._next_number("origins"), *origin])
        return int(read_rows(self, "origins", query, *origin)[0][0])

    def _next_number(self, table: str) -> int:
        ((number,),) = self.rows(f"SELECT coalesce(max(id), 0) + 1 FROM {table}")
        return int(number)

    def _add_totals(self, entry: Entry, added: Totals) -> None:
        totals = self.totals(entry)
        totals.join(added)
        values = {name: getattr(totals, name) for name in SUMS}
        values |= {f"{COUNTER}{name}": number for name, number in totals.counters.items()}
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
            again = [item._replace(unit=met[find]) for find, item in stored.items() if find in met]
            self._keep(entry, status, stored, [*confirmed, *again])
            entered += confirmed
        return entered

    def _keep(
        self, entry: Entry, status: Status, stored: Mapping[Find, StoredFind], more: Iterable[StoredFind]
    ) -> None:
        """Put finds into their list, and drop those that no longer belong there.

        A deal met in several units is credited to the first of them, whichever is committed first.
        """
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
    """Return the finds that a campaign's lists keep."""
    if status is Status.LOOP:
        return smallest(finds, campaign.loops_kept)
    return best_by_either(finds, campaign.finds_kept)


def _sum(reports: Iterable[UnitReport]) -> Totals:
    totals = Totals()
    for report in reports:
        totals.add(report)
    return totals


__all__ = ["Entry", "Ledger", "chosen"]
