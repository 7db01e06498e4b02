"""Read rows of a ledger: check them, and convert them to finds and 64-bit words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self

from camicia.cards import Deal
from camicia.results import Result, Status
from search.errors import LedgerError
from search.finds import Find
from search.ledger.columns import RESULT_FIELDS, RowError, check_row
from search.ledger.faults import damage
from search.ledger.schema import COLUMNS, UNBOUNDED, row_checksum, wrong_checksum
from search.ledger.store import Store

#: 64-bit numbers are stored as SQLite's signed integers.
_WORD = 1 << 64
_SIGNED = 1 << 63


def signed(word: int) -> int:
    """Return a number modulo 2**64 as SQLite stores it.

    Examples
    --------
    >>> signed(2**64 - 1), unsigned(-1) == 2**64 - 1
    (-1, True)
    """
    return (word + _SIGNED) % _WORD - _SIGNED


def unsigned(number: int) -> int:
    """Return the number modulo 2**64 that SQLite stores this way."""
    return number % _WORD


def read_rows(store: Store, table: str, rest: str = "", *values: Any) -> list[Any]:
    """Return the rows of a table, without the checksum column.

    Those of bounded tables were checked when the ledger was opened; the others are checked now.

    Parameters
    ----------
    store : Store
        The ledger.
    table : str
        Name of the table.
    rest : str, optional
        The rest of the query, such as a condition.
    *values
        Values for the question marks in it.

    Raises
    ------
    LedgerError
        If no version of Camicia writes such a row.
    DamagedLedgerError
        If a row's checksum is wrong.
    """
    columns = ", ".join(COLUMNS[table])
    if table not in UNBOUNDED:
        return store.rows(f"SELECT {columns} FROM {table} {rest}", *values)
    rows = []
    with damage_named(store.path):
        for *row, check_sum in store.rows(f"SELECT {columns}, check_sum FROM {table} {rest}", *values):
            if row_checksum(row) != check_sum:
                raise damage(store.path, wrong_checksum(table, row))
            check_row(table, row)
            rows.append(row)
    return rows


@contextmanager
def damage_named(path: Path) -> Iterator[None]:
    """Add the ledger's name to the error about an impossible row."""
    try:
        yield
    except RowError as error:
        raise LedgerError(f"ledger {str(path)!r}: damaged: {error}") from None


class StoredFind(NamedTuple):
    """A find in the ledger, replayed and confirmed."""

    deal: str
    rank: int
    result: Result
    tree: int
    unit: int
    committed: int

    @classmethod
    def of_row(cls, row: Sequence[Any]) -> Self:
        """Read a row of the table of finds, as `read_rows` returns it."""
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
        """Return the row for the table of finds, without its checksum."""
        result = [getattr(self.result, name) for name in RESULT_FIELDS]
        result[0] = str(result[0])
        return [campaign, self.deal, str(self.rank), *result, signed(self.tree), self.unit, self.committed]

    @property
    def find(self) -> Find:
        """The find, without its place in the ledger."""
        deal = Deal.parse(self.deal)
        return Find(deal.hand_a + deal.hand_b, self.result.cards, self.result.tricks, self.tree)
