"""Upgrade the tables of an older ledger to the current version."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

from search.ledger.cycles import deals_of, packed, unpacked
from search.ledger.older import ADDED_BY_2, OLDER, TO_3
from search.ledger.placing import sync
from search.ledger.schema import COUNTER, SCHEMA, SCHEMA_VERSION, row_checksum, table_fault
from search.ledger.soundness import Unsound, check_rows, check_structure
from search.strategies import CYCLE, CYCLE_SUMS

#: Before the name of a table of version 2 while its rows are copied.
_OLD = "old_"

#: Counters of cycles, as totals.
_CYCLE = f"{COUNTER}{CYCLE}"


def kept_as(path: Path, version: int) -> Path:
    """Return the name under which an older ledger is kept when it is upgraded."""
    return path.with_name(f"{path.name}.schema-{version}")


def keep_older(path: Path, connection: sqlite3.Connection, version: int) -> None:
    """Write a copy of an older ledger beside it, unless there is one already.

    Raises
    ------
    OSError, sqlite3.Error
        If it cannot be written.
    """
    name = kept_as(path, version)
    if os.path.lexists(name):
        return
    fresh = name.with_name(f"{name.name}-new")
    fresh.unlink(missing_ok=True)
    copy = sqlite3.connect(fresh)
    try:
        connection.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
    finally:
        copy.close()
    sync(fresh)
    os.replace(fresh, name)
    sync(path.parent)


def check_older(connection: sqlite3.Connection, version: int) -> None:
    """Check that an older ledger holds what was written; its values are checked after the upgrade.

    Raises
    ------
    Unsound
        If not, or if there never was such a version.
    """
    if version not in OLDER:
        raise Unsound(f"schema {version} was never one")
    check_structure(connection)
    if fault := table_fault(connection, version):
        raise Unsound(fault)
    tables = _tables(connection)
    if missing := set(_tables_of(version)) - set(tables):
        raise Unsound(f"table {min(missing)} is missing")
    check_rows(connection, _tables_of(version))


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Upgrade the tables in a transaction, which is left open: the caller checks the result."""
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.create_function("crc", -1, lambda *values: row_checksum(values), deterministic=True)
    connection.create_function("is_cycle", 1, lambda name: str(name).startswith(_CYCLE), deterministic=True)
    connection.create_function("pack", 1, _packed, deterministic=True)
    # References between the tables keep the names that they will have again.
    connection.execute("PRAGMA legacy_alter_table = ON")
    connection.execute("BEGIN IMMEDIATE")
    if version < 2:
        _run(connection, ADDED_BY_2)
    tables = _tables_of(2)
    for table in tables:
        connection.execute(f"ALTER TABLE {table} RENAME TO {_OLD}{table}")
    _run(connection, SCHEMA)
    _run(connection, TO_3)
    _sum_cycles(connection)
    for table in tables:
        connection.execute(f"DROP TABLE {_OLD}{table}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _run(connection: sqlite3.Connection, script: str) -> None:
    """Run the statements of a script, each of which ends a paragraph; `executescript` would commit first."""
    for statement in script.split("\n\n"):
        connection.execute(statement)


def _tables(connection: sqlite3.Connection) -> list[str]:
    return [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]


def _tables_of(version: int) -> list[str]:
    database = sqlite3.connect(":memory:")
    try:
        database.executescript(OLDER[version])
        return _tables(database)
    finally:
        database.close()


def _packed(name: Any) -> bytes:
    """Pack the name of a cycle from that of its total; bytes that are no cycle if it is none."""
    try:
        return packed(str(name).removeprefix(_CYCLE))
    except (ValueError, OverflowError):
        return str(name).encode(errors="replace")[:100]


def _sum_cycles(connection: sqlite3.Connection) -> None:
    """Add the totals over the cycles, which version 2 did not keep."""
    sums: dict[int, list[int]] = {}
    for campaign, data, number in connection.execute("SELECT campaign, cycle, number FROM cycles"):
        deals = deals_of(unpacked(data))
        before = sums.get(campaign, [0] * 4)
        sums[campaign] = [a + b for a, b in zip(before, (1, int(deals > 0), deals, number), strict=True)]
    for campaign, numbers in sums.items():
        for name, number in zip(CYCLE_SUMS, numbers, strict=True):
            values = (campaign, f"{COUNTER}{name}", str(number))
            connection.execute("INSERT INTO totals VALUES (?, ?, ?, ?)", (*values, row_checksum(values)))
