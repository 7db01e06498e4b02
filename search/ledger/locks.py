"""The lock of a ledger's single writer: on the file itself, whatever name it was opened by.

It locks one byte of the file with a lock that belongs to the open file (`F_OFD_SETLK`): it holds for every
name of the file and against other threads, and ends with its process. SQLite needs byte locks too, so this
lock is available wherever a ledger can be written at all. `flock` is not available everywhere, and on a
network file system it would shut SQLite out of its own file. Where the system has no such locks, the note
beside the ledger that names its writer decides.
"""

from __future__ import annotations

import errno
import os
import platform
import re
import struct
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from search.ledger.faults import fault, no_access, no_locks, trouble

with suppress(ModuleNotFoundError):
    # Windows has no fcntl: deals can be played and viewed there, but no ledger can be opened.
    import fcntl

#: SQLite locks 512 bytes from 2**30 on; this is the next one.
_BYTE = (1 << 30) + 512

#: Systems whose `struct flock` has another order of fields.
_IS_MAC = platform.system() == "Darwin"

#: The system's error codes if another holds the lock; any other error means that it has no such locks.
_HELD = (errno.EACCES, errno.EAGAIN)

#: Identifies a file, whatever its name.
Identity = tuple[int, int]

_guard = threading.Lock()
_users: Counter[Identity] = Counter()
_to_close: dict[Identity, list[int]] = {}


def identity(path: Path) -> Identity:
    """Return the identity of the file with this name."""
    status = os.stat(path)
    return status.st_dev, status.st_ino


def enter(file: Identity) -> None:
    """Record that SQLite has a file open in this process, until `leave`."""
    with _guard:
        _users[file] += 1


def leave(file: Identity) -> None:
    """Record that SQLite has closed a file."""
    with _guard:
        _users[file] -= 1
        if not _users[file]:
            del _users[file]
            for descriptor in _to_close.pop(file, []):
                os.close(descriptor)


def close(descriptor: int) -> None:
    """Close a descriptor of a ledger, once SQLite no longer has that file open in this process.

    As soon as a process closes *any* descriptor of a file, the system drops all its locks on that file,
    including SQLite's: another process might then remove the log under a running hunt.
    """
    status = os.fstat(descriptor)
    file = status.st_dev, status.st_ino
    with _guard:
        if file in _users:
            # Where the system has no such lock, there is nothing to release.
            with suppress(OSError, AttributeError):
                _lock(descriptor, fcntl.F_UNLCK)
            _to_close.setdefault(file, []).append(descriptor)
        else:
            os.close(descriptor)


def _see_that_system_will_do(path: Path) -> None:
    if "fcntl" not in globals():
        raise trouble(
            path, "ledgers need Linux or macOS; on Windows use WSL, the Windows Subsystem for Linux"
        )


@contextmanager
def descriptor_of(path: Path) -> Iterator[int]:
    """Open a descriptor for reading a file that may be a ledger."""
    _see_that_system_will_do(path)
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        close(descriptor)


def has_writer(path: Path) -> bool:
    """Whether this or another process holds the lock of a ledger's writer."""
    with descriptor_of(path) as descriptor:
        try:
            answer = fcntl.fcntl(descriptor, fcntl.F_OFD_GETLK, _request(fcntl.F_WRLCK))
        except (OSError, AttributeError):
            return _is_alive(_noted(path))
    return bool(_kind(answer) != fcntl.F_UNLCK)


def see_that_there_are_locks(path: Path) -> None:
    """Check that SQLite can lock a file; where it cannot, it says that another program uses the file.

    Raises
    ------
    LedgerTroubleError
        If it cannot.
    """
    with descriptor_of(path) as descriptor:
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, _BYTE + 1)
            fcntl.lockf(descriptor, fcntl.LOCK_UN, 1, _BYTE + 1)
        except OSError as error:
            if error.errno not in _HELD:
                raise no_locks(path, error) from None


