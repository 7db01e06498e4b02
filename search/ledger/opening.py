"""Open a ledger's file: check that it is a ledger, is sound, and may be written."""

from __future__ import annotations

import os
import shlex
import sqlite3
import stat
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from search.errors import DamagedLedgerError
from search.ledger.connecting import OpenFile, are_of_one, birth, checked, connected, entered
from search.ledger.faults import READ_ONLY, damage, fault, no_access, strange_neighbour, trouble
from search.ledger.locks import WriterLock, descriptor_of, has_writer, see_that_there_are_locks
from search.ledger.placing import backup_of, check_place, install, located, log, set_aside_left_over
from search.ledger.schema import APPLICATION_ID, SCHEMA, SCHEMA_VERSION

#: How many times a file that changes while being copied is copied again.
_COPIES = 5

#: The name of a copy.
_COPY = "copy.db"

#: Bytes per read.
_CHUNK = 1 << 20


def check_new(path: Path) -> None:
    """Check that a new ledger may be created under a name.

    Raises
    ------
    LedgerError
        If its folder does not exist, its name is too long, or a backup of a lost ledger lies there.
    """
    path = located(path)
    check_place(path)
    backup = backup_of(path)
    if os.path.lexists(backup):
        raise fault(
            path,
            f"is not there but its backup {str(backup)!r} is; `camicia restore` goes back to it; or move the "
            "backup away to start over",
        )


def make(path: Path) -> None:
    """Create an empty ledger; it appears under its name once it is complete.

    Raises
    ------
    LedgerError
        As `check_new`, and if a file of that name exists or none can be created.
    """
    check_new(path)
    memory = sqlite3.connect(":memory:")
    memory.executescript(
        f"{SCHEMA}PRAGMA application_id = {APPLICATION_ID};PRAGMA user_version = {SCHEMA_VERSION};"
    )
    content = memory.serialize()
    memory.close()
    fresh = path.with_name(f"{path.name}.new-{os.urandom(4).hex()}")
    try:
        fresh.write_bytes(content)
        install(fresh, path)
    except OSError as error:
        raise trouble(path, f"it cannot be made: {error.strerror}") from None
    finally:
        fresh.unlink(missing_ok=True)


def check_kind(path: Path) -> os.stat_result:
    """See that a name is that of a file that can be read, not of a folder, a pipe or a device.

    A pipe would be waited for, and a device must never be set aside as if it were an old ledger.

    Returns
    -------
    os.stat_result
        What the system says about the file.

    Raises
    ------
    LedgerError
        If it is not.
    """
    try:
        status = os.stat(path)
    except OSError as error:
        raise no_access(path, error) from None
    if stat.S_ISDIR(status.st_mode):
        raise no_access(path, IsADirectoryError())
    if not stat.S_ISREG(status.st_mode):
        raise fault(path, "not a regular file, expected one that `camicia search` made")
    if not os.access(path, os.R_OK):
        raise fault(path, "cannot be read: Permission denied")
    return status


def check_file(path: Path, *, write: bool) -> None:
    """Check, without opening it, that a file may be a ledger and may be used as one.

    Raises
    ------
    LedgerError
        If it may not.
    """
    status = check_kind(path)
    if status.st_nlink > 1:
        raise fault(
            path,
            f"this file has {status.st_nlink} names (hard links), expected one: SQLite keeps a log for each "
            "name, so that work would be lost; keep the name that the hunt used: `find . -samefile "
            f"{shlex.quote(path.name)}` lists them",
        )
    if not status.st_size:
        if backup_of(path).exists():
            raise damage(path, "it is empty")
        raise fault(
            path,
            "not a ledger but an empty file, expected one that `camicia search` made; remove it to begin a "
            "new hunt",
        )
    # Root may write any file, but a file marked as read-only should stay as it is.
    if write and not (status.st_mode & 0o222 and os.access(path, os.W_OK)):
        raise fault(path, READ_ONLY)
    if strange := strange_neighbour(path):
        raise trouble(path, strange)


def open_to_write(path: Path, lock: WriterLock, *, thorough: bool = False) -> OpenFile:
    """Open a ledger for writing, and check it: all of it if its last writer was killed.

    Parameters
    ----------
    path : Path
        The file.
    lock : WriterLock
        Its lock; it is released when the file is closed, but not if the file cannot be opened.
    thorough : bool, optional
        Whether to check all of it in any case.

    Raises
    ------
    LedgerError
        If it is not a ledger, is damaged, has a newer version, or cannot be used now.
    """

    def open_it() -> OpenFile:
        see_that_there_are_locks(path)
        # A writer that ends as it should leaves no log.
        if was_killed := _has_log(path):
            _check_log(path)
        opened = OpenFile(connected(path, "rw"), lock, entered(path))
        return checked(path, opened, thorough=thorough or was_killed)

    return _confirmed(path, open_it)


