"""Connect to a ledger's file: open it, check it, set it up for writing, upgrade older versions."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from pathlib import Path
from typing import NamedTuple

from search.ledger.columns import RowError
from search.ledger.faults import SQLITE_ERRORS, damage, fault, sqlite_fault, trouble
from search.ledger.locks import Identity, WriterLock, enter, identity, leave
from search.ledger.migrating import check_older, keep_older, migrate
from search.ledger.placing import backup_of
from search.ledger.schema import APPLICATION_ID, COLUMNS, SCHEMA_VERSION, row_checksum
from search.ledger.soundness import Unsound, check_soundness

#: Seconds to wait for another process that is writing or checkpointing.
_PATIENCE = 10.0

#: Pages of 4096 bytes that the write-ahead log may reach before it is merged into the file, which keeps
#: both small; a commit is about ten pages.
_LOG_PAGES = 64


class OpenFile(NamedTuple):
    """An open file of a ledger.

    Parameters
    ----------
    connection : sqlite3.Connection
        The connection.
    lock : WriterLock or None
        The writer's lock; None for a reader.
    file : Identity or None
        The identity of the file; None for a copy.
    folder : tempfile.TemporaryDirectory or None
        The folder of the copy that is open in its place; None if the file itself is open.
    """

    connection: sqlite3.Connection
    lock: WriterLock | None = None
    file: Identity | None = None
    folder: tempfile.TemporaryDirectory[str] | None = None

    def close(self) -> None:
        """Close the file, then release the lock."""
        self.close_file()
        if self.lock:
            self.lock.release()

    def close_file(self) -> None:
        """Close the file, but keep the lock."""
        self.connection.close()
        if self.file:
            leave(self.file)
        if self.folder:
            self.folder.cleanup()


def connect(path: Path, option: str) -> sqlite3.Connection:
    """Connect to a file by SQLite's option for its mode, whatever characters are in its name."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={option}", uri=True, timeout=_PATIENCE, isolation_level=None
    )
    # Damaged text may not be valid text at all; it must be reported all the same.
    connection.text_factory = lambda text: text.decode(errors="backslashreplace")
    return connection


def connected(path: Path, option: str, *, query_only: bool = False) -> sqlite3.Connection:
    """As `connect`, but failures become errors of ours."""
    try:
        connection = connect(path, option)
    except sqlite3.Error as error:
        raise sqlite_fault(path, error) from None
    if query_only:
        connection.execute("PRAGMA query_only = ON")
    return connection


def entered(path: Path) -> Identity:
    """Record that SQLite opens a file in this process; returns its identity, for `OpenFile`."""
    file = identity(path)
    enter(file)
    return file


def checked(path: Path, opened: OpenFile, *, thorough: bool = True) -> OpenFile:
    """Check an open file, and upgrade one of an older version.

    Parameters
    ----------
    path : Path
        The file, for messages.
    opened : OpenFile
        The open file; it is closed if it is not sound.
    thorough : bool, optional
        Whether to check all of it, or only what does not grow with the units done.
    """
    try:
        version = _check_kind(path, opened.connection)
        if version < SCHEMA_VERSION:
            opened = _upgraded(path, opened, version)
        elif opened.lock:
            check_soundness(opened.connection, thorough=thorough)
        else:
            opened.connection.execute("BEGIN")
            check_soundness(opened.connection, thorough=thorough)
        opened.connection.execute("PRAGMA foreign_keys = ON")
        if opened.lock:
            _begin_writing(opened.connection)
    except Unsound as error:
        opened.close_file()
        raise damage(path, str(error)) from None
    except RowError as error:
        # A wrong row with the right checksum was written so: the file is not damaged, no backup will help.
        opened.close_file()
        raise fault(path, f"damaged: {error}") from None
    except OSError as error:
        opened.close_file()
        raise trouble(path, f"a copy of its older version cannot be kept: {error.strerror}") from None
    except SQLITE_ERRORS as error:
        # Find the cause while the file is open: a lack of descriptors ends once it is closed.
        known = sqlite_fault(path, error)
        opened.close_file()
        if _code(error) == sqlite3.SQLITE_NOTADB and not backup_of(path).exists():
            raise fault(path, "not a ledger, expected a file that `camicia search` made") from None
        raise known from None
    except BaseException:
        opened.close_file()
        raise
    return opened


def _code(error: Exception) -> int:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF


def _check_kind(path: Path, connection: sqlite3.Connection) -> int:
    """Check that it is a ledger of a known version; returns the version."""
    (kind,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if kind != APPLICATION_ID:
        if backup_of(path).exists():
            raise Unsound("it is not marked as a ledger")
        raise fault(path, "not a ledger but another SQLite file, expected one that `camicia search` made")
    if version > SCHEMA_VERSION:
        raise fault(
            path,
            f"of schema {version}, of a newer version, expected at most {SCHEMA_VERSION}; update Camicia",
        )
    return int(version)


def _begin_writing(connection: sqlite3.Connection) -> None:
    """Configure how the file is written."""
    connection.execute("PRAGMA journal_mode = WAL")
    # Every commit is on disk before the next unit is counted; there is about one commit per second.
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")


def _in_memory(opened: OpenFile) -> OpenFile:
    """Copy an older ledger to memory, to be upgraded there: reading must not change the file."""
    memory = sqlite3.connect(":memory:", isolation_level=None)
    memory.text_factory = opened.connection.text_factory
    opened.connection.backup(memory)
    opened.close_file()
    return OpenFile(memory)


def _upgraded(path: Path, opened: OpenFile, version: int) -> OpenFile:
    """Check a ledger of an older version and upgrade it; for a reader, in memory."""
    check_older(opened.connection, version)
    if opened.lock:
        keep_older(path, opened.connection, version)
    else:
        opened = _in_memory(opened)
    migrate(opened.connection, version)
    check_soundness(opened.connection, thorough=True)
    opened.connection.execute("COMMIT")
    return opened


#: The row of a ledger's first campaign: what was hunted, by a seed that is random by default, and since
#: when. It is never changed, and every backup has it.
Birth = tuple[object, ...]


def birth(connection: sqlite3.Connection) -> Birth | None:
    """Return what identifies a ledger and its backups; None if it has no campaign, or none can be read."""
    columns = ", ".join(COLUMNS["campaigns"])
    try:
        row = connection.execute(f"SELECT {columns}, check_sum FROM campaigns WHERE id = 1").fetchone()
    except SQLITE_ERRORS:
        return None
    return tuple(row[:-1]) if row and row_checksum(row[:-1]) == row[-1] else None


def birth_of(path: Path) -> Birth | None:
    """The birth of a file that may be damaged; None if it cannot be read or is no file."""
    if not os.path.isfile(path):
        # SQLite would wait for a pipe.
        return None
    try:
        connection = connect(path, "ro&immutable=1")
        try:
            return birth(connection)
        finally:
            connection.close()
    except SQLITE_ERRORS:
        return None


def are_of_one(one: Birth | None, other: Birth | None) -> bool:
    """Return whether two files may be of one ledger, as far as is known."""
    return one is None or other is None or one == other
