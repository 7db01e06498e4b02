"""The tables of a ledger, and how a file is recognised as one."""

import re
import sqlite3
import zlib
from collections.abc import Sequence
from functools import cache
from typing import Any

from camicia.kinds import shown
from search.ledger.columns import KINDS

#: "CAMI": what `PRAGMA application_id` says of a ledger, which distinguishes ledgers from other SQLite files.
APPLICATION_ID = 0x43414D49

#: Version of the tables, in `PRAGMA user_version`. Raise it with every change to them.
SCHEMA_VERSION = 2

#: Tables that version 2 added.
_ADDED_BY_2 = """
CREATE TABLE set_aside (                    -- units that failed again and again, until one run does them
    campaign INTEGER NOT NULL REFERENCES campaigns,
    unit INTEGER NOT NULL,
    reason TEXT NOT NULL,
    noted INTEGER NOT NULL,                 -- seconds since 1970
    check_sum INTEGER NOT NULL,
    PRIMARY KEY (campaign, unit)
) STRICT, WITHOUT ROWID;

CREATE TABLE imported (                     -- others' deals, replayed; no part of any total
    deal TEXT PRIMARY KEY,
    deck TEXT NOT NULL,
    status TEXT NOT NULL,
    winner TEXT,
    cards INTEGER NOT NULL,
    tricks INTEGER NOT NULL,
    transient_cards INTEGER,
    transient_tricks INTEGER,
    cycle_cards INTEGER,
    cycle_tricks INTEGER,
    source TEXT NOT NULL,                   -- the file they came from
    noted INTEGER NOT NULL,
    check_sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
"""

#: The SQL that upgrades each older version to the next.
MIGRATIONS = {1: _ADDED_BY_2}

#: A unit takes about 60 bytes. Everything else is bounded: one row per counter, bin, find or run.
#: `check_sum` is the CRC-32 of the rest of its row, by `row_checksum`.
SCHEMA = (
    """
CREATE TABLE campaigns (
    id INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE,          -- canonical JSON of search.campaign.Campaign
    version TEXT NOT NULL,                  -- of Camicia, when the campaign was made
    made INTEGER NOT NULL,                  -- seconds since 1970
    check_sum INTEGER NOT NULL
) STRICT;

CREATE TABLE origins (                      -- what did units, and where
    id INTEGER PRIMARY KEY,
    kernel TEXT NOT NULL,
    host TEXT NOT NULL,
    version TEXT NOT NULL,
    check_sum INTEGER NOT NULL,
    UNIQUE (kernel, host, version)
) STRICT;

CREATE TABLE units (                        -- the units done; a report is here or it never was
    campaign INTEGER NOT NULL REFERENCES campaigns,
    unit INTEGER NOT NULL,
    games INTEGER NOT NULL,
    loops INTEGER NOT NULL,
    cards INTEGER NOT NULL,
    tricks INTEGER NOT NULL,
    checksum INTEGER NOT NULL,              -- modulo 2^64, as a signed number
    milliseconds INTEGER NOT NULL,
    committed INTEGER NOT NULL,             -- seconds since 1970
    origin INTEGER NOT NULL REFERENCES origins,
    check_sum INTEGER NOT NULL,
    PRIMARY KEY (campaign, unit)
) STRICT, WITHOUT ROWID;

CREATE TABLE totals (                       -- sums over the units done, decimal; may pass 64 bits
    campaign INTEGER NOT NULL REFERENCES campaigns,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    check_sum INTEGER NOT NULL,
    PRIMARY KEY (campaign, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE histogram (                    -- finite games by their number of tricks
    campaign INTEGER NOT NULL REFERENCES campaigns,
    tricks INTEGER NOT NULL,
    games INTEGER NOT NULL,
    check_sum INTEGER NOT NULL,
    PRIMARY KEY (campaign, tricks)
) STRICT, WITHOUT ROWID;

CREATE TABLE finds (                        -- the longest games, and the loops of smallest rank
    campaign INTEGER NOT NULL REFERENCES campaigns,
    deal TEXT NOT NULL,
    rank TEXT NOT NULL,                     -- decimal: 64 bits do not hold it
    status TEXT NOT NULL,
    winner TEXT,
    cards INTEGER NOT NULL,
    tricks INTEGER NOT NULL,
    transient_cards INTEGER,
    transient_tricks INTEGER,
    cycle_cards INTEGER,
    cycle_tricks INTEGER,
    tree INTEGER NOT NULL,                  -- modulo 2^64, as a signed number; 0 for none
    unit INTEGER NOT NULL,                  -- the first unit that met it
    committed INTEGER NOT NULL,
    check_sum INTEGER NOT NULL,
    PRIMARY KEY (campaign, deal)
) STRICT, WITHOUT ROWID;

CREATE TABLE runs (                         -- when the hunt was on
    id INTEGER PRIMARY KEY,
    campaign INTEGER NOT NULL REFERENCES campaigns,
    started INTEGER NOT NULL,
    seconds INTEGER NOT NULL,
    workers INTEGER NOT NULL,
    host TEXT NOT NULL,
    check_sum INTEGER NOT NULL
) STRICT;
"""
    + _ADDED_BY_2
)

#: Columns of every table, without the checksum.
COLUMNS: dict[str, tuple[str, ...]] = {table: tuple(kinds) for table, kinds in KINDS.items()}


def table_fault(connection: sqlite3.Connection) -> str | None:
    """Return what is wrong with the definitions of a file's tables; None if they are a ledger's.

    A file may define anything: a view with a table's name, a trigger that runs at each commit. Tables that
    another version lacks are not a fault, nor are tables and views with other names, which are never read.

    Examples
    --------
    >>> database = sqlite3.connect(":memory:")
    >>> _ = database.executescript(SCHEMA)
    >>> print(table_fault(database))
    None
    >>> _ = database.execute("CREATE TRIGGER grow AFTER INSERT ON units BEGIN DELETE FROM runs; END")
    >>> table_fault(database)
    "trigger 'grow' of table units: expected none"
    >>> database.close()
    """
    expected = _definitions()
    for kind, name, table, text in connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema"):
        if str(table).lower() not in COLUMNS:
            continue
        if (kind, name) not in expected:
            return f"{shown(kind)} {name!r} of table {shown(table)}: expected none"
        if expected[kind, name] != _plain(text):
            return f"table {shown(table)}: is {shown(_plain(text))}, expected that of schema {SCHEMA_VERSION}"
    return None


@cache
def _definitions() -> dict[tuple[str, str], str]:
    """Return the definition of each table and index of a ledger."""
    database = sqlite3.connect(":memory:")
    try:
        database.executescript(SCHEMA)
        rows = database.execute("SELECT type, name, sql FROM sqlite_schema").fetchall()
    finally:
        database.close()
    return {(kind, name): _plain(text) for kind, name, text in rows}


def _plain(text: object) -> str:
    """A definition without comments, which any version may reword, and with single spaces."""
    return " ".join(re.sub(r"--[^\n]*", "", str(text or "")).split())


def row_checksum(values: Sequence[Any]) -> int:
    """Return the CRC-32 of a row's values, as decimal numbers and text with a line feed after each.

    Examples
    --------
    >>> row_checksum([1, "finished", None])
    2624076365
    """
    text = "".join("\n" if value is None else f"{value}\n" for value in values)
    return zlib.crc32(text.encode())