def open_to_read(path: Path, *, thorough: bool = False) -> OpenFile:
    """Open a ledger for reading in its present state, and check it: all of it if asked to.

    Nothing is changed. If its writer was killed and left a log, a copy is read and checked in full, as SQLite
    would write.

    Raises
    ------
    LedgerError
        As `open_to_write`.
    """

    def open_it() -> OpenFile:
        for _ in range(_COPIES):
            is_written = has_writer(path)
            if is_written or not _has_log(path):
                option = _reading_option(path, is_written)
                if not option.endswith("immutable=1"):
                    see_that_there_are_locks(path)
                connection = connected(path, option, query_only=True)
                return checked(path, OpenFile(connection, None, entered(path)), thorough=thorough)
            if copy := _opened_copy(path):
                return copy.opened
        raise fault(path, "changes while it is copied; try again when nobody writes it")

    check_kind(path)
    return _confirmed(path, open_it)


def _confirmed(path: Path, open_it: Callable[[], OpenFile]) -> OpenFile:
    """Open a file; report damage only if it is also found in a complete copy.

    SQLite reports a corrupt page and an unreadable one in the same way.
    """
    try:
        try:
            return open_it()
        except DamagedLedgerError:
            if copy := _opened_copy(path):
                copy.opened.close()
            return open_it()
    except OSError as error:
        raise no_access(path, error) from None


def _reading_option(path: Path, is_written: bool) -> str:
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        return "rw"
    # A file that no one can write is not shared.
    return "ro" if is_written else "ro&immutable=1"


def _logs(path: Path) -> list[Path]:
    """Return the files that SQLite would take for the log of a file, unless empty."""
    logs = (path.with_name(path.name + ending) for ending in ("-wal", "-journal"))
    return [log for log in logs if log.exists() and log.stat().st_size]


def _has_log(path: Path) -> bool:
    return bool(_logs(path))


def _check_log(path: Path) -> None:
    """Check on a copy whether a leftover log belongs to the file; one that does not is set aside.

    SQLite cannot tell: it would write pages of another file into this one, for example after an older copy
    was put in place by hand.
    """
    copy = _opened_copy(path)
    if copy:
        copy.opened.close()
        if not copy.has_log:
            set_aside_left_over(path, backup=False)


class _Copy(NamedTuple):
    opened: OpenFile
    has_log: bool


def _opened_copy(path: Path) -> _Copy | None:
    """Open a copy of a file and its log, or of the file alone if that is right; None if they changed."""
    logs = _logs(path)
    try:
        whole = _copied(path, logs)
    except DamagedLedgerError:
        if not logs:
            raise
    else:
        if not whole or not logs:
            return _Copy(whole, True) if whole else None
        try:
            alone = _copied(path, [])
        except DamagedLedgerError:
            # The hunt may have been killed while merging the log into the file.
            return _Copy(whole, True)
        if alone and _goes_on_from(alone, whole):
            alone.close()
            return _Copy(whole, True)
        whole.close()
        if alone:
            alone.close()
    names = ", ".join(repr(str(file)) for file in logs)
    if not (alone := _copied(path, [])):
        return None
    log.warning("ledger %r: left out %s, which is no log of this file", str(path), names)
    return _Copy(alone, False)


def _goes_on_from(alone: OpenFile, whole: OpenFile) -> bool:
    """Return whether a file with its log may be a later state of the file alone."""
    births = [birth(file.connection) for file in (alone, whole)]
    units = [units_in(file.connection) for file in (alone, whole)]
    return are_of_one(*births) and units[0] <= units[1]


def units_in(connection: sqlite3.Connection) -> int:
    """Return how many units a ledger holds."""
    return int(connection.execute("SELECT coalesce(sum(units), 0) FROM blocks").fetchone()[0])


def _copied(path: Path, logs: Sequence[Path]) -> OpenFile | None:
    """Copy a file and its logs to a temporary folder, open and check the copy; None if they changed."""
    try:
        folder = tempfile.TemporaryDirectory(prefix="camicia-")
        before = _state(path)
        for original in (path, *logs):
            copy = Path(folder.name, _COPY + original.name.removeprefix(path.name))
            with descriptor_of(original) as descriptor, copy.open("wb") as target:
                for chunk in _chunks(path, descriptor):
                    target.write(chunk)
        if _state(path) != before:
            folder.cleanup()
            return None
    except OSError as error:
        raise trouble(
            path,
            "no copy of it can be made in a temporary folder, to be checked there: "
            f"{error.strerror or error}; TMPDIR names a folder that has room",
        ) from None
    return checked(path, OpenFile(connected(Path(folder.name, _COPY), "rw"), folder=folder))


def _chunks(path: Path, descriptor: int) -> Iterator[bytes]:
    """Yield the content of a file, read as SQLite reads it, so that the same errors occur."""
    place = 0
    try:
        while chunk := os.pread(descriptor, _CHUNK, place):
            yield chunk
            place += len(chunk)
    except OSError as error:
        raise trouble(
            path, f"the disk could not be read ({error.strerror}): see what the system's log says of it"
        ) from None


def _state(path: Path) -> list[tuple[str, int, int, int]]:
    """Return what shows a change of a file or its log."""
    files = [(file, file.stat()) for file in (path, *_logs(path))]
    return [(file.name, status.st_ino, status.st_size, status.st_mtime_ns) for file, status in files]
