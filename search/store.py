"""A ledger's file while it is open: reading rows, writing rows with their checksums, all or nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from search.errors import DamagedLedgerError, HuntError, LedgerError
from search.recovery import BACKUP_SECONDS, Backups, open_or_recover
from search.schema import COLUMNS, row_checksum


class Store:
    """The file of a ledger; `search.ledger.Ledger` knows what the rows mean.

    Parameters
    ----------
    path : path
        The file.
    mode : {"read", "write", "create"}
        Whether it is only looked at, continued, or made if it is not there.
    backup_seconds : float, optional
        Least time between two backups while it is written.
    """

    def __init__(
        self, path: str | Path, mode: str = "read", *, backup_seconds: float = BACKUP_SECONDS
    ) -> None:
        self.path = Path(path)
        self._file = open_or_recover(self.path, mode)
        self._database = self._file.connection
        self._backups = Backups(self.path, backup_seconds)
        if mode != "read":
            try:
                self._backups.make_if_old(self._database)
            except BaseException:
                self.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; what was committed stays."""
        self._file.close()

    def back_up_if_due(self) -> None:
        """Make a backup if the last is long ago."""
        self._backups.make_if_due(self._database)

    def insert(self, table: str, values: Sequence[Any], verb: str = "INSERT") -> None:
        """Insert a row with its checksum."""
        marks = ", ".join("?" * (len(values) + 1))
        self._database.execute(
            f"{verb} INTO {table} ({', '.join(COLUMNS[table])}, check_sum) VALUES ({marks})",
            (*values, row_checksum(values)),
        )

    def rows(self, query: str, *values: Any) -> list[Any]:
        """The rows of a query."""
        try:
            return self._database.execute(query, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise LedgerError(f"ledger {str(self.path)!r}: cannot be read: {error}") from None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing. A file that cannot take it, as when the disk is full, is a HuntError."""
        try:
            self._database.execute("BEGIN IMMEDIATE")
            yield
            self._database.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            if "malformed" in str(error):
                raise DamagedLedgerError(
                    f"ledger {str(self.path)!r}: damaged while it was open ({error}); the same command "
                    "goes back to its last backup"
                ) from None
            raise HuntError(
                f"ledger {str(self.path)!r}: cannot be written: {error}; what was committed stays, "
                "the same command continues once there is room"
            ) from None
        except BaseException:
            self._roll_back()
            raise

    def _roll_back(self) -> None:
        try:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
        except sqlite3.Error:
            # The next opening rolls back what this one cannot.
            pass
