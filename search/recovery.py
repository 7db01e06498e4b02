"""Backups of a ledger, and going back to the last one when the file is found damaged."""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
import time
from pathlib import Path

from search.errors import DamagedLedgerError, HuntError, LedgerError
from search.opening import OpenFile, WriterLock, backup_of, open_database

#: Seconds between two backups: what is lost at most when the file is damaged.
BACKUP_SECONDS = 600.0

#: Making and checking a backup takes at most this share of the time.
BACKUP_SHARE = 0.01

log = logging.getLogger(__name__)


def open_or_recover(path: Path, mode: str) -> OpenFile:
    """Open a ledger as `open_database` does; a damaged one that is to be written is recovered first.

    Parameters
    ----------
    path : Path
        The file.
    mode : {"read", "write", "create"}
        As for `open_database`. Who only reads changes nothing, and is told what can be done.

    Returns
    -------
    OpenFile
        The open file. What happened and is lost is logged.

    Raises
    ------
    LedgerError
        As `open_database`, and if a damaged ledger has no sound backup.
    """
    try:
        return open_database(path, mode)
    except DamagedLedgerError as damage:
        if mode == "read":
            has_backup = backup_of(path).exists()
            remedy = "`camicia search` goes back to its backup" if has_backup else "go back to a copy of it"
            raise DamagedLedgerError(f"{damage}; {remedy}") from None
        log.warning("%s", _recover(path, damage))
    return open_database(path, mode)


def _recover(path: Path, damage: DamagedLedgerError) -> str:
    """Set a damaged file aside and put the backup in its place; returns what to tell people."""
    lock = WriterLock(path)
    try:
        backup = backup_of(path)
        if not backup.exists():
            raise DamagedLedgerError(f"{damage}; it has no backup: go back to a copy, or begin another")
        try:
            units = _units(open_database(backup, "read"))
        except LedgerError as error:
            raise DamagedLedgerError(f"{damage}; nor can its backup be used: {error}") from None
        made = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(backup.stat().st_mtime))
        fresh = path.with_name(path.name + ".recovering")
        shutil.copyfile(backup, fresh)
        _sync(fresh)
        aside = _free_name(path)
        # There is a file under the ledger's name at every moment; the log of the old one goes first.
        os.link(path, aside)
        for ending in ("-wal", "-shm"):
            if (log_file := path.with_name(path.name + ending)).exists():
                os.replace(log_file, aside.with_name(aside.name + ending))
        os.replace(fresh, path)
        _sync(path.parent)
    finally:
        lock.release()
    return (
        f"{damage}. The file is set aside as {aside.name!r} and the backup of {made} is in its place, with "
        f"{units} units{_held(aside)}. What was done since is lost, and is done again as the hunt goes on."
    )


def _units(opened: OpenFile) -> int:
    try:
        return int(opened.connection.execute("SELECT count(*) FROM units").fetchone()[0])
    finally:
        opened.close()


def _held(aside: Path) -> str:
    """How many units a damaged file held, as far as it can still be read."""
    try:
        connection = sqlite3.connect(f"{aside.absolute().as_uri()}?mode=ro", uri=True)
        try:
            (units,) = connection.execute("SELECT count(*) FROM units").fetchone()
        finally:
            connection.close()
    except sqlite3.Error:
        return ""
    return f" of the {units} that can be counted in the damaged one"


def _free_name(path: Path) -> Path:
    number = 1
    while (name := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    return name


def _sync(path: Path) -> None:
    """Have a file, or the names in a folder, on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Backups:
    """Makes a backup of a ledger every so often: new file, checked, synced, renamed.

    Parameters
    ----------
    path : Path
        The ledger, just opened for writing.
    seconds : float, optional
        Least time between two backups.
    """

    def __init__(self, path: Path, seconds: float = BACKUP_SECONDS) -> None:
        self._path = path
        self._seconds = seconds
        self._next = time.monotonic() + seconds

    def make_if_old(self, connection: sqlite3.Connection) -> None:
        """Make a backup of a ledger just opened if the last, or the ledger while it has none, is old.

        The time of day may have been set back; then the first backup comes when the run has lasted a while.
        """
        try:
            made = backup_of(self._path).stat().st_mtime
        except FileNotFoundError:
            made = connection.execute("SELECT min(made) FROM campaigns").fetchone()[0]
        if made is not None and time.time() - made > self._seconds:
            self._next = time.monotonic()
            self.make_if_due(connection)

    def make_if_due(self, connection: sqlite3.Connection) -> None:
        """Make a backup if it is time.

        Raises
        ------
        DamagedLedgerError
            If the copy is not sound, since then the ledger is not either; the last backup stays.
        """
        if time.monotonic() >= self._next:
            started = time.monotonic()
            try:
                self.make(connection)
            except HuntError as error:
                log.warning("%s", error)
            now = time.monotonic()
            self._next = now + max(self._seconds, (now - started) / BACKUP_SHARE)

    def make(self, connection: sqlite3.Connection) -> None:
        """Make a backup now.

        Raises
        ------
        HuntError
            If it cannot be written; the last one stays.
        DamagedLedgerError
            If the copy is not sound.
        """
        fresh = self._path.with_name(self._path.name + ".backup-new")
        _remove(fresh)
        try:
            self._copy(connection, fresh)
            try:
                open_database(fresh, "read").close()
            except DamagedLedgerError as error:
                raise DamagedLedgerError(
                    f"ledger {str(self._path)!r}: damaged while the hunt was on ({error}); the same "
                    "command goes back to the last backup"
                ) from None
            # Opening may have left a log beside it, of which nothing is needed.
            os.replace(fresh, backup_of(self._path))
            _sync(self._path.parent)
        except (OSError, sqlite3.Error) as error:
            raise HuntError(f"ledger {str(self._path)!r}: no backup could be made: {error}") from None
        finally:
            _remove(fresh)

    @staticmethod
    def _copy(connection: sqlite3.Connection, fresh: Path) -> None:
        copy = sqlite3.connect(fresh)
        try:
            connection.backup(copy)
            # A backup is a file by itself, without a log.
            copy.execute("PRAGMA journal_mode = DELETE")
        finally:
            copy.close()
        _sync(fresh)


def _remove(path: Path) -> None:
    for ending in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
