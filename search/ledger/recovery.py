"""Return to an older file of a ledger: automatically if it is damaged, or on request."""

from __future__ import annotations

import logging
import os
import shlex
import time
from pathlib import Path

from search.errors import DamagedLedgerError, LedgerError, LedgerTroubleError
from search.ledger.backups import copy_checked, remove
from search.ledger.connecting import OpenFile, are_of_one, birth_of, connect
from search.ledger.faults import LOG_ENDINGS, SQLITE_ERRORS, fault, trouble
from search.ledger.locks import WriterLock
from search.ledger.opening import check_file, check_kind, make, open_to_read, open_to_write, units_in
from search.ledger.placing import (
    BACKUP,
    backup_of,
    check_place,
    free_name,
    located,
    set_aside_left_over,
    sync,
)

log = logging.getLogger(__name__)


def open_or_recover(path: Path, mode: str, *, thorough: bool = False) -> OpenFile:
    """Open a ledger and check it; a damaged one opened for writing is recovered first.

    Parameters
    ----------
    path : Path
        The file, not a link to it.
    mode : {"read", "write", "create"}
        Read it only, write it, or create it if it does not exist. Readers see one state, and change nothing.
    thorough : bool, optional
        Whether to check all of it, or only what does not grow with the units done.

    Returns
    -------
    OpenFile
        The open file. A recovery and what it lost are logged.

    Raises
    ------
    LedgerError
        If it is not a ledger, is damaged and has no sound backup, is of a newer version, read-only, has
        another writer, or cannot be used now.
    """
    if mode == "create" and not os.path.exists(path):
        try:
            make(path)
        except LedgerError:
            # Unless another process has created it in the meantime.
            if not os.path.exists(path):
                raise
    if mode == "read":
        try:
            check_file(path, write=False)
            return open_to_read(path, thorough=thorough)
        except DamagedLedgerError as damage:
            has_backup = backup_of(path).exists()
            remedy = "`camicia search` goes back to its backup" if has_backup else _NO_BACKUP
            raise DamagedLedgerError(f"{damage}; {remedy}") from None
    return _open_to_write(path, thorough)


_NO_BACKUP = "it has no backup: go back to a copy (`camicia restore LEDGER --from COPY`), or begin another"


def _open_to_write(path: Path, thorough: bool) -> OpenFile:
    found: DamagedLedgerError | None = None
    try:
        check_file(path, write=True)
    except DamagedLedgerError as damage:
        found = damage
    lock = WriterLock(path)
    try:
        if not found:
            try:
                return open_to_write(path, lock, thorough=thorough)
            except DamagedLedgerError as damage:
                found = damage
        lock = _recover(path, found, lock)
        return open_to_write(path, lock)
    except BaseException:
        lock.release()
        raise


def _recover(path: Path, damage: DamagedLedgerError, lock: WriterLock) -> WriterLock:
    """Set a damaged file aside and put the backup in its place; returns the new file's lock."""
    backup = backup_of(path)
    if not backup.exists():
        raise DamagedLedgerError(f"{damage}; {_NO_BACKUP}")
    fresh = path.with_name(path.name + ".recovering")
    try:
        try:
            units = _copy(backup, fresh, like=path)
        except LedgerTroubleError:
            raise
        except LedgerError as error:
            raise DamagedLedgerError(f"{damage}; nor can its backup be used: {error}") from None
        if not are_of_one(birth_of(path), birth_of(fresh)):
            raise DamagedLedgerError(
                f"{damage}; the backup beside it is of another hunt, so it is left alone: `camicia restore "
                f"{shlex.quote(str(path))} --from FILE` puts a copy in its place"
            )
        made = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(backup.stat().st_mtime))
        aside, lock = _swap(path, fresh, lock, "damaged")
    except OSError as error:
        raise trouble(
            path, f"it is damaged, and its backup cannot be put in its place: {error.strerror}"
        ) from None
    finally:
        remove(fresh)
    log.warning(
        "%s. The file is set aside as %r and the backup of %s is in its place, with %s units%s. What was "
        "done since is lost, and is done again when the hunt resumes.",
        damage,
        aside.name,
        made,
        units,
        _held(aside),
    )
    return lock


