"""The driver: hands units to an executor, commits their reports, and stops cleanly."""

from __future__ import annotations

import math
import platform
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from queue import Empty, SimpleQueue

from camicia.errors import CamiciaError
from search.campaign import UnitReport
from search.errors import ATTEMPTS, HuntError
from search.ledger import Entry, Ledger, Run, StoredFind
from search.shards import WHOLE, Shard, units_to_do, units_wanted
from search.strategies import strategy_named
from search.workers import Pace, run_units

#: Longest wait, in seconds, between checks of signals, the clock and the size of the executor.
TICK = 0.2

#: Calls queued beyond those in progress, as a share of the workers, a few or many: none that finishes need
#: wait for a commit, nor hundreds that finish at nearly the same time; and little is lost at the end.
SPARE_SHARE, SPARE_SHARE_OF_MANY, MANY = 0.25, 1.0, 16

#: Calls a second for which units are handed out one by one. Where there are more workers, or units are
#: shorter, a call does several in a row: a Dask scheduler and one driver can do no more than some hundred.
MOST_CALLS = 300.0

#: While several units make up a call, at least so many more calls for each worker must be left to do.
CALLS_LEFT = 8

#: Commits may take one part in this of the driver's time. Reports that arrive sooner are committed together.
COMMIT_SHARE = 5

#: The shortest and the longest time, in seconds, from one commit to the next while reports arrive: there are
#: a few dozen a second at most, and no report waits for long.
SHORTEST_DELAY, LONGEST_DELAY = 0.03, 1.0

#: The current rate is measured over this many seconds.
RATE_SECONDS = 30.0

#: Seconds between two calls of `on_progress`.
PROGRESS_SECONDS = 0.1

#: The longest time, in seconds, that a run may be given: every kind of clock and wait can handle it, and
#: nobody hunts for longer.
MOST_SECONDS = 10_000 * 86_400

#: So many units set aside with none done before are not the units' fault.
HOPELESS = 3


class Ending(StrEnum):
    """Why a run ended."""

    COMPLETE = "complete"
    TIME = "time"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Progress:
    """The progress of a run.

    Parameters
    ----------
    deals, goal : int
        Deals done in the campaign, and how many there will be; None if it has no end.
    run_deals : int
        Deals done in this run.
    rate : float
        Deals per second just now.
    cards, tricks : int
        The longest game so far by each length; 0 while there is none.
    loops : int
        Loops so far.
    elapsed : float
        Seconds since the run began.
    left : float or None
        Seconds left, if known.
    note : str
        What the strategy adds.
    """

    deals: int
    goal: int | None
    run_deals: int
    rate: float
    cards: int
    tricks: int
    loops: int
    elapsed: float
    left: float | None
    note: str = ""


