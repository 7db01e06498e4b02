"""A hunt from end to end: open a ledger, begin or resume the campaign asked for, and run it."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from search.campaign import Campaign, Totals
from search.driver import Ending, Hunt, Progress
from search.ledger import BACKUP_SECONDS, Entry, Ledger, StoredFind, check_new, chosen_campaign
from search.report import LedgerView
from search.session.wish import Wish
from search.shards import WHOLE, Shard
from search.workers import ABSENCE, HANG_SECONDS, ClusterExecutor, LocalPool, StopSignals


@dataclass(frozen=True)
class Outcome:
    """The outcome of a run.

    Parameters
    ----------
    ending : Ending
        Why it ended: complete, time or interrupted.
    seconds : float
        How long it took.
    deals : int
        Deals played in it.
    workers : int
        How many units it ran at once.
    ledger : Path
        The ledger's file.
    campaign : Campaign
        The campaign.
    totals : Totals
        Sums over all units of the campaign, those of earlier runs included.
    finds : list of StoredFind
        The longest finite games of the ledger, by cards; each has `deal`, `rank` and `result`.
    loops : list of StoredFind
        The deals that never end.
    set_aside : dict of int to str
        Units that failed repeatedly, and why.
    """

    ending: Ending
    seconds: float
    deals: int
    workers: int
    ledger: Path
    campaign: Campaign
    totals: Totals
    finds: list[StoredFind]
    loops: list[StoredFind]
    set_aside: dict[int, str]

    def run_document(self) -> dict[str, Any]:
        """The run under its JSON field names."""
        return {
            "ending": str(self.ending),
            "seconds": self.seconds,
            "deals": str(self.deals),
            "deals_per_second": self.deals / self.seconds if self.seconds else None,
            "workers": self.workers,
            "host": platform.node(),
        }


class Session:
    """A ledger open for writing, with the campaign to run; use it in a `with` statement.

    While it is open, signals that ask to stop are only recorded, so that work in progress can be completed.

    Parameters
    ----------
    wish : Wish
        The request.
    backup_seconds : float, optional
        Time between two backups of the ledger.
    dask : str, optional
        Address of the scheduler of a Dask cluster, which then runs the units.
    reconnect_seconds : float, optional
        Seconds for which a scheduler that is lost is waited for.

    Attributes
    ----------
    ledger : Ledger
        The ledger.
    entry : Entry
        The campaign in it.
    """

    ledger: Ledger
    entry: Entry

    def __init__(
        self,
        wish: Wish,
        *,
        backup_seconds: float = BACKUP_SECONDS,
        dask: str | None = None,
        reconnect_seconds: float = ABSENCE,
    ) -> None:
        self.wish = wish
        self._backup_seconds = backup_seconds
        self._dask = dask
        self._reconnect_seconds = reconnect_seconds
        self._cluster: ClusterExecutor | None = None
        self._signals = StopSignals()
        self._open = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as opening:
            opening.enter_context(self._signals)
            self.ledger, self.entry = self._opened(opening)
            self._open = opening.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def _opened(self, opening: ExitStack) -> tuple[Ledger, Entry]:
        """Open the ledger with its campaign, or create both."""
        wish, path = self.wish, self.wish.path
        if not os.path.exists(path):
            check_new(path)
            # Create nothing before the campaign is known to be possible.
            campaign = self._planned(opening)
            ledger = opening.enter_context(Ledger(path, "create", backup_seconds=self._backup_seconds))
            return ledger, ledger.enter(campaign)
        ledger = opening.enter_context(Ledger(path, "create", backup_seconds=self._backup_seconds))
        campaigns = ledger.campaigns()
        identity = wish.identity(campaigns[0].campaign if campaigns else None)
        return ledger, chosen_campaign(ledger, identity) or ledger.enter(self._planned(opening))

    def _planned(self, opening: ExitStack) -> Campaign:
        """Plan the campaign that is asked for, with units for as many workers as there will be."""
        if self._dask is None or self.wish.workers is not None:
            return self.wish.plan()
        return replace(self.wish, workers=max(1, self._connected(self._dask, opening).slots())).plan()

    def _connected(self, dask: str, opening: ExitStack) -> ClusterExecutor:
        """Connect to the cluster, once."""
        if self._cluster is None:
            self._cluster = ClusterExecutor(
                dask, stop=self._signals.requested, absence=self._reconnect_seconds
            )
            opening.callback(self._cluster.kill)
        return self._cluster

    def run(
        self,
        *,
        shard: Shard = WHOLE,
        hang_seconds: float = HANG_SECONDS,
        kernel: str | None = None,
        on_progress: Callable[[Progress], None] = lambda progress: None,
        on_finds: Callable[[list[StoredFind]], None] = lambda finds: None,
        on_trouble: Callable[[str], None] = lambda text: None,
    ) -> Outcome:
        """Hunt until the deals are played, the time is up, or a signal asks to stop.

        Parameters
        ----------
        shard : Shard, optional
            The part of the campaign to work on.
        hang_seconds : float, optional
            A unit that takes longer than this, and much longer than usual, is run again.
        kernel : str, optional
            The kernel to play on.
        on_progress : callable, optional
            Called with a `Progress` a few times a second.
        on_finds : callable, optional
            Called with the finds of each commit that entered the lists.
        on_trouble : callable, optional
            Called with a line about each unit that failed, saying what happens to it.

        Returns
        -------
        Outcome
            The outcome of the run.

        Raises
        ------
        HuntError
            If no worker can finish a unit, or the ledger cannot be written; committed work is kept.
        """
        ledger, entry = self.ledger, self.entry
        pool: LocalPool | ClusterExecutor
        if self._dask is not None:
            pool = self._connected(self._dask, self._open)
        else:
            usual = ledger.totals(entry).mean_seconds
            pool = LocalPool(self.wish.slots, hang_seconds=hang_seconds, usual=usual)
        try:
            run = Hunt(
                ledger,
                entry,
                pool,
                pool.slots,
                deals=self.wish.deals,
                seconds=self.wish.seconds,
                shard=shard,
                stop=self._signals.requested,
                on_progress=on_progress,
                on_finds=on_finds,
                on_trouble=on_trouble,
                kernel=kernel,
            )
            workers = pool.slots()
            ending = run.run()
        finally:
            pool.kill()
        view = LedgerView(ledger)
        return Outcome(
            ending,
            run.lasted,
            run.run_deals,
            workers,
            ledger.path,
            entry.campaign,
            run.totals,
            view.best(),
            view.loops(),
            ledger.units_set_aside(entry),
        )
