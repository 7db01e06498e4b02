"""Give a ledger's file its name: never overwrite another, and leave none of another's files beside it."""

from __future__ import annotations

import logging
import os
import stat
from pathlib import Path

from search.ledger.faults import LOG_ENDINGS, fault
from search.ledger.locks import WriterLock

log = logging.getLogger(__name__)

#: The longest suffix that is added to a ledger's name.
_LONGEST_ENDING = ".damaged-1000-journal"

BACKUP = ".backup"


def backup_of(path: Path) -> Path:
    """Return the path of a ledger's backup."""
    return path.with_name(path.name + BACKUP)


def located(path: Path) -> Path:
    """Resolve links: the log and the backup lie beside the file itself, not beside a link to it."""
    return Path(os.path.realpath(path)) if os.path.islink(path) else path


def check_place(path: Path) -> None:
    """Check that a new ledger may be created under a name.

    Raises
    ------
    LedgerError
        If its folder does not exist, or the names of the files beside it would be too long.
    """
    folder = path.parent
    if not os.path.isdir(folder):
        raise fault(path, "its folder does not exist, expected one that does")
    if os.path.islink(path):
        # All others have been followed.
        raise fault(path, "a symbolic link that leads back to itself, expected the name of a file")
    longest = os.pathconf(folder, "PC_NAME_MAX")
    most = longest - len(_LONGEST_ENDING)
    if len(os.fsencode(path.name)) > most:
        raise fault(path, f"its name is too long, expected at most {most} bytes")


def install(fresh: Path, path: Path) -> list[Path]:
    """Give a finished ledger its name.

    A log, a rollback journal or a backup left behind by another ledger of that name is set aside first:
    SQLite would take the log for the new file's, and destroy the file.

    Parameters
    ----------
    fresh : Path
        The finished file, closed, in the same folder.
    path : Path
        Its name; if that is a symbolic link, its target is created.

    Returns
    -------
    list of Path
        New paths of the files that were set aside; they are logged too.

    Raises
    ------
    LedgerError
        If a file of that name exists, or none can be created.
    """
    path = located(path)
    check_place(path)
    try:
        # Reserve the name with an empty file, so that two processes do not replace each other's.
        claim = WriterLock(path, new=True)
    except FileExistsError:
        raise fault(path, "is there already, expected the name of a new one") from None
    try:
        aside = set_aside_left_over(path)
        sync(fresh)
        os.replace(fresh, path)
        sync(path.parent)
        return aside
    except BaseException:
        if claim.is_at_name():
            path.unlink()
        raise
    finally:
        claim.release()


def set_aside_left_over(path: Path, *, backup: bool = True) -> list[Path]:
    """Rename the files that a ledger now gone left beside its name.

    Parameters
    ----------
    path : Path
        The name.
    backup : bool, optional
        Whether to set aside a backup too.

    Returns
    -------
    list of Path
        The new names; they are logged too.
    """
    there = [ending for ending in (*LOG_ENDINGS, *[BACKUP] * backup) if _lies(path, ending)]
    name = free_name(path, "left")
    aside = []
    for ending in there:
        os.replace(path.with_name(path.name + ending), new := name.with_name(name.name + ending))
        aside.append(new)
    if aside:
        names = ", ".join(repr(str(new)) for new in aside)
        log.warning("ledger %r: what another ledger of that name had left is set aside: %s", str(path), names)
    return aside


def _lies(path: Path, ending: str) -> bool:
    """Return whether a neighbouring file exists and is worth keeping; empty ones are removed."""
    beside = path.with_name(path.name + ending)
    try:
        status = beside.lstat()
    except FileNotFoundError:
        return False
    # The index of a log is rebuilt from the log.
    if stat.S_ISREG(status.st_mode) and (ending == "-shm" or not status.st_size):
        beside.unlink()
        return False
    return True


def free_name(path: Path, word: str) -> Path:
    """Return the first of `….WORD-1`, `….WORD-2`, … that is free, also with each suffix."""
    number = 1
    while True:
        name = path.with_name(f"{path.name}.{word}-{number}")
        if not any(os.path.lexists(f"{name}{ending}") for ending in ("", *LOG_ENDINGS, BACKUP)):
            return name
        number += 1


def sync(path: Path) -> None:
    """Sync a file, or the names in a folder, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