def restore(path: Path, source: Path | None = None) -> str:
    """Put a backup, or any copy of a ledger, in the ledger's place.

    Parameters
    ----------
    path : Path
        The ledger; an existing file of that name is set aside with its log.
    source : Path, optional
        The copy (default: the backup beside the ledger). It stays.

    Returns
    -------
    str
        A message that says what was done.

    Raises
    ------
    LedgerError
        If the copy is not a sound ledger, the backup belongs to another hunt, or a hunt is writing the
        ledger.
    """
    path = located(path)
    copy = source or backup_of(path)
    if not os.path.exists(copy):
        raise fault(path, f"there is no {str(copy)!r} to restore it from, expected a copy named by --from")
    if os.path.exists(path):
        check_kind(path)
        if copy.samefile(path):
            raise fault(path, "cannot be restored from itself, expected another file after --from")
    check_place(path)
    fresh = path.with_name(path.name + ".recovering")
    is_new = not path.exists()
    lock = WriterLock(path, new=is_new)
    try:
        try:
            units = _copy(copy, fresh, like=copy if is_new else path)
            if not source and not is_new and not are_of_one(birth_of(path), birth_of(fresh)):
                raise fault(
                    path,
                    "the backup beside it is of another hunt, expected one of this; with --from "
                    f"{shlex.quote(str(copy))} it is restored all the same",
                )
            if is_new:
                set_aside_left_over(path, backup=False)
            aside, lock = _swap(path, fresh, lock, "replaced")
        except BaseException:
            if is_new and lock.is_at_name():
                path.unlink()
            raise
        _set_aside_backup_of_another(path)
    except OSError as error:
        raise trouble(path, f"cannot be restored: {error.strerror}") from None
    finally:
        remove(fresh)
        lock.release()
    if is_new:
        aside.unlink()
        return f"Restored from {str(copy)!r}, {units} units."
    return f"Restored from {str(copy)!r}, {units} units. What was there is set aside as {str(aside)!r}."


def _copy(source: Path, fresh: Path, *, like: Path) -> int:
    """Copy a sound ledger, its log included, to a new file; returns how many units it holds."""
    opened = open_to_read(source)
    try:
        copy_checked(opened.connection, fresh, like=like)
        return units_in(opened.connection)
    finally:
        opened.close()


def _swap(path: Path, fresh: Path, lock: WriterLock, word: str) -> tuple[Path, WriterLock]:
    """Set a file aside with its log, and put another in its place; returns where it is, and the new lock.

    A file and its log are renamed, not copied or linked: that needs no room, and works on any file system
    and on a disk that can no longer be read. A process killed in between leaves a backup, but no ledger.
    """
    new_lock = WriterLock(fresh)
    try:
        aside = free_name(path, word)
        os.replace(path, aside)
        for ending in LOG_ENDINGS:
            if os.path.lexists(log_file := path.with_name(path.name + ending)):
                os.replace(log_file, aside.with_name(aside.name + ending))
        os.replace(fresh, path)
        sync(path.parent)
    except BaseException:
        if not os.path.lexists(path) and aside.exists():
            os.replace(aside, path)
        new_lock.release()
        raise
    lock.release()
    new_lock.renamed(path)
    return aside, new_lock


def _set_aside_backup_of_another(path: Path) -> None:
    backup = backup_of(path)
    if not are_of_one(birth_of(path), birth_of(backup)):
        aside = free_name(path, "left")
        os.replace(backup, aside.with_name(aside.name + BACKUP))


def _held(aside: Path) -> str:
    """Say how many units a damaged file held, as far as it can still be read."""
    try:
        connection = connect(aside, "ro&immutable=1")
        try:
            units = units_in(connection)
        finally:
            connection.close()
    except SQLITE_ERRORS:
        return ""
    return f" of the {units} that can be counted in the damaged one"
