"""Check that a ledger's file holds what was written: its structure, each row's checksum, and its sums."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from search.ledger.columns import check_row
from search.ledger.schema import COLUMNS, MIGRATIONS, SCHEMA_VERSION, row_checksum, table_fault

#: The message, in a row of SQLite's own check, that a page could not be read.
_PAGE_ERROR = re.compile(r"unable to get the page\. error code=(\d{1,9})")


class Unsound(Exception):
    """The fault in a file's content."""


def check_soundness(connection: sqlite3.Connection, version: int) -> None:
    """Check all of a ledger.

    Parameters
    ----------
    connection : sqlite3.Connection
        The open file.
    version : int
        The version of its tables.

    Raises
    ------
    Unsound
        If the file does not hold what was written.
    RowError
        If a row has the right checksum but holds what no hunt writes.
    sqlite3.Error
        If SQLite could not read the file; that need not be damage.
    """
    if version < SCHEMA_VERSION and version not in MIGRATIONS:
        raise Unsound(f"schema {version} was never one")
    _check_structure(connection)
    if fault := table_fault(connection):
        raise Unsound(fault)
    tables = _tables(connection, version)
    sums: dict[int, list[int]] = {}
    for table in tables:
        for row in _sound_rows(connection, table):
            if table == "units":
                campaign, _, *numbers = row
                before = sums.get(campaign, [0] * 7)
                sums[campaign] = [a + b for a, b in zip(before, [1, *numbers[:6]], strict=True)]
    for (campaign,) in connection.execute("SELECT id FROM campaigns").fetchall():
        _check_sums(connection, campaign, sums.get(campaign, [0] * 7))


def _check_structure(connection: sqlite3.Connection) -> None:
    for check in ("integrity_check", "foreign_key_check"):
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


def _tables(connection: sqlite3.Connection, version: int) -> list[str]:
    """Return the tables, checking that each has the right columns; older versions lack some tables."""
    tables = []
    for table, columns in COLUMNS.items():
        there = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
        if there == [*columns, "check_sum"]:
            tables.append(table)
        elif there or version == SCHEMA_VERSION:
            raise Unsound(f"table {table} has columns {there}, not {list(columns)}")
    return tables


def _sound_rows(connection: sqlite3.Connection, table: str) -> Iterator[list[Any]]:
    """Yield the rows of a table without their checksums, which are checked."""
    for *values, check_sum in connection.execute(
        f"SELECT {', '.join(COLUMNS[table])}, check_sum FROM {table}"
    ):
        if row_checksum(values) != check_sum:
            raise Unsound(f"wrong checksum of row {values[0]}, {values[1]} of {table}")
        check_row(table, values)
        yield values


def _check_sums(connection: sqlite3.Connection, campaign: int, sums: Sequence[int]) -> None:
    """Check that totals and histogram are the sums over the units."""
    names = ("units", "games", "loops", "cards", "tricks", "checksum", "milliseconds")
    added = dict(zip(names, sums, strict=True))
    added["checksum"] %= 1 << 64
    totals = dict(connection.execute("SELECT name, value FROM totals WHERE campaign = ?", (campaign,)))
    for name, number in added.items():
        if totals.get(name, "0") != str(number):
            raise Unsound(f"total of {name} is {totals.get(name)}, but units add up to {number}")
    bins = connection.execute(
        "SELECT tricks, games FROM histogram WHERE campaign = ?", (campaign,)
    ).fetchall()
    games, tricks = sum(count for _, count in bins), sum(length * count for length, count in bins)
    if (games, tricks) != (added["games"] - added["loops"], added["tricks"]):
        raise Unsound("the histogram does not add up to the games of the units")
