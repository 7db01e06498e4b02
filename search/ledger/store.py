"""An open ledger's file: read rows, write rows with their checksums, all or nothing."""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from search.errors import HuntError
from search.ledger.backups import BACKUP_SECONDS, Backups
from search.ledger.faults import SQLITE_ERRORS, sqlite_fault, write_fault
from search.ledger.placing import free_name, located
from search.ledger.recovery import open_or_recover
from search.ledger.schema import COLUMNS, row_checksum


class Store:
    """The file of a ledger; `search.ledger.Ledger` interprets the rows.

    Parameters
    ----------
    path : path
        The file.
    mode : {"read", "write", "create"}
        Read it only, continue it, or create it if it does not exist.
    backup_seconds : float, optional
        Shortest time between two backups while it is being written.
    thorough : bool, optional
        Whether to check all of it now, as is done after a crash, or only what does not grow with the units
        done.
    """

    def __init__(
        self,
        path: str | Path,
        mode: str = "read",
        *,
        backup_seconds: float = BACKUP_SECONDS,
        thorough: bool = False,
    ) -> None:
        self.path = Path(path)
        self._place = located(self.path)
        self._file = open_or_recover(self._place, mode, thorough=thorough)
        self._database = self._file.connection
        self._backups = Backups(self._place, backup_seconds)
        if mode != "read":
            try:
                self._backups.begin(self._database)
            except SQLITE_ERRORS as error:
                known = sqlite_fault(self._place, error)
                self.close()
                raise known from None
            except BaseException:
                self.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self._check_place()
        finally:
            self.close()

    def close(self) -> None:
        """Close the file; committed work is kept."""
        self._file.close()

    def back_up_if_due(self) -> None:
        """Make a backup if one is due.

        Raises
        ------
        HuntError
            If the file no longer has its name.
        DamagedLedgerError
            If it is no longer sound.
        """
        if self._backups.is_due():
            self._check_place()
            self._backups.make_if_due(self._database)

    def _check_place(self) -> None:
        """See that the file being written still has its name; a removed one is written again."""
        if self._file.lock is None or self._file.lock.is_at_name():
            return
        what = f"ledger {str(self.path)!r}: was moved, removed or replaced while it was written"
        rescued = free_name(self._place, "rescued")
        try:
            self._backups.make(self._database, rescued)
            # A moved file has lost its log, so its whole content is written to one file.
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except (HuntError, *SQLITE_ERRORS) as error:
            raise HuntError(f"{what}, and what it held cannot be written anew: {error}") from None
        raise HuntError(
            f"{what}; all that it held is in {str(rescued)!r}: `camicia restore "
            f"{shlex.quote(str(self.path))} --from {shlex.quote(str(rescued))}` puts that in its place"
        )

    def insert(self, table: str, values: Sequence[Any], verb: str = "INSERT") -> None:
        """Insert a row with its checksum."""
        self.insert_all(table, [values], verb)

    def insert_all(self, table: str, rows: Iterable[Sequence[Any]], verb: str = "INSERT") -> None:
        """Insert rows with their checksums."""
        marks = ", ".join("?" * (len(COLUMNS[table]) + 1))
        self._database.executemany(
            f"{verb} INTO {table} ({', '.join(COLUMNS[table])}, check_sum) VALUES ({marks})",
            ((*values, row_checksum(values)) for values in rows),
        )

    def rows(self, query: str, *values: Any) -> list[Any]:
        """The rows of a query."""
        try:
            return self._database.execute(query, values).fetchall()
        except SQLITE_ERRORS as error:
            raise sqlite_fault(self._place, error) from None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run a transaction, all or nothing; if the file cannot be written (disk full), raise a HuntError.

        Within another transaction it is part of that.
        """
        if self._database.in_transaction:
            yield
            return
        try:
            self._database.execute("BEGIN IMMEDIATE")
            yield
            self._database.execute("COMMIT")
        except SQLITE_ERRORS as error:
            self._roll_back()
            raise write_fault(self._place, error) from None
        except BaseException:
            self._roll_back()
            raise

    def _roll_back(self) -> None:
        try:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
        except sqlite3.Error:
            # If this cannot be rolled back now, the next opening does so.
            pass
