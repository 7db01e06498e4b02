"""Backups of a ledger while it is written: complete files, checked before they get their name."""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
import time
from pathlib import Path

from search.errors import DamagedLedgerError, HuntError, LedgerTroubleError
from search.ledger.connecting import are_of_one, birth, birth_of, connect
from search.ledger.faults import SQLITE_ERRORS, cause
from search.ledger.opening import open_to_read
from search.ledger.placing import BACKUP, backup_of, free_name, sync

#: Seconds between two backups: the most work lost if the file is damaged.
BACKUP_SECONDS = 600.0

#: Largest share of the time spent on making and checking backups.
BACKUP_SHARE = 0.01

log = logging.getLogger(__name__)


class Backups:
    """Makes regular backups of a ledger: write a new file, check it, sync it, rename it.

    Parameters
    ----------
    path : Path
        The ledger, just opened for writing.
    seconds : float, optional
        Shortest time between two backups.
    """

    def __init__(self, path: Path, seconds: float = BACKUP_SECONDS) -> None:
        self._path = path
        self._seconds = seconds
        self._next = time.monotonic() + seconds

    def begin(self, connection: sqlite3.Connection) -> None:
        """Back up a ledger just opened if its last backup is old, or if it is old and has none.

        A backup of another ledger that once had this name is set aside first. If the clock has been set back,
        the first backup is made once the run has lasted a while.
        """
        self._set_aside_foreign(connection)
        try:
            made = backup_of(self._path).stat().st_mtime
        except FileNotFoundError:
            made = connection.execute("SELECT min(made) FROM campaigns").fetchone()[0]
        if made is not None and time.time() - made > self._seconds:
            self._next = time.monotonic()
            self.make_if_due(connection)

    def _set_aside_foreign(self, connection: sqlite3.Connection) -> None:
        backup = backup_of(self._path)
        if are_of_one(birth(connection), birth_of(backup)):
            return
        aside = free_name(self._path, "left")
        aside = aside.with_name(aside.name + BACKUP)
        os.replace(backup, aside)
        log.warning(
            "ledger %r: the backup beside it is of another hunt; it is set aside as %r",
            str(self._path),
            str(aside),
        )

    def is_due(self) -> bool:
        """Return whether the next backup is due."""
        return time.monotonic() >= self._next

    def make_if_due(self, connection: sqlite3.Connection) -> None:
        """Make a backup if one is due.

        Raises
        ------
        DamagedLedgerError
            If the copy is not sound, as then neither is the ledger; the last backup is kept.
        """
        if self.is_due():
            started = time.monotonic()
            try:
                self.make(connection)
            except HuntError as error:
                log.warning("%s", error)
            now = time.monotonic()
            self._next = now + max(self._seconds, (now - started) / BACKUP_SHARE)

    def make(self, connection: sqlite3.Connection, name: Path | None = None) -> None:
        """Make a backup now.

        Parameters
        ----------
        connection : sqlite3.Connection
            The open ledger.
        name : Path, optional
            Where (default: the usual name).

        Raises
        ------
        HuntError
            If it cannot be written; the last backup is kept.
        DamagedLedgerError
            If the copy is not sound.
        """
        fresh = self._path.with_name(self._path.name + ".backup-new")
        try:
            copy_checked(connection, fresh, like=self._path)
            os.replace(fresh, name or backup_of(self._path))
            sync(self._path.parent)
        except DamagedLedgerError as error:
            raise DamagedLedgerError(
                f"ledger {str(self._path)!r}: damaged while the hunt was on ({error}); the same command goes "
                "back to the last backup"
            ) from None
        except (OSError, LedgerTroubleError, *SQLITE_ERRORS) as error:
            text = cause(fresh, error) if isinstance(error, sqlite3.Error) else str(error)
            raise HuntError(f"ledger {str(self._path)!r}: no backup could be made: {text}") from None
        finally:
            remove(fresh)


def copy_checked(connection: sqlite3.Connection, fresh: Path, *, like: Path) -> None:
    """Write the content of an open ledger to a new file without a log, check it and sync it.

    Parameters
    ----------
    connection : sqlite3.Connection
        The open ledger.
    fresh : Path
        The new file; an existing one is removed.
    like : Path
        The file whose permissions it gets, if there is one.
    """
    remove(fresh)
    copy = connect(fresh, "rwc")
    try:
        if like.exists():
            shutil.copymode(like, fresh)
        connection.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
    finally:
        copy.close()
    sync(fresh)
    open_to_read(fresh, thorough=True).close()


def remove(path: Path) -> None:
    """Remove a file of ours and the files that SQLite put beside it."""
    for ending in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