class Hunt:
    """One run of a campaign, from its first unit to its last commit.

    Parameters
    ----------
    ledger : Ledger
        The ledger that takes the reports; open for writing.
    entry : Entry
        The campaign in it.
    executor : Executor
        Runs the units.
    slots : callable
        Returns how many units the executor can run at once; this may change.
    deals : int, optional
        Number of deals in the whole campaign.
    seconds : float, optional
        Time limit of this run.
    shard : Shard, optional
        The part of the campaign to work on.
    stop : callable, optional
        Returns True to stop the run.
    on_progress, on_finds, on_trouble : callable, optional
        Called with a `Progress` a few times a second, with the finds of each commit that entered the lists,
        and with a line about each unit that failed, saying what happens to it.
    kernel : str, optional
        The kernel to play on.
    clock : callable, optional
        Returns the time in seconds, from any starting point.

    Attributes
    ----------
    lasted : float
        Seconds from the beginning of the run to its end, once it has ended.
    """

    def __init__(
        self,
        ledger: Ledger,
        entry: Entry,
        executor: Executor,
        slots: Callable[[], int],
        *,
        deals: int | None = None,
        seconds: float | None = None,
        shard: Shard = WHOLE,
        stop: Callable[[], bool] = lambda: False,
        on_progress: Callable[[Progress], None] = lambda progress: None,
        on_finds: Callable[[list[StoredFind]], None] = lambda finds: None,
        on_trouble: Callable[[str], None] = lambda text: None,
        kernel: str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.ledger = ledger
        self.entry = entry
        self.executor = executor
        self.slots = slots
        self.stop = stop
        self.on_progress = on_progress
        self.on_finds = on_finds
        self.on_trouble = on_trouble
        self.kernel = kernel
        done = ledger.dealt(entry)
        wanted = units_wanted(entry.campaign, deals)
        there_are = strategy_named(entry.campaign.strategy).unit_count(entry.campaign)
        self.units = units_to_do(done, wanted, shard, there_are)
        self.totals = ledger.totals(entry)
        self.goal = None
        if wanted is not None:
            units = shard.units(wanted, there_are)
            to_do = shard.size(wanted, there_are) - done.count_in(units)
            self.goal = self.totals.games + to_do * entry.campaign.unit_size
        finds = ledger.finds(entry)
        self.cards = max((find.result.cards for find in finds), default=0)
        self.tricks = max((find.result.tricks for find in finds), default=0)
        self.run_deals = 0
        self.set_aside: list[int] = []
        self._again: deque[int] = deque()
        self._failures: dict[int, int] = {}
        self._flying: dict[Future[list[UnitReport]], list[int]] = {}
        self._flying_units = 0
        self._landed: SimpleQueue[Future[list[UnitReport]]] = SimpleQueue()
        self._reports: list[UnitReport] = []
        self._commit_at = 0.0
        self._recent: deque[tuple[float, int]] = deque()
        self._recent_deals = 0
        self._progress_at = 0.0
        self.lasted = 0.0
        self._clock = clock
        self._pace = Pace(seconds, clock)
        self._run = 0

    def run(self) -> Ending:
        """Run units until none are left, the time is up, or `stop` returns True.

        When the time is up, units in progress are finished unless they take too long; if no unit has been
        finished at all, the run continues for up to a minute.

        Raises
        ------
        HuntError
            If no worker can finish a unit, or the ledger cannot be written; committed work is kept.
        VerificationError
            If a find does not replay.
        CamiciaError
            Any error that a unit raises on purpose.
        """
        self._pace.start()
        self._recent = deque([(self._clock(), 0)])
        self._run = self.ledger.begin_run(self.entry, self.slots(), platform.node())
        try:
            ending = self._do_units()
            self._commit()
            self.on_progress(self.progress())
        except BaseException:
            # Report the trouble that ended the run, not that its length cannot be noted either.
            with suppress(CamiciaError):
                self._end()
            raise
        self._end()
        return ending

    def _end(self) -> None:
        """Record how long the run took."""
        self.lasted = self._pace.elapsed
        self.ledger.end_run(Run(self._run, self.lasted))

    def _do_units(self) -> Ending:
        exhausted = False
        while True:
            if self.stop():
                self._collect(0)
                return Ending.INTERRUPTED
            slots = self.slots()
            share = SPARE_SHARE if slots < MANY else SPARE_SHARE_OF_MANY
            most = slots + max(1, round(share * slots)) if slots else 0
            while (
                not exhausted
                and len(self._flying) < most
                and self._pace.fits_another(self._flying_units, slots)
            ):
                units = self._next_units(slots)
                exhausted = not units
                if units:
                    self._hand_out(units)
            if self._pace.is_to_drop_waiting:
                self._take_back()
            if not self._flying:
                if exhausted or self._pace.is_over or slots:
                    return Ending.COMPLETE if exhausted else Ending.TIME
                time.sleep(TICK)
            if self._pace.is_too_late:
                return Ending.TIME
            has_news = self._collect(TICK)
            exhausted = exhausted and not self._again
            now = self._clock()
            if has_news or now >= self._progress_at:
                self._progress_at = now + PROGRESS_SECONDS
                self.on_progress(self.progress())

    def _next_units(self, slots: int) -> list[int]:
        """Return the units of the next call: one that failed before, or new ones; none if none are left."""
        if self._again:
            return [self._again.popleft()]
        count = min(self._pace.most_at_once, round(slots * self._pace.units_a_second / MOST_CALLS))
        if self.goal is not None:
            # Towards the end no worker should still have several while others have none.
            left = (self.goal - self.totals.games) // self.entry.campaign.unit_size - self._flying_units
            count = min(count, left // (CALLS_LEFT * max(1, slots)))
        return list(islice(self.units, max(1, count)))

    def progress(self) -> Progress:
        """Return the progress of the run."""
        now = self._clock()
        while len(self._recent) > 2 and self._recent[1][0] < now - RATE_SECONDS:
            self._recent.popleft()
            self._recent_deals -= self._recent[0][1]
        rate = self._recent_deals / max(now - self._recent[0][0], 1e-9)
        ends = []
        if self.goal is not None and rate:
            ends.append(max(0, self.goal - self.totals.games) / rate)
        if self._pace.left < math.inf:
            ends.append(max(0.0, self._pace.left))
        return Progress(
            deals=self.totals.games,
            goal=self.goal,
            run_deals=self.run_deals,
            rate=rate,
            cards=self.cards,
            tricks=self.tricks,
            loops=self.totals.loops,
            elapsed=self._pace.elapsed,
            left=min(ends, default=None),
            note=strategy_named(self.entry.campaign.strategy).progress(self.entry.campaign, self.totals),
        )

    def _take_back(self) -> None:
        """Drop the units that have not begun: no work is lost."""
        for future in [future for future in self._flying if future.cancel()]:
            self._flying_units -= len(self._flying.pop(future))

    def _hand_out(self, units: list[int]) -> None:
        try:
            future = self.executor.submit(run_units, self.entry.campaign, units, self.kernel)
        except BrokenExecutor as error:
            raise _worker_died(error) from None
        self._flying[future] = units
        self._flying_units += len(units)
        self._pace.units_begun(len(units))
        future.add_done_callback(self._landed.put)

    def _collect(self, timeout: float) -> bool:
        """Take the reports that have arrived, waiting for the first; returns whether any are committed."""
        failed: list[tuple[list[int], BaseException]] = []
        for future in self._arrived(timeout):
            if (units := self._flying.pop(future, None)) is None:
                # It was taken back.
                continue
            self._flying_units -= len(units)
            try:
                self._reports += future.result()
            except (Exception, CancelledError) as error:
                failed.append((units, error))
        is_time = bool(self._reports) and (self._clock() >= self._commit_at or not self._flying)
        if is_time:
            self._commit()
        for units, failure in sorted(failed, key=lambda item: item[0]):
            self._fail(units, failure)
        return is_time

    def _arrived(self, timeout: float) -> Iterator[Future[list[UnitReport]]]:
        """Yield the calls that have ended, after a wait for the first of at most the time given."""
        if self._reports:
            timeout = min(timeout, max(0.0, self._commit_at - self._clock()))
        try:
            yield self._landed.get(timeout=timeout) if timeout > 0 else self._landed.get_nowait()
            while True:
                yield self._landed.get_nowait()
        except Empty:
            return

    def _fail(self, units: list[int], error: BaseException) -> None:
        """Run a unit again, or set it aside; stop if that does not help."""
        if isinstance(error, BrokenExecutor):
            raise _worker_died(error)
        if isinstance(error, CamiciaError):
            # Raised on purpose: every other unit would fail in the same way.
            raise error
        if len(units) > 1:
            # Which of them it was is seen when they are run one by one.
            self._again += units
            return
        (unit,) = units
        what = str(error) or type(error).__name__
        self._failures[unit] = self._failures.get(unit, 0) + getattr(error, "times", 1)
        if self._failures[unit] < ATTEMPTS:
            self.on_trouble(f"unit {unit}: {what}; it is run again ({self._failures[unit]} of {ATTEMPTS})")
            self._again.append(unit)
            return
        self.ledger.set_aside(self.entry, unit, what)
        self.set_aside.append(unit)
        if self.goal is not None:
            self.goal -= self.entry.campaign.unit_size
        self.on_trouble(f"unit {unit}: {what}; set aside after {ATTEMPTS} failures; the hunt continues")
        if len(self.set_aside) >= HOPELESS and not self.run_deals:
            raise HuntError(
                f"{HOPELESS} units failed {ATTEMPTS} times each and none was done, the last time so: {what}; "
                "what was committed stays, the same command tries them again"
            )

    def _commit(self) -> None:
        """Commit the reports that have arrived."""
        if not self._reports:
            return
        reports, self._reports = sorted(self._reports, key=lambda report: report.unit), []
        now = self._clock()
        run = Run(self._run, self._pace.elapsed, self.slots())
        entered = self.ledger.commit(self.entry, reports, run=run)
        delay = COMMIT_SHARE * (self._clock() - now)
        self._commit_at = self._clock() + min(max(delay, SHORTEST_DELAY), LONGEST_DELAY)
        self.totals = self.ledger.totals(self.entry)
        deals = sum(report.games for report in reports)
        self.run_deals += deals
        self._recent_deals += deals
        self._recent.append((now, deals))
        for report in reports:
            self._pace.unit_done(report.seconds)
        # A game longer than all before it enters the lists.
        self.cards = max([self.cards, *(find.result.cards for find in entered)])
        self.tricks = max([self.tricks, *(find.result.tricks for find in entered)])
        if entered:
            self.on_finds(entered)


def _worker_died(error: BaseException) -> HuntError:
    return HuntError(
        f"a worker has died ({error}); what was committed stays, the same command continues from there"
    )
