"""Check that a ledger's file holds what was written: its structure, each row's checksum, and its sums."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from search.ledger.columns import check_row
from search.ledger.cycles import deals_of, unpacked
from search.ledger.schema import COLUMNS, COUNTER, UNBOUNDED, row_checksum, table_fault, wrong_checksum
from search.strategies import CYCLE_SUMS

#: The message, in a row of SQLite's own check, that a page could not be read.
_PAGE_ERROR = re.compile(r"unable to get the page\. error code=(\d{1,9})")


class Unsound(Exception):
    """The fault in a file's content."""


def check_soundness(connection: sqlite3.Connection, *, thorough: bool) -> None:
    """Check a ledger of the current version.

    Parameters
    ----------
    connection : sqlite3.Connection
        The open file.
    thorough : bool
        Whether to check all of it. If not, the structure and the rows of the bounded tables are checked,
        whose size does not grow with the units done; rows of the others are checked when they are read.

    Raises
    ------
    Unsound
        If the file does not hold what was written.
    RowError
        If a row has the right checksum but holds what no hunt writes.
    sqlite3.Error
        If SQLite could not read the file; that need not be damage.
    """
    tables = [table for table in COLUMNS if thorough or table not in UNBOUNDED]
    check_structure(connection, None if thorough else tables)
    if fault := table_fault(connection):
        raise Unsound(fault)
    _check_columns(connection)
    sums: dict[int, list[int]] = {}
    cycles: dict[int, list[int]] = {}
    for table in tables:
        for row in _sound_rows(connection, table):
            if table == "blocks":
                campaign, _, _, *numbers = row
                before = sums.get(campaign, [0] * 7)
                sums[campaign] = [a + b for a, b in zip(before, numbers[:7], strict=True)]
            elif table == "cycles":
                campaign, data, number = row
                deals = deals_of(unpacked(data))
                before = cycles.get(campaign, [0] * 4)
                cycles[campaign] = [a + b for a, b in zip(before, (1, deals > 0, deals, number), strict=True)]
    for (campaign,) in connection.execute("SELECT id FROM campaigns").fetchall():
        totals = dict(connection.execute("SELECT name, value FROM totals WHERE campaign = ?", (campaign,)))
        _check_sums(connection, campaign, totals, sums.get(campaign, [0] * 7))
        if thorough:
            _check_cycles(totals, cycles.get(campaign, [0] * 4))


def check_rows(connection: sqlite3.Connection, tables: Iterable[str]) -> None:
    """Check the checksums of all rows of some tables, whatever their columns.

    Raises
    ------
    Unsound
        If one is wrong.
    """
    for table in tables:
        for *values, check_sum in connection.execute(f"SELECT * FROM {table}"):
            if row_checksum(values) != check_sum:
                raise Unsound(wrong_checksum(table, values))


def check_structure(connection: sqlite3.Connection, tables: Sequence[str] | None = None) -> None:
    """Check by SQLite's own means that a file, or some of its tables, can be read and refer to what is there.

    Raises
    ------
    Unsound
        If not.
    sqlite3.OperationalError
        If the file could not be read just now.
    """
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    # SQLite takes a name that there is no table of for a number.
    parts = [""] if tables is None else [f"({table})" for table in tables if table in there]
    for check in (f"{kind}{part}" for kind in ("integrity_check", "foreign_key_check") for part in parts):
        for row in connection.execute(f"PRAGMA {check}"):
            if row[0] == "ok":
                continue
            text = " ".join(" ".join(map(str, row)).split())
            unread = _PAGE_ERROR.search(text)
            if unread and int(unread[1]) & 0xFF not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                # The check skips a page that could not be read at the moment; that is no damage.
                error = sqlite3.OperationalError(text)
                error.sqlite_errorcode = int(unread[1])
                error.sqlite_errorname = "SQLITE_IOERR_READ"
                raise error
            raise Unsound(text)


def _check_columns(connection: sqlite3.Connection) -> None:
    """Check that each table is there and has the right columns."""
    for table, columns in COLUMNS.items():
        there = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
        if there != [*columns, "check_sum"]:
            raise Unsound(f"table {table} has columns {there}, not {list(columns)}")


def _sound_rows(connection: sqlite3.Connection, table: str) -> Iterator[list[Any]]:
    """Yield the rows of a table without their checksums, which are checked."""
    for *values, check_sum in connection.execute(
        f"SELECT {', '.join(COLUMNS[table])}, check_sum FROM {table}"
    ):
        if row_checksum(values) != check_sum:
            raise Unsound(wrong_checksum(table, values))
        check_row(table, values)
        yield values


def _check_sums(
    connection: sqlite3.Connection, campaign: int, totals: Mapping[str, str], sums: Sequence[int]
) -> None:
    """Check that totals and histogram are the sums over the units."""
    names = ("units", "games", "loops", "cards", "tricks", "checksum", "milliseconds")
    added = dict(zip(names, sums, strict=True))
    added["checksum"] %= 1 << 64
    for name, number in added.items():
        if totals.get(name, "0") != str(number):
            raise Unsound(f"total of {name} is {totals.get(name)}, but units add up to {number}")
    bins = connection.execute(
        "SELECT tricks, games FROM histogram WHERE campaign = ?", (campaign,)
    ).fetchall()
    games, tricks = sum(count for _, count in bins), sum(length * count for length, count in bins)
    if (games, tricks) != (added["games"] - added["loops"], added["tricks"]):
        raise Unsound("the histogram does not add up to the games of the units")


def _check_cycles(totals: Mapping[str, str], sums: Sequence[int]) -> None:
    """Check that what is counted of cycles is what their table has."""
    for name, number in zip(CYCLE_SUMS, sums, strict=True):
        held = totals.get(f"{COUNTER}{name}", "0")
        if held != str(number):
            raise Unsound(f"the counter {name!r} is {held}, but the table of cycles adds up to {number}")
