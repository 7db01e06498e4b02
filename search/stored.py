"""Finds and words of 64 bits as the rows of a ledger hold them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from camicia.cards import Deal
from camicia.results import Result, Status
from search.finds import Find
from search.schema import COLUMNS, RESULT_FIELDS

#: Numbers of 64 bits are kept as SQLite's signed integers.
_WORD = 1 << 64
_SIGNED = 1 << 63


def signed(word: int) -> int:
    """A number modulo 2**64 as SQLite keeps it.

    Examples
    --------
    >>> signed(2**64 - 1), unsigned(-1) == 2**64 - 1
    (-1, True)
    """
    return (word + _SIGNED) % _WORD - _SIGNED


def unsigned(number: int) -> int:
    """The number modulo 2**64 that SQLite keeps so."""
    return number % _WORD


class StoredFind(NamedTuple):
    """A find as the ledger holds it, replayed and confirmed."""

    deal: str
    rank: int
    result: Result
    tree: int
    unit: int
    committed: int

    @classmethod
    def of_row(cls, row: Sequence[Any]) -> Self:
        """Read a row of the table of finds."""
        values = dict(zip(COLUMNS["finds"], row, strict=True))
        result = {name: values[name] for name in RESULT_FIELDS} | {"status": Status(values["status"])}
        return cls(
            values["deal"],
            int(values["rank"]),
            Result(**result, kernel="reference"),
            unsigned(values["tree"]),
            values["unit"],
            values["committed"],
        )

    def row(self, campaign: int) -> list[Any]:
        """The row of the table of finds, but for its checksum."""
        result = [getattr(self.result, name) for name in RESULT_FIELDS]
        result[0] = str(result[0])
        return [campaign, self.deal, str(self.rank), *result, signed(self.tree), self.unit, self.committed]

    @property
    def find(self) -> Find:
        """The find alone."""
        deal = Deal.parse(self.deal)
        return Find(deal.hand_a + deal.hand_b, self.result.cards, self.result.tricks, self.tree)
