"""What a ledger holds of one campaign, to be added to another ledger, and what is remembered of it there."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from camicia.results import Status
from search.campaign import Totals
from search.ledger.contents import SUMS, Contents, Entry
from search.ledger.folding import Block
from search.ledger.stored import StoredFind, read_rows, unsigned
from search.ledger.stretches import Stretch
from search.ledger.unit_sets import UnitSet
from search.strategies import CYCLE_SUMS

#: Most bytes of what is remembered, unpacked: a share has some kilobytes.
_MOST_BYTES = 1 << 28

#: Kernel, host and version of what did units.
Origin = tuple[str, str, str]


@dataclass
class Share:
    """What a ledger holds of one campaign.

    Parameters
    ----------
    blocks : list of Block
        The units done; the origin of a block is its place in `origins`.
    done : UnitSet
        Their numbers.
    totals : Totals
        Sums over them, with the counters of all cycles.
    histogram : dict of int to int
        Finite games by their number of tricks.
    history : list of Stretch
        When they were committed.
    set_aside : dict of int to str
        Units that failed, and why.
    finds : dict of Status to list of StoredFind
        The finds and the loops.
    origins : list of tuple
        Kernel, host and version of what did units.
    """

    blocks: list[Block]
    done: UnitSet
    totals: Totals
    histogram: dict[int, int]
    history: list[Stretch]
    set_aside: dict[int, str]
    finds: dict[Status, list[StoredFind]]
    origins: list[Origin]

    @classmethod
    def of(cls, ledger: Contents, entry: Entry) -> Share:
        """Read it."""
        rows = read_rows(ledger, "origins", "WHERE campaign = ? ORDER BY id", entry.id)
        place = {number: index for index, (number, *_) in enumerate(rows)}
        blocks = [
            Block(*row[1:])._replace(checksum=unsigned(row[8]), origin=place.get(row[11]))
            for row in read_rows(ledger, "blocks", "WHERE campaign = ? ORDER BY unit", entry.id)
        ]
        return cls(
            blocks=blocks,
            done=ledger.done(entry),
            totals=ledger.totals(entry, with_cycles=True),
            histogram=ledger.histogram(entry),
            history=ledger.history(entry),
            set_aside=ledger.units_set_aside(entry),
            finds={status: ledger.finds(entry, status) for status in Status},
            origins=[(kernel, host, version) for _, _, kernel, host, version in rows],
        )

    def past(self) -> Past:
        """Return what is remembered of it."""
        return Past(list(self.done.runs()), self.totals, self.histogram, self.history)


class Past(NamedTuple):
    """What a ledger held of a campaign when it was merged: it is taken out before the ledger is merged again.

    Parameters
    ----------
    runs : list of range
        The units done.
    totals, histogram, history
        As those of `Share`.
    """

    runs: list[range]
    totals: Totals
    histogram: dict[int, int]
    history: list[Stretch]

    @property
    def negative(self) -> tuple[Totals, dict[int, int]]:
        """The totals and the histogram to add, to take them out."""
        numbers = {name: -int(getattr(self.totals, name)) for name in SUMS}
        counters = {name: -number for name, number in self.totals.counters.items() if name not in CYCLE_SUMS}
        return Totals(**numbers, counters=counters), {
            tricks: -games for tricks, games in self.histogram.items()
        }


def packed_pasts(pasts: Sequence[tuple[str, Past]]) -> bytes:
    """Pack what is remembered of the campaigns of a ledger, by their identities.

    Examples
    --------
    >>> past = Past([range(0, 9, 2)], Totals(units=5, games=50), {7: 50}, [Stretch(8, 1, 5, 50, 90, 7)])
    >>> unpacked_pasts(packed_pasts([("0123456789abcdef", past)])) == {"0123456789abcdef": past}
    True
    """
    document = [
        {
            "campaign": identity,
            "runs": [[run.start, run.stop, run.step] for run in past.runs],
            "totals": {name: getattr(past.totals, name) for name in SUMS},
            "counters": past.totals.counters,
            "histogram": list(past.histogram.items()),
            "history": past.history,
        }
        for identity, past in pasts
    ]
    return zlib.compress(json.dumps(document, separators=(",", ":")).encode())


def unpacked_pasts(data: bytes) -> dict[str, Past]:
    """Return what `packed_pasts` packed.

    Raises
    ------
    ValueError
        If it is anything else.
    """
    try:
        unpacker = zlib.decompressobj()
        document: Any = json.loads(unpacker.decompress(data, _MOST_BYTES))
        return {
            str(item["campaign"]): Past(
                [range(*map(int, run)) for run in item["runs"]],
                Totals(**{name: int(item["totals"][name]) for name in SUMS}, counters=dict(item["counters"])),
                {int(tricks): int(games) for tricks, games in item["histogram"]},
                [Stretch(*map(int, stretch)) for stretch in item["history"]],
            )
            for item in document
        }
    except (zlib.error, ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"not what a merge remembers ({error})") from None
