"""The ledger: one SQLite file that holds the results of campaigns, committed in transactions."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from camicia.kinds import MOST_NAME, printable
from camicia.version import __version__
from search.campaign import Campaign, Totals, UnitReport
from search.errors import LedgerError
from search.ledger.adding import Adder, chosen
from search.ledger.contents import Entry
from search.ledger.folding import folded_to
from search.ledger.schema import COLUMNS
from search.ledger.shares import Past, Share
from search.ledger.stored import StoredFind
from search.ledger.stretches import Stretch, without
from search.strategies import strategy_named


class Run(NamedTuple):
    """A run, as it is at a commit.

    Parameters
    ----------
    number : int
        From `Ledger.begin_run`.
    seconds : float
        How long it has lasted.
    workers : int, optional
        How many units it runs at once; None leaves what is stored.
    """

    number: int
    seconds: float
    workers: int | None = None


class Ledger(Adder):
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
        text = campaign.to_json()
        known = self.rows("SELECT id, version, made FROM campaigns WHERE identity = ?", text)
        if known:
            return Entry(known[0][0], campaign, *known[0][1:])
        made = int(time.time())
        with self.transaction():
            number = self.next_number("campaigns")
            self.insert("campaigns", [number, text, __version__, made])
        return Entry(number, campaign, __version__, made)

    def set_aside(self, entry: Entry, unit: int, reason: str) -> None:
        """Record that a unit failed repeatedly; the record is removed once the unit succeeds."""
        with self.transaction():
            row = [entry.id, unit, printable(reason), int(time.time())]
            self.insert("set_aside", row, verb="REPLACE")
            self.held(entry).set_aside.add(unit)

    def commit(
        self,
        entry: Entry,
        reports: Sequence[UnitReport],
        *,
        run: Run | None = None,
    ) -> list[StoredFind]:
        """Store the reports of units in one transaction: all or none.

        Parameters
        ----------
        entry : Entry
            The campaign.
        reports : sequence of UnitReport
            Reports of units that are not done yet.
        run : Run, optional
            The run that did them.

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
            self.add_units(entry, reports, now)
            added = _sum(reports)
            self.add_totals(entry, added)
            self.add_histogram(entry, [report.histogram for report in reports])
            self.add_history(entry, [_stretch(reports, now)])
            if run:
                self._lengthen_run(run, added)
            return self.add_finds(entry, reports, now)

    def absorb(self, entry: Entry, share: Share, kept: int) -> None:
        """Add what another ledger holds of a campaign; the caller folds the blocks in the end.

        Parameters
        ----------
        entry : Entry
            The campaign.
        share : Share
            What the other ledger holds, of units that are not done here.
        kept : int
            How many of its blocks of each size are not folded.
        """
        held = self.held(entry)
        with self.transaction():
            numbers = [self.origin_number(entry, *origin) for origin in share.origins]
            blocks = (
                block if block.origin is None else block._replace(origin=numbers[block.origin])
                for block in share.blocks
            )
            self.add_blocks(entry, folded_to(blocks, kept))
            held.done.update(share.done)
            self.add_totals(entry, share.totals)
            self.add_histogram(entry, [share.histogram])
            self.add_history(entry, share.history)
            for unit, reason in share.set_aside.items():
                if unit not in held.done:
                    self.insert("set_aside", [entry.id, unit, reason, int(time.time())], verb="REPLACE")
                    held.set_aside.add(unit)
            self.forget_set_aside(entry)
            for status, finds in share.finds.items():
                self.keep(entry, status, finds, confirmed=False)

    def retract(self, entry: Entry, past: Past, origin: Path) -> None:
        """Take out what was absorbed from another ledger: its blocks, sums and history, but not its finds.

        Raises
        ------
        LedgerError
            If its units have been folded together with others.
        """
        held = self.held(entry)
        with self.transaction():
            for run in past.runs:
                which = "campaign = ? AND unit BETWEEN ? AND ? AND (unit - ?) % ? = 0"
                values = entry.id, run[0], run[-1], run[0], run.step
                sizes = self.rows(f"SELECT units FROM blocks WHERE {which}", *values)
                if sum(units for (units,) in sizes) != len(run):
                    raise LedgerError(
                        f"ledger {str(self.path)!r}: units of {str(origin)!r} are no longer kept apart, "
                        "since a hunt has gone on in it; merge anew, into another ledger"
                    )
                self._database.execute(f"DELETE FROM blocks WHERE {which}", values)
                held.sizes.subtract(units for (units,) in sizes)
                held.done.remove(run)
            totals, histogram = past.negative
            self.add_totals(entry, totals)
            self.add_histogram(entry, [histogram])
            for stretch in without(held.history.values(), past.history):
                held.history[stretch.start, stretch.seconds] = stretch
                self.insert("history", [entry.id, *stretch], verb="REPLACE")

    def begin_run(self, entry: Entry, workers: int, host: str) -> int:
        """Record the start of a run; returns its number."""
        with self.transaction():
            number = self.next_number("runs")
            values = [number, entry.id, int(time.time()), 0, workers, printable(host, MOST_NAME), 0, 0]
            self.insert("runs", values)
        return number

    def end_run(self, run: Run) -> None:
        """Record how long a run has lasted, from `begin_run` to its end."""
        with self.transaction():
            self._lengthen_run(run)

    def _lengthen_run(self, run: Run, added: Totals | None = None) -> None:
        ((*row,),) = self.rows(f"SELECT {', '.join(COLUMNS['runs'])} FROM runs WHERE id = ?", run.number)
        values = dict(zip(COLUMNS["runs"], row, strict=True))
        values["seconds"] = round(run.seconds)
        if run.workers is not None:
            values["workers"] = run.workers
        if added:
            values["units"] += added.units
            values["deals"] += added.games
        self.insert("runs", list(values.values()), verb="REPLACE")


def _sum(reports: Iterable[UnitReport]) -> Totals:
    totals = Totals()
    for report in reports:
        totals.add(report)
    return totals


def _stretch(reports: Sequence[UnitReport], now: int) -> Stretch:
    """What reports committed now add to the history."""
    finds = [find for report in reports for find in report.finds]
    return Stretch(
        now,
        1,
        len(reports),
        sum(report.games for report in reports),
        max((find.cards for find in finds), default=0),
        max((find.tricks for find in finds), default=0),
    )


__all__ = ["Entry", "Ledger", "Run", "chosen"]
