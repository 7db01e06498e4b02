"""The tables of a ledger, and how a file is recognised as one."""

import re
import sqlite3
import zlib
from collections.abc import Sequence
from functools import cache
from typing import Any

from camicia.kinds import shown
from search.ledger.columns import KINDS
from search.ledger.older import OLDER

#: "CAMI": what `PRAGMA application_id` says of a ledger, which distinguishes ledgers from other SQLite files.
APPLICATION_ID = 0x43414D49

#: Version of the tables, in `PRAGMA user_version`. Raise it with every change to them.
SCHEMA_VERSION = 3

#: However long the hunt, a ledger stays small: units are folded into blocks (`search.ledger.folding`), the
#: history into longer stretches, and everything else is bounded, but for cycles and imported deals.
#: `check_sum` is the CRC-32 of the rest of its row, by `row_checksum`.
SCHEMA = """\
CREATE TABLE campaigns (
    id INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE,          -- canonical JSON of search.campaign.Campaign
    version TEXT NOT NULL,                  -- of Camicia, when the campaign was made
    made INTEGER NOT NULL,                  -- seconds since 1970
    check_sum INTEGER NOT NULL
) STRICT;

CREATE TABLE origins (                      -- what did units of a campaign, and where
    id INTEGER PRIMARY KEY,
    campaign INTEGER NOT NULL REFERENCES campaigns,
    kernel TEXT NOT NULL,
    host TEXT NOT NULL,
    version TEXT NOT NULL,
    check_sum INTEGER NOT NULL,
    UNIQUE (campaign, kernel, host, version)
) STRICT;

CREATE TABLE blocks (                       -- the units done; a report is here or it never was
    campaign INTEGER NOT NULL REFERENCES campaigns,
    unit INTEGER NOT NULL,                  -- the first unit
    step INTEGER NOT NULL,                  -- from one unit to the next; 1 for a single unit
    units INTEGER NOT NULL,                 -- how many; all other numbers are their sums
    games INTEGER NOT NULL,
    loops INTEGER NOT NULL,
    cards INTEGER NOT NULL,
    tricks INTEGER NOT NULL,
    checksum INTEGER NOT NULL,              -- modulo 2^64, as a signed number
    milliseconds INTEGER NOT NULL,
    committed INTEGER NOT NULL,             -- seconds since 1970, of the last of them
    origin INTEGER REFERENCES origins,      -- NULL if they have different ones
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

CREATE TABLE cycles (                       -- the cycles met
    campaign INTEGER NOT NULL REFERENCES campaigns,
    cycle BLOB NOT NULL,                    -- its name, packed by search.ledger.cycles
    number INTEGER NOT NULL,                -- of walks that met it, or of deals played that fall into it
    check_sum INTEGER NOT NULL,
    PRIMARY KEY (campaign, cycle)
) STRICT, WITHOUT ROWID;

CREATE TABLE histogram (                    -- finite games by their number of tricks
    campaign INTEGER NOT NULL REFERENCES campaigns,
    tricks INTEGER NOT NULL,
    games INTEGER NOT NULL,
    check_sum INTEGER NOT NULL,
    PRIMARY KEY (campaign, tricks)
) STRICT, WITHOUT ROWID;

CREATE TABLE history (                      -- what was committed in a stretch of time
    campaign INTEGER NOT NULL REFERENCES campaigns,
    started INTEGER NOT NULL,               -- seconds since 1970
    seconds INTEGER NOT NULL,               -- its length
    units INTEGER NOT NULL,
    deals INTEGER NOT NULL,
    cards INTEGER NOT NULL,                 -- of the longest game, by each length; 0 for none
    tricks INTEGER NOT NULL,
    check_sum INTEGER NOT NULL,
    PRIMARY KEY (campaign, started, seconds)
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
    workers INTEGER NOT NULL,               -- at its last commit
    host TEXT NOT NULL,
    units INTEGER NOT NULL,                 -- committed in it
    deals INTEGER NOT NULL,
    check_sum INTEGER NOT NULL
) STRICT;

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

CREATE TABLE merged (                       -- what `camicia merge --update` has read, ledger by ledger
    id INTEGER PRIMARY KEY,
    birth TEXT NOT NULL,                    -- what its first campaign was, and when it began
    name TEXT NOT NULL UNIQUE,              -- of its file, from the folder of this one
    size INTEGER NOT NULL,                  -- of its file, when it was read last
    changed INTEGER NOT NULL,               -- when the file was changed last, in nanoseconds since 1970
    share BLOB NOT NULL,                    -- what it held then: packed by search.ledger.shares
    check_sum INTEGER NOT NULL
) STRICT;"""

#: Prefix of the names of a strategy's own totals.
COUNTER = "counter."

#: Tables that are not bounded: they are read when they are asked for, not at every opening.
UNBOUNDED = frozenset({"cycles", "imported", "merged"})

#: Columns of every table, without the checksum.
COLUMNS: dict[str, tuple[str, ...]] = {table: tuple(kinds) for table, kinds in KINDS.items()}


def table_fault(connection: sqlite3.Connection, version: int = SCHEMA_VERSION) -> str | None:
    """Return what is wrong with the definitions of a file's tables; None if they are a ledger's.

    A file may define anything: a view with a table's name, a trigger that runs at each commit. Tables that
    another version lacks are not a fault, nor are tables and views with other names, which are never read.

    Examples
    --------
    >>> database = sqlite3.connect(":memory:")
    >>> _ = database.executescript(SCHEMA)
    >>> print(table_fault(database))
    None
    >>> _ = database.execute("CREATE TRIGGER grow AFTER INSERT ON blocks BEGIN DELETE FROM runs; END")
    >>> table_fault(database)
    "trigger 'grow' of table blocks: expected none"
    >>> database.close()
    """
    expected = _definitions(version)
    names = {*COLUMNS, *(name for _, name in expected)}
    for kind, name, table, text in connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema"):
        if str(table).lower() not in names:
            continue
        if (kind, name) not in expected:
            return f"{shown(kind)} {name!r} of table {shown(table)}: expected none"
        if expected[kind, name] != _plain(text):
            return f"table {shown(table)}: is {shown(_plain(text))}, expected that of schema {version}"
    return None


@cache
def _definitions(version: int) -> dict[tuple[str, str], str]:
    """Return the definition of each table and index of a ledger."""
    database = sqlite3.connect(":memory:")
    try:
        database.executescript(SCHEMA if version == SCHEMA_VERSION else OLDER[version])
        rows = database.execute("SELECT type, name, sql FROM sqlite_schema").fetchall()
    finally:
        database.close()
    return {(kind, name): _plain(text) for kind, name, text in rows}


def _plain(text: object) -> str:
    """A definition without comments, which any version may reword, and with single spaces."""
    return " ".join(re.sub(r"--[^\n]*", "", str(text or "")).split())


def row_checksum(values: Sequence[Any]) -> int:
    """Return the CRC-32 of a row's values: decimal numbers, text, and bytes in hexadecimal, each on a line.

    Examples
    --------
    >>> row_checksum([1, "finished", None])
    2624076365
    """
    # Hunts compute thousands of these a second.
    written = [
        "" if value is None else value.hex() if type(value) is bytes else str(value) for value in values
    ]
    return zlib.crc32("\n".join([*written, ""]).encode())


def wrong_checksum(table: str, values: Sequence[Any]) -> str:
    """Return what is said of a row whose checksum is wrong."""
    return f"wrong checksum of row {shown(values[0])}, {shown(values[1])} of {table}"
