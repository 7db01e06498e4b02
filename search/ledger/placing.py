"""Putting a ledger's file under a name: never over another, and with nothing of another left beside it."""

from __future__ import annotations

import logging
import os
import stat
from pathlib import Path

from search.ledger.faults import LOG_ENDINGS, fault
from search.ledger.locks import WriterLock

log = logging.getLogger(__name__)

#: The longest of the endings that are added to a ledger's name.
_LONGEST_ENDING = ".damaged-1000-journal"

BACKUP = ".backup"


def backup_of(path: Path) -> Path:
    """Where the backup of a ledger lies."""
    return path.with_name(path.name + BACKUP)


def located(path: Path) -> Path:
    """The file that a name leads to: its log and its backup lie beside the file, not beside a link to it."""
    return Path(os.path.realpath(path)) if os.path.islink(path) else path


def check_place(path: Path) -> None:
    """See that a new ledger may be made under a name.

    Raises
    ------
    LedgerError
        If its folder is not there, or the names of the files beside it would be too long.
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

    A log, a rollback journal or a backup that another ledger of that name has left behind is set aside first:
    SQLite would take the log for the new file's, and destroy it.

    Parameters
    ----------
    fresh : Path
        The finished file, closed, in the same folder.
    path : Path
        Its name; where that is a symbolic link, the file that it leads to is made.

    Returns
    -------
    list of Path
        What was set aside, under its new names; it is logged too.

    Raises
    ------
    LedgerError
        If there is a file of that name, or none can be made.
    """
    path = located(path)
    check_place(path)
    try:
        # An empty file of ours holds the name, so that two who come at once do not replace each other's.
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
    """Rename what a ledger that is gone has left beside its name.

    Parameters
    ----------
    path : Path
        The name.
    backup : bool, optional
        Whether a backup is to go too.

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
    """Whether a neighbour is there and worth keeping; what holds nothing is removed."""
    beside = path.with_name(path.name + ending)
    try:
        status = beside.lstat()
    except FileNotFoundError:
        return False
    # The index of a log is made again from the log.
    if stat.S_ISREG(status.st_mode) and (ending == "-shm" or not status.st_size):
        beside.unlink()
        return False
    return True


def free_name(path: Path, word: str) -> Path:
    """The first of `….WORD-1`, `….WORD-2`, … at which nothing lies, with any of the endings either."""
    number = 1
    while True:
        name = path.with_name(f"{path.name}.{word}-{number}")
        if not any(os.path.lexists(f"{name}{ending}") for ending in ("", *LOG_ENDINGS, BACKUP)):
            return name
        number += 1


def sync(path: Path) -> None:
    """Have a file, or the names in a folder, on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
