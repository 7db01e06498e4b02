"""Checking what a ledger holds: units done again on another kernel, finds replayed by the rules."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from camicia.cards import Deal
from camicia.kernels import available_kernels
from camicia.reference import play
from camicia.results import Status
from search.campaign import Campaign, UnitReport
from search.errors import ATTEMPTS, HuntError, VerificationError, WorkerLost
from search.finds import replay
from search.imported import imported
from search.ledger import Entry, Ledger, chosen
from search.stored import StoredFind
from search.worker import run_unit

#: What is compared of a unit.
COMPARED = ("games", "loops", "cards", "tricks", "checksum")


class Job(NamedTuple):
    """A unit to do again, and the kernel to do it on."""

    campaign: Campaign
    unit: int
    row: dict[str, Any]
    kernel: str


@dataclass
class Check:
    """All of a ledger that is to be checked, read at one moment, and what has come of it.

    Parameters
    ----------
    jobs : list of Job
        Units to do again.
    finds : list
        The finds and loops of every campaign.
    others : list of dict
        Deals of others.
    """

    jobs: list[Job]
    finds: list[tuple[Entry, Status, list[StoredFind]]]
    others: list[dict[str, Any]]
    mismatches: list[str] = field(default_factory=list)

    @property
    def find_count(self) -> int:
        """How many deals are replayed."""
        return sum(len(stored) for _, _, stored in self.finds) + len(self.others)

    def replay_finds(self) -> None:
        """Replay every find by the rules in plain Python."""
        for entry, status, stored in self.finds:
            deck = entry.campaign.deck
            for item in stored:
                try:
                    result = replay(item.find, deck, status)
                except VerificationError as error:
                    self.mismatches.append(f"{error} (unit {item.unit})")
                    continue
                if result != item.result or str(deck.rank(item.deal)) != str(item.rank):
                    self.mismatches.append(
                        f"find {item.deal} (unit {item.unit}): stored as {item.result.reason}, rank "
                        f"{item.rank}, but by the rules {result.reason}, rank {deck.rank(item.deal)}"
                    )
        for row in self.others:
            result = play(Deal.parse(row["deal"]))
            if any(row[name] != value for name, value in result.as_dict().items() if name in row):
                self.mismatches.append(f"imported deal {row['deal']}: by the rules {result.reason}")

    def compare(self, job: Job, report: UnitReport) -> None:
        """Compare a unit done again with what the ledger holds of it."""
        name = f"unit {job.unit} of campaign {job.campaign.identity}"
        for what in COMPARED:
            if job.row[what] != getattr(report, what):
                self.mismatches.append(
                    f"{name}: {what} is {job.row[what]} in the ledger (kernel {job.row['kernel']}, host "
                    f"{job.row['host']}), but {getattr(report, what)} on kernel {report.kernel}"
                )
        for entry, status, stored in self.finds:
            if entry.campaign != job.campaign:
                continue
            met = set(report.finds if status is Status.FINISHED else report.loop_finds)
            held = {item.find for item in stored}
            for item in stored:
                if item.unit == job.unit and item.find not in met:
                    self.mismatches.append(f"{name}: does not meet {item.deal}, which the ledger has from it")
            for find in set(chosen(job.campaign, status, held | met)) - held:
                self.mismatches.append(
                    f"{name}: meets a game of {find.cards} cards, {find.tricks} tricks that the ledger lacks"
                )


def read_check(ledger: Ledger, fraction: float, generator: random.Random | None = None) -> Check:
    """Choose what to check.

    Parameters
    ----------
    ledger : Ledger
        The ledger.
    fraction : float
        How much of the units, more than 0 to 1; at least one unit is chosen of each campaign that has any.
    generator : random.Random, optional
        Chooses the units; the system's own randomness unless given.
    """
    generator = generator or random.SystemRandom()
    jobs, finds = [], []
    for entry in ledger.campaigns():
        units = list(ledger.units(entry))
        for row in generator.sample(units, math.ceil(fraction * len(units))):
            jobs.append(Job(entry.campaign, row["unit"], row, other_kernel(row["kernel"])))
        finds += [(entry, status, ledger.finds(entry, status)) for status in Status]
    return Check(jobs, finds, imported(ledger))


def other_kernel(used: str, available: Collection[str] | None = None) -> str:
    """The fastest kernel here that is not the one used; that one if there is no other.

    Examples
    --------
    >>> other_kernel("avx2", ("reference", "ring", "baseline", "avx2"))
    'baseline'
    """
    names = list(available_kernels() if available is None else available)
    # The plain rules are thousands of times slower: no whole unit is played by them unless nothing else can.
    others = [name for name in names if name not in (used, "reference")]
    return (others or names)[-1]


def run_check(
    check: Check,
    executor: Executor,
    slots: Callable[[], int],
    *,
    stop: Callable[[], bool] = lambda: False,
    on_progress: Callable[[int], None] = lambda done: None,
) -> bool:
    """Do it; what does not agree is in `check.mismatches` then.

    Parameters
    ----------
    check : Check
        From `read_check`.
    executor : Executor
        What does the units.
    slots : callable
        How many it does at once.
    stop : callable, optional
        Returns whether to stop.
    on_progress : callable, optional
        Given the number of units done.

    Returns
    -------
    bool
        Whether all was done, that is, it was not stopped.

    Raises
    ------
    HuntError
        If a unit cannot be done.
    """
    check.replay_finds()
    done = 0
    for job, report in _reports(check.jobs, executor, slots, stop):
        check.compare(job, report)
        done += 1
        on_progress(done)
    return done == len(check.jobs)


def _reports(
    jobs: list[Job], executor: Executor, slots: Callable[[], int], stop: Callable[[], bool]
) -> Iterator[tuple[Job, UnitReport]]:
    waiting = [(job, 0) for job in reversed(jobs)]
    flying: dict[Future[UnitReport], tuple[Job, int]] = {}
    while (waiting or flying) and not stop():
        while waiting and len(flying) <= slots():
            job, failures = waiting.pop()
            flying[executor.submit(run_unit, job.campaign, job.unit, job.kernel)] = (job, failures)
        done, _ = wait(flying, 0.2, FIRST_COMPLETED)
        for future in done:
            job, failures = flying.pop(future)
            try:
                yield job, future.result()
            except WorkerLost as error:
                if failures + error.times >= ATTEMPTS:
                    raise HuntError(f"unit {job.unit}: cannot be done again: {error}") from None
                waiting.append((job, failures + error.times))