class WriterLock:
    """Makes sure that a ledger has one writer. The note beside it, `….lock`, says who that is.

    Parameters
    ----------
    path : Path
        The ledger; the file must exist.
    new : bool, optional
        Whether to create the file, empty; it must not exist then.

    Raises
    ------
    LedgerError
        If another process holds the lock (the message names it), or the file cannot be opened for writing.
    FileExistsError
        If the file should be created but exists.
    """

    def __init__(self, path: Path, *, new: bool = False) -> None:
        _see_that_system_will_do(path)
        self._path = path
        options = os.O_RDWR | os.O_CLOEXEC | (os.O_CREAT | os.O_EXCL if new else 0)
        while True:
            try:
                self._descriptor = os.open(path, options, 0o666)
            except FileExistsError:
                raise
            except OSError as error:
                raise no_access(path, error) from None
            try:
                self._take()
                if self.is_at_name():
                    break
            except BaseException:
                close(self._descriptor)
                raise
            # Another file has been put in its place since we opened it.
            close(self._descriptor)
        self._write_note()

    def _take(self) -> None:
        try:
            held = not _lock(self._descriptor, fcntl.F_WRLCK)
        except (OSError, AttributeError):
            held = _is_alive(_noted(self._path))
        if held:
            raise fault(
                self._path,
                f"another hunt writes it ({_noted(self._path) or 'just starting'}); wait for it, stop it, or "
                "choose another --ledger",
            )

    def is_at_name(self, path: Path | None = None) -> bool:
        """Return whether the locked file still has its name."""
        try:
            return os.path.samestat(os.fstat(self._descriptor), os.stat(path or self._path))
        except OSError:
            return False

    def renamed(self, path: Path) -> None:
        """Record the new name of the locked file."""
        self._remove_note()
        self._path = path
        self._write_note()

    def release(self) -> None:
        """Release the lock, so that others can write the ledger."""
        self._remove_note()
        close(self._descriptor)

    def _write_note(self) -> None:
        # We are the writer, so a note that lies there is stale. Never write into it: it may be a link.
        note = _note(self._path)
        with suppress(OSError):
            note.unlink(missing_ok=True)
            descriptor = os.open(note, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
            try:
                os.write(descriptor, _myself().encode())
            finally:
                os.close(descriptor)

    def _remove_note(self) -> None:
        if _noted(self._path) == _myself():
            with suppress(OSError):
                _note(self._path).unlink()


def _lock(descriptor: int, kind: int) -> bool:
    """Lock or unlock the byte; returns False if another process holds it."""
    try:
        fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, _request(kind))
    except OSError as error:
        if error.errno not in _HELD:
            raise
        return False
    return True


def _request(kind: int) -> bytes:
    """Build the system's `struct flock`."""
    if _IS_MAC:
        return struct.pack("qqihh", _BYTE, 1, 0, kind, os.SEEK_SET)
    return struct.pack("hhqqi4x", kind, os.SEEK_SET, _BYTE, 1, 0)


def _kind(answer: bytes) -> int:
    return int(struct.unpack("qqihh", answer)[3] if _IS_MAC else struct.unpack("hhqqi4x", answer)[0])


def _note(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def _noted(path: Path) -> str:
    """Return what the note beside a ledger says of its writer; empty if no note can be read."""
    try:
        descriptor = os.open(_note(path), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            return os.read(descriptor, 200).decode(errors="replace").strip()
        finally:
            os.close(descriptor)
    except OSError:
        return ""


def _myself() -> str:
    return f"process {os.getpid()} on {platform.node()}"


def _is_alive(holder: str) -> bool:
    """Return whether the process that a note names is running, as far as can be known here."""
    match = re.fullmatch(r"process (\d{1,9}) on (.*)", holder)
    if not match:
        return False
    if match[2] != platform.node():
        return True
    try:
        os.kill(int(match[1]), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
