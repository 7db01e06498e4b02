"""Opening a ledger's file: is it one, is it sound, may it be written, and is nobody else writing it."""

from __future__ import annotations

import fcntl
import os
import platform
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from search.columns import RowError, check_row
from search.errors import DamagedLedgerError, LedgerError
from search.schema import (
    APPLICATION_ID,
    COLUMNS,
    MIGRATIONS,
    SCHEMA,
    SCHEMA_VERSION,
    row_checksum,
    table_fault,
)

#: Every SQLite file begins so.
_MAGIC = b"SQLite format 3\0"

#: Seconds to wait for another process that is just writing or checkpointing.
_PATIENCE = 10.0

#: Pages of 4096 bytes the write-ahead log may grow to before it is folded into the file, so that both
#: stay small beside each other; a commit is some ten pages.
_LOG_PAGES = 64


class OpenFile(NamedTuple):
    """A ledger's file that is open, with the lock of its one writer."""

    connection: sqlite3.Connection
    lock: WriterLock | None

    def close(self) -> None:
        """Close the file, then let go of the lock."""
        self.connection.close()
        if self.lock:
            self.lock.release()


def open_database(path: Path, mode: str) -> OpenFile:
    """Open a ledger's file and check all of it.

    Parameters
    ----------
    path : Path
        The file.
    mode : {"read", "write", "create"}
        Whether it is only looked at, written, or made if it is not there. Readers see one moment.

    Raises
    ------
    LedgerError
        If it is not a ledger, is damaged, of a newer version, read-only, or has another writer.
    """
    if mode == "create" and not path.exists():
        _check_place(path)
    if mode != "create" or path.exists():
        _check_file(path, mode)
    lock = None if mode == "read" else WriterLock(path)
    try:
        connection = _connect(path, mode)
    except BaseException:
        if lock:
            lock.release()
        raise
    opened = OpenFile(connection, lock)
    try:
        is_new = (
            mode == "create" and not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        )
        version = SCHEMA_VERSION if is_new else _check_kind(path, connection)
        if mode == "read":
            connection.execute("BEGIN")
        else:
            _begin_writing(connection, is_new)
        _check_soundness(connection, version)
        if version < SCHEMA_VERSION:
            if mode == "read":
                opened = _copied(opened)
            _migrate(opened.connection, version)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        # The second is what Python makes of a message that quotes damaged text.
        opened.close()
        raise _sqlite_fault(path, error) from None
    except RowError as error:
        # What was written with all checksums right is not damage of the file: no backup is gone back to.
        opened.close()
        raise _fault(path, f"damaged: {error}") from None
    except BaseException:
        opened.close()
        raise
    return opened


def backup_of(path: Path) -> Path:
    """Where the backup of a ledger lies."""
    return path.with_name(path.name + ".backup")


def _check_place(path: Path) -> None:
    """See that a new ledger may be made there."""
    if not path.parent.is_dir():
        raise _fault(path, "its folder does not exist, expected one that does")
    if backup_of(path).exists():
        name = str(backup_of(path))
        raise _fault(
            path,
            f"is not there but its backup {name!r} is; rename that to go on from it, or remove it to begin "
            "anew",
        )


def _fault(path: Path, text: str) -> LedgerError:
    return LedgerError(f"ledger {str(path)!r}: {text}")


def _sqlite_fault(path: Path, error: Exception) -> LedgerError:
    """Say in our words, in one line, what SQLite has to say."""
    text = " ".join(str(error).split())
    if "readonly" in text:
        return _fault(path, _READ_ONLY)
    if "full" in text or "disk I/O" in text:
        return _fault(path, f"cannot be written: {text}; expected room on the disk")
    if "locked" in text:
        return _fault(path, "in use by another program, expected to be the only one that writes it")
    return DamagedLedgerError(f"ledger {str(path)!r}: damaged ({text}), expected a sound file")


_READ_ONLY = "read-only, expected a file that can be written; copy it, or choose another --ledger"


def _check_file(path: Path, mode: str) -> None:
    """See from outside that the file may be a ledger and may be used so."""
    try:
        if path.exists() and not path.is_dir() and not path.is_file():
            raise _fault(path, "not a regular file, expected one that `camicia search` made")
        with path.open("rb") as file:
            beginning = file.read(len(_MAGIC))
        mode_bits = path.stat().st_mode
    except FileNotFoundError:
        raise _fault(path, "there is no such file") from None
    except OSError as error:
        raise _fault(path, f"cannot be read: {error.strerror}") from None
    if beginning != _MAGIC and backup_of(path).exists():
        raise DamagedLedgerError(f"ledger {str(path)!r}: damaged (its beginning is wrong), but has a backup")
    if beginning != _MAGIC and (beginning or mode != "create"):
        raise _fault(path, "not a ledger, expected a file that `camicia search` made")
    # Who may do anything may still have marked a file as not to be written.
    if mode != "read" and not (mode_bits & 0o222 and os.access(path, os.W_OK)):
        raise _fault(path, _READ_ONLY)


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    option = {"read": "rw", "write": "rw", "create": "rwc"}[mode]
    log = path.with_name(path.name + "-wal")
    # A reader that may write does not: but SQLite can then tidy up behind a writer that was killed.
    if mode == "read" and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        # Where nobody can write there is no sharing, unless a log is left.
        option = "ro" if log.exists() else "ro&immutable=1"
    uri = f"{path.absolute().as_uri()}?mode={option}"
    try:
        connection = sqlite3.connect(uri, uri=True, timeout=_PATIENCE, isolation_level=None)
        # What is damaged may be no text at all; it must be told all the same.
        connection.text_factory = lambda text: text.decode(errors="backslashreplace")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA query_only = {'ON' if mode == 'read' else 'OFF'}")
        return connection
    except sqlite3.Error as error:
        raise _fault(path, f"cannot be opened: {error}") from None


