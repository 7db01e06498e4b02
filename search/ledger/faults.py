"""Why a ledger cannot be opened, read or written: damage, or temporary trouble.

Damage is only what SQLite itself calls corrupt or not a database, and what our own checks find in the rows.
Everything else may pass, such as too few file descriptors, a full disk, or one failed read. It must never
make a hunt return to a backup.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
import tempfile
from pathlib import Path

from search.errors import DamagedLedgerError, HuntError, LedgerError, LedgerTroubleError

#: Errors of Python's sqlite3 module: the second occurs when damaged text cannot be put into a message.
SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)

#: Suffixes of the files that SQLite keeps beside the database.
LOG_ENDINGS = ("-wal", "-shm", "-journal")

READ_ONLY = "read-only, expected a file that can be written; copy it, or choose another --ledger"

#: The most files that SQLite has open at once: the ledger, its log, the log's index, and a folder.
_FILES = 4

#: The size of the index of a log.
_INDEX_BYTES = 1 << 15

_NO_LOCKS = "the file system gives no locks (fcntl): keep the ledger on a local disk"

#: What the system says of a name that can lead to no file, now or later.
_WRONG_NAMES = (errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP)

#: By the end of SQLite's name for an input or output error: what happened, and what to do.
_CAUSES = {
    "LOCK": _NO_LOCKS,
    "PROTOCOL": _NO_LOCKS,
    "SHMMAP": "the index of its log cannot be mapped into memory: keep the ledger on a local disk",
    "CANTOPEN": "SQLite cannot open it or the files beside it (….db-wal, ….db-shm): see whether files can be "
    "made in its folder, and who may write them",
    "SHMSIZE": "there is no room for the index of its log: make room on the disk",
    "CORRUPTFS": "the disk could not be read: see what the system's log says of it",
    "READ": "the disk could not be read: see what the system's log says of it",
    "WRITE": "the disk could not be written: see what the system's log says of it",
    "FSYNC": "the disk could not be written: see what the system's log says of it",
    "NOMEM": "there is no memory left: close other programs",
}


def fault(path: Path, text: str) -> LedgerError:
    """Return an error about a ledger."""
    return LedgerError(f"ledger {str(path)!r}: {text}")


def damage(path: Path, text: str) -> DamagedLedgerError:
    """Return the error for a damaged ledger."""
    return DamagedLedgerError(f"ledger {str(path)!r}: damaged ({text}), expected a sound file")


def trouble(path: Path, text: str) -> LedgerTroubleError:
    """Return the error for a ledger that cannot be used at the moment."""
    return LedgerTroubleError(f"ledger {str(path)!r}: cannot be used now: {text}; nothing was changed")


def no_access(path: Path, error: OSError) -> LedgerError:
    """What the system says when it does not give access to a file."""
    if isinstance(error, FileNotFoundError):
        return fault(path, "there is no such file")
    if isinstance(error, IsADirectoryError):
        return fault(path, "cannot be read: Is a directory")
    if isinstance(error, PermissionError):
        return fault(path, READ_ONLY if os.access(path, os.R_OK) else f"cannot be read: {error.strerror}")
    if error.errno in _WRONG_NAMES:
        return fault(path, f"cannot be read: {error.strerror}")
    return trouble(path, f"{error.strerror}")


def no_locks(path: Path, error: OSError) -> LedgerTroubleError:
    """Return the error for a ledger on a system without locks."""
    return trouble(path, f"{_NO_LOCKS} ({error.strerror})")


def is_damage(error: BaseException) -> bool:
    """Return whether SQLite says that the file's content is wrong."""
    if isinstance(error, UnicodeDecodeError):
        return True
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF in (
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
    )


def sqlite_fault(path: Path, error: Exception) -> LedgerError:
    """Translate an error of SQLite into one line of our own."""
    if is_damage(error):
        # SQLite also says this when the disk cannot be read, so find out more before acting on it.
        return damage(path, one_line(error))
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return fault(path, "in use by another program, expected to be the only one that writes it")
    if code == sqlite3.SQLITE_READONLY:
        return fault(path, READ_ONLY)
    return trouble(path, cause(path, error))


def write_fault(path: Path, error: Exception) -> LedgerError | HuntError:
    """Return the error for a transaction that could not be written."""
    if is_damage(error):
        return DamagedLedgerError(
            f"ledger {str(path)!r}: seems damaged ({one_line(error)}); the same command checks it, and goes "
            "back to its last backup if it is"
        )
    return HuntError(
        f"ledger {str(path)!r}: cannot be written: {cause(path, error)}; what was committed stays, the same "
        "command continues from there"
    )


def one_line(error: BaseException) -> str:
    """Return the text of an error in one line."""
    if isinstance(error, UnicodeDecodeError):
        return "its schema holds bytes that are no text"
    return " ".join(str(error).split())


def cause(path: Path, error: Exception) -> str:
    """Return what keeps SQLite from working and what to do about it, as far as that can be found out."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    name = getattr(error, "sqlite_errorname", "")
    if code & 0xFF == sqlite3.SQLITE_FULL:
        return "the disk is full: make room on it"
    if code & 0xFF == sqlite3.SQLITE_NOMEM:
        return _CAUSES["NOMEM"]
    known = next((text for ending, text in _CAUSES.items() if name.endswith(ending)), one_line(error))
    # What can be seen from outside says more than SQLite does.
    if code & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PERM):
        return _seen(path) or known
    return known


def _seen(path: Path) -> str | None:
    return _few_descriptors() or strange_neighbour(path) or _forbidden(path) or _no_room(path)


def _few_descriptors() -> str | None:
    held = []
    try:
        for _ in range(_FILES):
            held.append(os.open(os.devnull, os.O_RDONLY))
    except OSError as error:
        return f"{error.strerror}: allow more files to be open at once (ulimit -n)"
    finally:
        for descriptor in held:
            os.close(descriptor)
    return None


def strange_neighbour(path: Path) -> str | None:
    """Return what lies in the place of SQLite's log, if it is not a file."""
    for ending in LOG_ENDINGS:
        beside = path.with_name(path.name + ending)
        try:
            mode = beside.lstat().st_mode
        except OSError:
            continue
        if not stat.S_ISREG(mode):
            kind = (
                "a symbolic link" if stat.S_ISLNK(mode) else "a folder" if stat.S_ISDIR(mode) else "no file"
            )
            return f"{str(beside)!r} is {kind}, but SQLite keeps a file of that name: move it away"
    return None


def _forbidden(path: Path) -> str | None:
    for ending in LOG_ENDINGS:
        beside = path.with_name(path.name + ending)
        if beside.exists() and not os.access(beside, os.R_OK | os.W_OK):
            return f"{str(beside)!r} may not be read and written: see who owns it, and its permissions"
    return None


def _no_room(path: Path) -> str | None:
    folder = path.parent
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(_INDEX_BYTES))
            file.flush()
    except OSError as error:
        text = f"no file can be made in folder {str(folder)!r}: {error.strerror}"
        try:
            if not os.statvfs(folder).f_favail:
                text += " (no inodes are left)"
        except OSError:
            pass
        return text
    return None
