"""What a ledger claims about a campaign, compared with its repeated units."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from camicia.results import Status, counted
from search.campaign import PROCESSOR_COUNTERS, Totals, UnitReport
from search.finds import Find
from search.ledger import Entry, StoredFind, chosen
from search.strategies import CYCLE_SUMS, strategy_named

#: Fields of a unit that are compared with its row.
COMPARED = ("games", "loops", "cards", "tricks", "checksum")

#: Totals that can be computed again; times are measured, and differ from run to run.
SUMMED = ("units", *COMPARED)


class Lot(NamedTuple):
    """A block of a ledger, all units of which are to be repeated, and the kernel to repeat them on."""

    entry: Entry
    block: dict[str, Any]
    kernel: str

    @property
    def units(self) -> range:
        """The numbers of its units."""
        first, step = self.block["unit"], self.block["step"]
        return range(first, first + step * (self.block["units"] - 1) + 1, step)

    def __str__(self) -> str:
        units = self.units
        if len(units) == 1:
            return f"unit {units[0]}"
        return f"units {units[0]} to {units[-1]}" + (f" in steps of {units.step}" if units.step > 1 else "")


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
    _of_block: dict[int, Totals] = field(default_factory=dict)
    _bins: Counter[int] = field(default_factory=Counter)
    _met: dict[Status, dict[Find, int]] = field(default_factory=lambda: {status: {} for status in Status})

    def compare(self, lot: Lot, report: UnitReport) -> Iterator[str]:
        """Compare a repeated unit with its block and with the lists; yield the differences.

        Units that were folded into one block are compared when all of them are repeated.
        """
        campaign = f"of campaign {self.entry.campaign.identity}"
        name = f"unit {report.unit} {campaign}"
        block = lot.block
        again = self._of_block.setdefault(block["unit"], Totals())
        again.add(report)
        if again.units == block["units"]:
            del self._of_block[block["unit"]]
            where = f" (kernel {block['kernel']}, host {block['host']})" if block["kernel"] else ""
            for what in COMPARED:
                if block[what] != getattr(again, what):
                    yield (
                        f"{lot} {campaign}: {what} is {block[what]} in the ledger{where}, but "
                        f"{getattr(again, what)} on kernel {report.kernel}"
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
                if item.unit == report.unit and item.find not in found:
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
        # Sums over the cycles are what these add up to: opening the ledger has compared them.
        for name in sorted((held.keys() | again.keys()) - {*measured, *CYCLE_SUMS}):
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
