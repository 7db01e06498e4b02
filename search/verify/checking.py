"""Check a ledger: repeat units, compare the sums with them, and replay finds by the rules."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from typing import Any

from camicia.cards import Deal
from camicia.kernels.dispatch import available_kernels
from camicia.results import Status, counted
from camicia.rules import play, play_by_play
from search.campaign import UnitReport
from search.errors import ATTEMPTS, CampaignError, HuntError, VerificationError, WorkerLost
from search.finds import replay
from search.ledger import Ledger, imported, shared_units
from search.verify.claims import Claim, Lot
from search.workers import run_unit

#: The longest imported game, in cards, that is replayed by the rules in plain Python: it takes ten seconds.
MOST_REPLAYED = 10_000_000


@dataclass
class Check:
    """Everything in a ledger that is checked, read at one moment, and the results.

    Parameters
    ----------
    lots : list of Lot
        Blocks whose units are to be repeated.
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

    lots: list[Lot]
    claims: list[Claim]
    others: list[dict[str, Any]]
    mismatches: list[str] = field(default_factory=list)
    kernels: Counter[str] = field(default_factory=Counter)
    on_same_kernel: int = 0
    not_replayed: int = 0

    @property
    def unit_count(self) -> int:
        """Number of units to repeat."""
        return sum(len(lot.units) for lot in self.lots)

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

    def compare(self, lot: Lot, report: UnitReport) -> None:
        """Compare a repeated unit with what the ledger holds of it."""
        self.kernels[report.kernel] += 1
        self.on_same_kernel += report.kernel == lot.block["kernel"]
        claim = next(claim for claim in self.claims if claim.entry == lot.entry)
        self.mismatches += claim.compare(lot, report)

    def finish(self) -> None:
        """Once the last report is in, compare the sums, and the lists of campaigns repeated in full."""
        for claim in self.claims:
            self.mismatches += claim.compare_sums()
            if claim.is_full:
                self.mismatches += claim.compare_lists()

    def not_checked(self) -> list[str]:
        """What this check could not cover, in words."""
        sentences = []
        if self.unit_count < self.units_held:
            sentences.append(
                f"the other {counted(self.units_held - self.unit_count, 'unit')}, and so totals, histogram, "
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
    lots: list[Lot] = []
    claims = []
    entries = ledger.campaigns()
    for entry in entries:
        of_campaign = [Lot(entry, block, other_kernel(block["kernel"])) for block in ledger.blocks(entry)]
        if units is None:
            picked = _picked(of_campaign, fraction, generator)
        else:
            picked = [lot for lot in of_campaign if any(unit in lot.units for unit in units)]
        lots += picked
        finds = {status: ledger.finds(entry, status) for status in Status}
        is_full = len(picked) == len(of_campaign)
        totals = ledger.totals(entry, with_cycles=True)
        claims.append(Claim(entry, totals.units, is_full, totals, ledger.histogram(entry), finds))
    if missing := [unit for unit in units or () if not any(unit in lot.units for lot in lots)]:
        raise CampaignError(
            f"unit {min(missing)}: not in ledger {str(ledger.path)!r}, expected the number of a unit done"
        )
    twice = [
        f"campaigns {one.campaign.identity} and {other.campaign.identity}: {counted(len(common), 'unit')} of "
        f"the same deals, such as unit {common.first()}, counted twice"
        for one, other, common in shared_units(entries, ledger.done)
    ]
    return Check(lots, claims, imported(ledger), twice)


def _picked(lots: Sequence[Lot], fraction: float, generator: random.Random) -> list[Lot]:
    """Pick blocks at random until they have a fraction of the units, at least one of them."""
    wanted = math.ceil(fraction * sum(len(lot.units) for lot in lots))
    picked = []
    for lot in generator.sample(lots, len(lots)):
        if wanted <= 0:
            break
        picked.append(lot)
        wanted -= len(lot.units)
    return picked


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
    for lot, report in _reports(check.lots, executor, slots, stop):
        check.compare(lot, report)
        done += 1
        on_progress(done)
    if done < check.unit_count:
        return False
    check.finish()
    return True


def _reports(
    lots: Sequence[Lot], executor: Executor, slots: Callable[[], int], stop: Callable[[], bool]
) -> Iterator[tuple[Lot, UnitReport]]:
    ahead = ((lot, unit, 0) for lot in lots for unit in lot.units)
    again: list[tuple[Lot, int, int]] = []
    flying: dict[Future[UnitReport], tuple[Lot, int, int]] = {}
    while not stop():
        while len(flying) <= slots() and (job := again.pop() if again else next(ahead, None)):
            lot, unit, _ = job
            flying[executor.submit(run_unit, lot.entry.campaign, unit, lot.kernel)] = job
        if not flying:
            return
        done, _ = wait(flying, 0.2, FIRST_COMPLETED)
        for future in done:
            lot, unit, failures = flying.pop(future)
            try:
                yield lot, future.result()
            except WorkerLost as error:
                if failures + error.times >= ATTEMPTS:
                    raise HuntError(f"unit {unit}: cannot be done again: {error}") from None
                again.append((lot, unit, failures + error.times))
