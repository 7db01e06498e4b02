"""The tables of older ledgers, and how they are upgraded to those of the current version."""

from __future__ import annotations

_FIRST = """\
CREATE TABLE campaigns (
    id INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE,
    version TEXT NOT NULL,
    made INTEGER NOT NULL,
    check_sum INTEGER NOT NULL
) STRICT;

CREATE TABLE origins (
    id INTEGER PRIMARY KEY,
    kernel TEXT NOT NULL,
    host TEXT NOT NULL,
    version TEXT NOT NULL,
    check_sum INTEGER NOT NULL,
    UNIQUE (kernel, host, version)
) STRICT;

CREATE TABLE units (
    campaign INTEGER NOT NULL REFERENCES campaigns,
    unit INTEGER NOT NULL,
    games INTEGER NOT NULL,
    loops INTEGER NOT NULL,
    cards INTEGER NOT NULL,
    tricks INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    milliseconds INTEGER NOT NULL,
    committed INTEGER NOT NULL,
    origin INTEGER NOT NULL REFERENCES origins,
    check_sum INTEGER NOT NULL,
    PRIMARY KEY (campaign, unit)
) STRICT, WITHOUT ROWID;

CREATE TABLE totals (
    campaign INTEGER NOT NULL REFERENCES campaigns,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    check_sum INTEGER NOT NULL,
    PRIMARY KEY (campaign, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE histogram (
    campaign INTEGER NOT NULL REFERENCES campaigns,
    tricks INTEGER NOT NULL,
    games INTEGER NOT NULL,
    check_sum INTEGER NOT NULL,
    PRIMARY KEY (campaign, tricks)
) STRICT, WITHOUT ROWID;

CREATE TABLE finds (
    campaign INTEGER NOT NULL REFERENCES campaigns,
    deal TEXT NOT NULL,
    rank TEXT NOT NULL,
    status TEXT NOT NULL,
    winner TEXT,
    cards INTEGER NOT NULL,
    tricks INTEGER NOT NULL,
    transient_cards INTEGER,
    transient_tricks INTEGER,
    cycle_cards INTEGER,
    cycle_tricks INTEGER,
    tree INTEGER NOT NULL,
    unit INTEGER NOT NULL,
    committed INTEGER NOT NULL,
    check_sum INTEGER NOT NULL,
    PRIMARY KEY (campaign, deal)
) STRICT, WITHOUT ROWID;

CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    campaign INTEGER NOT NULL REFERENCES campaigns,
    started INTEGER NOT NULL,
    seconds INTEGER NOT NULL,
    workers INTEGER NOT NULL,
    host TEXT NOT NULL,
    check_sum INTEGER NOT NULL
) STRICT;"""

#: Tables that version 2 added.
ADDED_BY_2 = """\
CREATE TABLE set_aside (
    campaign INTEGER NOT NULL REFERENCES campaigns,
    unit INTEGER NOT NULL,
    reason TEXT NOT NULL,
    noted INTEGER NOT NULL,
    check_sum INTEGER NOT NULL,
    PRIMARY KEY (campaign, unit)
) STRICT, WITHOUT ROWID;

CREATE TABLE imported (
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
    source TEXT NOT NULL,
    noted INTEGER NOT NULL,
    check_sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;"""

#: The SQL of each older version.
OLDER = {1: _FIRST, 2: f"{_FIRST}\n\n{ADDED_BY_2}"}

#: Copies the rows of version 2, whose tables have been renamed, into those of version 3. `crc` is the
#: checksum of a row, `is_cycle` and `pack` recognise the counter of a cycle and pack its name. Of the longest
#: games of each second only those still in the lists are known.
TO_3 = """\
INSERT INTO campaigns SELECT * FROM old_campaigns;

INSERT INTO origins
SELECT id, campaign, kernel, host, version, crc(id, campaign, kernel, host, version)
FROM (
    SELECT row_number() OVER (ORDER BY campaign, id) AS id, campaign, kernel, host, version
    FROM (SELECT DISTINCT campaign, origin FROM old_units) JOIN old_origins ON old_origins.id = origin
);

INSERT INTO blocks
SELECT campaign, unit, 1, 1, games, loops, cards, tricks, checksum, milliseconds, committed, origin_now,
       crc(campaign, unit, 1, 1, games, loops, cards, tricks, checksum, milliseconds, committed, origin_now)
FROM (
    SELECT old_units.*, origins.id AS origin_now
    FROM old_units
    JOIN old_origins ON old_origins.id = old_units.origin
    JOIN origins ON origins.campaign = old_units.campaign AND origins.kernel = old_origins.kernel
        AND origins.host = old_origins.host AND origins.version = old_origins.version
) AS joined;

INSERT INTO totals SELECT * FROM old_totals WHERE NOT is_cycle(name);

INSERT INTO cycles
SELECT campaign, cycle, number, crc(campaign, cycle, number)
FROM (
    SELECT campaign, pack(name) AS cycle, CAST(value AS INTEGER) AS number
    FROM old_totals WHERE is_cycle(name)
);

INSERT INTO histogram SELECT * FROM old_histogram;

INSERT INTO finds SELECT * FROM old_finds;

INSERT INTO history
SELECT campaign, started, 1, units, deals, cards, tricks,
       crc(campaign, started, 1, units, deals, cards, tricks)
FROM (
    SELECT done.campaign, started, units, deals, coalesce(cards, 0) AS cards, coalesce(tricks, 0) AS tricks
    FROM (
        SELECT campaign, committed AS started, count(*) AS units, sum(games) AS deals
        FROM old_units GROUP BY campaign, committed
    ) AS done
    LEFT JOIN (
        SELECT campaign, committed, max(cards) AS cards, max(tricks) AS tricks
        FROM old_finds WHERE status = 'finished' GROUP BY campaign, committed
    ) AS best ON best.campaign = done.campaign AND best.committed = done.started
);

INSERT INTO runs
SELECT id, campaign, started, seconds, workers, host, units, deals,
       crc(id, campaign, started, seconds, workers, host, units, deals)
FROM (
    SELECT old_runs.*, coalesce(sum(history.units), 0) AS units, coalesce(sum(history.deals), 0) AS deals
    FROM old_runs LEFT JOIN history ON history.campaign = old_runs.campaign
        AND history.started BETWEEN old_runs.started AND old_runs.started + old_runs.seconds
    GROUP BY old_runs.id
);

INSERT INTO set_aside SELECT * FROM old_set_aside;

INSERT INTO imported SELECT * FROM old_imported;"""