def _begin_writing(connection: sqlite3.Connection, is_new: bool) -> None:
    """Set how the file is written, and make the tables of a new one."""
    connection.execute("PRAGMA journal_mode = WAL")
    # Every commit is on the disk before the next unit is counted; there is a commit every second or so.
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
    if is_new:
        connection.executescript(
            f"BEGIN IMMEDIATE;{SCHEMA}PRAGMA application_id = {APPLICATION_ID};"
            f"PRAGMA user_version = {SCHEMA_VERSION};COMMIT;"
        )


def _check_kind(path: Path, connection: sqlite3.Connection) -> int:
    """See that it is a ledger, of a version that is known here, which is returned."""
    (kind,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if kind != APPLICATION_ID:
        raise _fault(path, "not a ledger but another SQLite file, expected one that `camicia search` made")
    if version > SCHEMA_VERSION:
        raise _fault(
            path,
            f"of schema {version}, of a newer version, expected at most {SCHEMA_VERSION}; update Camicia",
        )
    if version < SCHEMA_VERSION and version not in MIGRATIONS:
        raise sqlite3.DatabaseError(f"schema {version} was never one")
    return int(version)


def _copied(opened: OpenFile) -> OpenFile:
    """A ledger of an older version in memory: who only reads it does not change the file."""
    memory = sqlite3.connect(":memory:", isolation_level=None)
    memory.text_factory = opened.connection.text_factory
    opened.connection.execute("COMMIT")
    opened.connection.backup(memory)
    opened.close()
    return OpenFile(memory, None)


def _migrate(connection: sqlite3.Connection, version: int) -> None:
    """Bring the tables to the version of today, in one transaction."""
    steps = "".join(MIGRATIONS[number] for number in range(version, SCHEMA_VERSION))
    connection.executescript(f"BEGIN IMMEDIATE;{steps}PRAGMA user_version = {SCHEMA_VERSION};COMMIT;")


def _check_soundness(connection: sqlite3.Connection, version: int) -> None:
    """Check the file's structure, the checksum of every row, and that sums and units agree."""
    if fault := table_fault(connection):
        raise RowError(fault)
    for check in ("integrity_check", "foreign_key_check"):
        for row in connection.execute(f"PRAGMA {check}"):
            if row[0] != "ok":
                raise sqlite3.DatabaseError(" ".join(map(str, row)))
    sums: dict[int, list[int]] = {}
    there_are = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
    for table in COLUMNS:
        if version < SCHEMA_VERSION and table not in there_are:
            continue
        for row in _sound_rows(connection, table):
            if table == "units":
                campaign, _, *numbers = row
                before = sums.get(campaign, [0] * 7)
                sums[campaign] = [a + b for a, b in zip(before, [1, *numbers[:6]], strict=True)]
    for (campaign,) in connection.execute("SELECT id FROM campaigns").fetchall():
        _check_sums(connection, campaign, sums.get(campaign, [0] * 7))


def _sound_rows(connection: sqlite3.Connection, table: str) -> Iterator[list[Any]]:
    """The rows of a table, but for their checksums, which are checked."""
    for *values, check_sum in connection.execute(
        f"SELECT {', '.join(COLUMNS[table])}, check_sum FROM {table}"
    ):
        if row_checksum(values) != check_sum:
            raise sqlite3.DatabaseError(f"wrong checksum of row {values[0]}, {values[1]} of {table}")
        check_row(table, values)
        yield values


def _check_sums(connection: sqlite3.Connection, campaign: int, sums: Sequence[int]) -> None:
    """See that totals and histogram are what the units add up to."""
    names = ("units", "games", "loops", "cards", "tricks", "checksum", "milliseconds")
    added = dict(zip(names, sums, strict=True))
    added["checksum"] %= 1 << 64
    totals = dict(connection.execute("SELECT name, value FROM totals WHERE campaign = ?", (campaign,)))
    for name, number in added.items():
        if totals.get(name, "0") != str(number):
            raise sqlite3.DatabaseError(
                f"total of {name} is {totals.get(name)}, but units add up to {number}"
            )
    bins = connection.execute(
        "SELECT tricks, games FROM histogram WHERE campaign = ?", (campaign,)
    ).fetchall()
    games, tricks = sum(count for _, count in bins), sum(length * count for length, count in bins)
    if (games, tricks) != (added["games"] - added["loops"], added["tricks"]):
        raise sqlite3.DatabaseError("the histogram does not add up to the games of the units")


class WriterLock:
    """Makes sure that a ledger has one writer: a lock on a file beside it, gone with its process.

    Parameters
    ----------
    path : Path
        The ledger.

    Raises
    ------
    LedgerError
        If another process holds the lock; names it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(path.name + ".lock")
        while True:
            try:
                self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            except OSError as error:
                raise _fault(path, f"cannot be locked: {self._path.name}: {error.strerror}") from None
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                holder = os.read(self._descriptor, 200).decode(errors="replace").strip()
                os.close(self._descriptor)
                raise _fault(
                    path,
                    f"another hunt writes it ({holder or 'just starting'}); wait for it, stop it, or choose "
                    "another --ledger",
                ) from None
            if self._is_current():
                break
            # The holder before us removed the file after we had opened it: others would lock a new one.
            os.close(self._descriptor)
        os.ftruncate(self._descriptor, 0)
        os.write(self._descriptor, f"process {os.getpid()} on {platform.node()}".encode())

    def _is_current(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._descriptor), os.stat(self._path))
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Let others write the ledger."""
        self._path.unlink(missing_ok=True)
        os.close(self._descriptor)
