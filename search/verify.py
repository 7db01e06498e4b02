"""Check a ledger: repeat units, compare the sums with them, and replay finds by the rules."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from camicia.cards import Deal
from camicia.kernels.dispatch import available_kernels
from camicia.results import Status, counted
from camicia.rules import play, play_by_play
from search.campaign import PROCESSOR_COUNTERS, Totals, UnitReport
from search.errors import ATTEMPTS, CampaignError, HuntError, VerificationError, WorkerLost
from search.finds import Find, replay
from search.ledger import Entry, Ledger, StoredFind, chosen, imported, shared_units
from search.strategies import strategy_named
from search.workers import run_unit

#: Fields of a unit that are compared with its row.
COMPARED = ("games", "loops", "cards", "tricks", "checksum")

#: Totals that can be computed again; times are measured, and differ from run to run.
SUMMED = ("units", *COMPARED)

#: The longest imported game, in cards, that is replayed by the rules in plain Python: it takes ten seconds.
MOST_REPLAYED = 10_000_000


class Job(NamedTuple):
    """A unit to repeat, and the kernel to repeat it on."""

    entry: Entry
    unit: int
    row: dict[str, Any]
    kernel: str


@dataclass
class Claim:
    """What a ledger claims about one campaign, and the sums over its repeated units.

    Parameters
    ----------
    entry : Entry
        The campaign.
    units : int
        How many of its units the ledger holds.
    is_full : bool
        Whether all of them are repeated, so that sums and lists must be equal in the end.
    totals, histogram : Totals, dict of int to int
        As they stand in the ledger.
    finds : dict of Status to list of StoredFind
        The finds and the loops.
    """

    entry: Entry
    units: int
    is_full: bool
    totals: Totals
    histogram: dict[int, int]
    finds: dict[Status, list[StoredFind]]
    _sums: Totals = field(default_factory=Totals)
    _bins: Counter[int] = field(default_factory=Counter)
    _met: dict[Status, dict[Find, int]] = field(default_factory=lambda: {status: {} for status in Status})

    def compare(self, job: Job, report: UnitReport) -> Iterator[str]:
        """Compare a repeated unit with its row and with the lists; yield the differences."""
        name = f"unit {job.unit} of campaign {self.entry.campaign.identity}"
        for what in COMPARED:
            if job.row[what] != getattr(report, what):
                yield (
                    f"{name}: {what} is {job.row[what]} in the ledger (kernel {job.row['kernel']}, host "
                    f"{job.row['host']}), but {getattr(report, what)} on kernel {report.kernel}"
                )
        self._sums.add(report)
        self._bins.update(report.histogram)
        for status, stored in self.finds.items():
            found = report.finds if status is Status.FINISHED else report.loop_finds
            if self.is_full:
                self._meet(status, found, report.unit)
                continue
            held = {item.find for item in stored}
            for item in stored:
                if item.unit == job.unit and item.find not in found:
                    yield f"{name}: does not meet {item.deal}, which the ledger has from it"
            for find in set(chosen(self.entry.campaign, status, held.union(found))) - held:
                lengths = f"{find.cards} cards, {find.tricks} tricks"
                yield f"{name}: meets a game of {lengths} that the ledger lacks"

    def _meet(self, status: Status, found: Sequence[Find], unit: int) -> None:
        met = self._met[status]
        for find in found:
            met[find] = min(unit, met.get(find, unit))
        # The best of all units are the best of the best of each.
        self._met[status] = {find: met[find] for find in chosen(self.entry.campaign, status, met)}

    def compare_sums(self) -> Iterator[str]:
        """Compare totals, counters and histogram with the repeated units; yield the differences.

        If all units were repeated they must be equal; otherwise no sum may exceed that of the ledger.
        """
        name = f"campaign {self.entry.campaign.identity}"
        is_whole = self._sums.units == self.units
        expected = "but its units add up to" if is_whole else "but the units done again alone add up to"
        for what, held, again in self._compared_sums(is_whole):
            if held != again if is_whole else held < again:
                yield f"{name}: {what} {held:,} in the ledger, {expected} {again:,}"

    def _compared_sums(self, is_whole: bool) -> Iterator[tuple[str, int, int]]:
        """Yield each sum that can be computed again: its name, the ledger's value, the repeats' value."""
        for name in SUMMED:
            # Part of a sum modulo 2^64 proves nothing.
            if is_whole or name != "checksum":
                yield f"the total of {name} is", getattr(self.totals, name), getattr(self._sums, name)
        measured = (*PROCESSOR_COUNTERS, *strategy_named(self.entry.campaign.strategy).measured_counters)
        held, again = self.totals.counters, self._sums.counters
        for name in sorted((held.keys() | again.keys()) - set(measured)):
            yield f"the counter {name!r} is", held.get(name, 0), again.get(name, 0)
        for tricks in sorted(self.histogram.keys() | self._bins.keys()):
            held_games, games = self.histogram.get(tricks, 0), self._bins[tricks]
            yield f"the number of games of {counted(tricks, 'trick')} is", held_games, games

    def compare_lists(self) -> Iterator[str]:
        """Compare both lists with everything that the units met; yield the differences."""
        name = f"campaign {self.entry.campaign.identity}"
        for status, met in self._met.items():
            held = {item.find: item for item in self.finds[status]}
            for find in sorted(met.keys() - held.keys()):
                lengths = f"{find.cards} cards, {find.tricks} tricks"
                yield f"{name}: lacks a game of {lengths} that unit {met[find]} meets"
            for find, item in held.items():
                if find not in met:
                    yield f"{name}: holds {item.deal}, which is not among the best that its units meet"
                elif item.unit != met[find]:
                    first = met[find]
                    yield f"{name}: has {item.deal} from unit {item.unit}, but unit {first} meets it first"


@dataclass
class Check:
    """Everything in a ledger that is checked, read at one moment, and the results.

    Parameters
    ----------
    jobs : list of Job
        Units to repeat.
    claims : list of Claim
        What the ledger claims of each campaign.
    others : list of dict
        Imported deals.

    Attributes
    ----------
    mismatches : list of str
        The differences found.
    kernels : Counter of str
        Repeated units, by the kernel that their reports name.
    on_same_kernel : int
        How many of them were repeated on the same kernel that the hunt used.
    not_replayed : int
        Imported deals that were not replayed, because their games are too long.
    """

    jobs: list[Job]
    claims: list[Claim]
    others: list[dict[str, Any]]
    mismatches: list[str] = field(default_factory=list)
    kernels: Counter[str] = field(default_factory=Counter)
    on_same_kernel: int = 0
    not_replayed: int = 0

    @property
    def find_count(self) -> int:
        """Number of deals to replay."""
        return sum(len(stored) for claim in self.claims for stored in claim.finds.values()) + len(self.others)

    @property
    def units_held(self) -> int:
        """Number of units in the ledger."""
        return sum(claim.units for claim in self.claims)

    def replay_finds(self) -> None:
        """Replay every find by the rules in plain Python."""
        for claim in self.claims:
            deck = claim.entry.campaign.deck
            for status, stored in claim.finds.items():
                for item in stored:
                    try:
                        result = replay(item.find, deck, status)
                    except VerificationError as error:
                        self.mismatches.append(f"{error} (unit {item.unit})")
                        continue
                    if result != item.result or deck.rank(item.deal) != item.rank:
                        self.mismatches.append(
                            f"find {item.deal} (unit {item.unit}): stored as {item.result.reason}, rank "
                            f"{item.rank}, but by the rules {result.reason}, rank {deck.rank(item.deal)}"
                        )
        for row in self.others:
            self._replay_other(Deal.parse(row["deal"]), row)

    def _replay_other(self, deal: Deal, row: Mapping[str, Any]) -> None:
        if row["cards"] > MOST_REPLAYED:
            self.not_replayed += 1
            return
        # A forged row may state a short game for a deal whose game takes years to play.
        if any(game.cards > row["cards"] for game in play_by_play(deal)):
            self.mismatches.append(f"imported deal {deal}: by the rules longer than {row['cards']:,} cards")
            return
        result = play(deal)
        stated = {"deck": str(deal.deck), **result.as_dict()}
        if any(row[name] != value for name, value in stated.items() if name in row):
            self.mismatches.append(f"imported deal {deal}: by the rules {result.reason}")

    def compare(self, job: Job, report: UnitReport) -> None:
        """Compare a repeated unit with what the ledger holds of it."""
        self.kernels[report.kernel] += 1
        self.on_same_kernel += report.kernel == job.row["kernel"]
        claim = next(claim for claim in self.claims if claim.entry == job.entry)
        self.mismatches += claim.compare(job, report)

    def finish(self) -> None:
        """Once the last report is in, compare the sums, and the lists of campaigns repeated in full."""
        for claim in self.claims:
            self.mismatches += claim.compare_sums()
            if claim.is_full:
                self.mismatches += claim.compare_lists()

    def not_checked(self) -> list[str]:
        """What this check could not cover, in words."""
        sentences = []
        if len(self.jobs) < self.units_held:
            sentences.append(
                f"the other {counted(self.units_held - len(self.jobs), 'unit')}, and so totals, histogram, "
                "counters and lists only in part (--fraction 1 checks them all)"
            )
        if self.on_same_kernel:
            sentences.append(
                f"a fault of the kernel itself: {counted(self.on_same_kernel, 'unit')} done again on the "
                "kernel of the hunt, since this machine has no other for them"
            )
        if self.not_replayed:
            sentences.append(
                f"{counted(self.not_replayed, 'imported deal')}: games of more than {MOST_REPLAYED:,} cards "
                "take too long by the rules in plain Python"
            )
        return sentences


def read_check(
    ledger: Ledger,
    fraction: float,
    generator: random.Random | None = None,
    *,
    units: Collection[int] | None = None,
) -> Check:
    """Choose what to check.

    Parameters
    ----------
    ledger : Ledger
        The ledger.
    fraction : float
        Share of the units to repeat, above 0 and at most 1; every campaign that has units gets at least one.
    generator : random.Random, optional
        Chooses the units (default: the system's own randomness).
    units : collection of int, optional
        The units to repeat, in every campaign that has them, instead of a fraction.

    Raises
    ------
    CampaignError
        If one of `units` is in no campaign of the ledger.
    """
    generator = generator or random.SystemRandom()
    jobs, claims = [], []
    entries = ledger.campaigns()
    for entry in entries:
        rows = list(ledger.units(entry))
        if units is None:
            picked = generator.sample(rows, math.ceil(fraction * len(rows)))
        else:
            picked = [row for row in rows if row["unit"] in units]
        jobs += [Job(entry, row["unit"], row, other_kernel(row["kernel"])) for row in picked]
        finds = {status: ledger.finds(entry, status) for status in Status}
        is_full = len(picked) == len(rows)
        claims.append(Claim(entry, len(rows), is_full, ledger.totals(entry), ledger.histogram(entry), finds))
    if missing := set(units or ()) - {job.unit for job in jobs}:
        raise CampaignError(
            f"unit {min(missing)}: not in ledger {str(ledger.path)!r}, expected the number of a unit done"
        )
    twice = [
        f"campaigns {one.campaign.identity} and {other.campaign.identity}: {counted(len(common), 'unit')} of "
        f"the same deals, such as unit {min(common)}, counted twice"
        for one, other, common in shared_units(entries, ledger.done)
    ]
    return Check(jobs, claims, imported(ledger), twice)


def other_kernel(used: str, available: Collection[str] | None = None) -> str:
    """Return the fastest kernel here other than the one used, or that one if there is no other.

    Examples
    --------
    >>> other_kernel("avx2", ("reference", "ring", "baseline", "avx2"))
    'baseline'
    """
    names = list(available_kernels() if available is None else available)
    # The plain rules are thousands of times slower: they play whole units only where no other kernel can.
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
    """Run the check; differences are collected in `check.mismatches`.

    Parameters
    ----------
    check : Check
        From `read_check`.
    executor : Executor
        What does the units.
    slots : callable
        Returns how many units it runs at once.
    stop : callable, optional
        Returns True to stop.
    on_progress : callable, optional
        Called with the number of units done.

    Returns
    -------
    bool
        Whether the check was completed, that is, not stopped.

    Raises
    ------
    HuntError
        If a unit cannot be repeated.
    """
    check.replay_finds()
    done = 0
    for job, report in _reports(check.jobs, executor, slots, stop):
        check.compare(job, report)
        done += 1
        on_progress(done)
    if done < len(check.jobs):
        return False
    check.finish()
    return True


def _reports(
    jobs: list[Job], executor: Executor, slots: Callable[[], int], stop: Callable[[], bool]
) -> Iterator[tuple[Job, UnitReport]]:
    waiting = [(job, 0) for job in reversed(jobs)]
    flying: dict[Future[UnitReport], tuple[Job, int]] = {}
    while (waiting or flying) and not stop():
        while waiting and len(flying) <= slots():
            job, failures = waiting.pop()
            campaign = job.entry.campaign
            flying[executor.submit(run_unit, campaign, job.unit, job.kernel)] = (job, failures)
        done, _ = wait(flying, 0.2, FIRST_COMPLETED)
        for future in done:
            job, failures = flying.pop(future)
            try:
                yield job, future.result()
            except WorkerLost as error:
                if failures + error.times >= ATTEMPTS:
                    raise HuntError(f"unit {job.unit}: cannot be done again: {error}") from None
                waiting.append((job, failures + error.times))
