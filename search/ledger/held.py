"""What the writer of a ledger keeps in memory of a campaign, so that a commit need not read it again."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from camicia.results import Status
from search.campaign import Totals
from search.finds import Find
from search.ledger.contents import Contents, Entry
from search.ledger.stored import StoredFind, read_rows
from search.ledger.stretches import Stretch
from search.ledger.unit_sets import UnitSet


@dataclass
class Held:
    """What a ledger holds of a campaign; only its one writer changes both.

    Parameters
    ----------
    totals : Totals
        Sums over the units done, without a counter for each cycle.
    histogram : dict of int to int
        Finite games by their number of tricks.
    finds : dict of Status to dict of Find to StoredFind
        The finds and the loops.
    done : UnitSet
        The units done.
    sizes : Counter of int
        How many blocks there are of each number of units.
    history : dict of (int, int) to Stretch
        The history, by start and length.
    origins : dict
        The number of each origin, by kernel, host and version.
    set_aside : set of int
        Units that failed again and again.
    fold_at : dict of int to int
        For blocks of a number of units, how many there must be before some are folded, if it is not the
        usual.
    """

    totals: Totals
    histogram: dict[int, int]
    finds: dict[Status, dict[Find, StoredFind]]
    done: UnitSet
    sizes: Counter[int]
    history: dict[tuple[int, int], Stretch]
    origins: dict[tuple[str, ...], int]
    set_aside: set[int]
    fold_at: dict[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, ledger: Contents, entry: Entry) -> Held:
        """Read it."""
        return cls(
            totals=ledger.totals(entry),
            histogram=ledger.histogram(entry),
            finds={status: {item.find: item for item in ledger.finds(entry, status)} for status in Status},
            done=ledger.done(entry),
            sizes=Counter(block["units"] for block in ledger.blocks(entry)),
            history={(stretch.start, stretch.seconds): stretch for stretch in ledger.history(entry)},
            origins={
                (kernel, host, version): number
                for number, _, kernel, host, version in read_rows(
                    ledger, "origins", "WHERE campaign = ?", entry.id
                )
            },
            set_aside=set(ledger.units_set_aside(entry)),
        )

    def copied_totals(self) -> Totals:
        """Return the totals for a caller, who may add to them."""
        return replace(self.totals, counters=dict(self.totals.counters))
