"""Ledgers of older versions: read as they are, upgraded by a writer, and kept."""

import os
import sqlite3
from contextlib import closing

import pytest
from hunting import camicia, documented
from places import DATA

from search.ledger import Ledger
from search.ledger.schema import SCHEMA_VERSION

#: The dumps of older ledgers, and the checksum of their units.
OLDER = {
    "ledger_of_schema_1.sql": "13d22cb9bd8cf7e6",
    "ledger_of_schema_2.sql": "bd7ae1a38199132e",
    "ledger_of_schema_2_loops.sql": "e533deb1051c3fab",
}


@pytest.mark.parametrize("name", OLDER)
def test_an_older_ledger_is_brought_up_to_date(tmp_path, name):
    path = tmp_path / "old.db"
    version = older(path, name)
    before = path.read_bytes()
    seen = documented("status", "old.db", cwd=tmp_path)
    assert seen["checksum"] == OLDER[name]
    # Who only looks leaves it as it is.
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["old.db"]
    assert camicia("verify", "old.db", "--fraction", "1", cwd=tmp_path).returncode == 0
    (tmp_path / "deals.txt").write_text("# a loop\nJ--/-J-\n\n--A/-J-\n")
    done = camicia("import", "old.db", "deals.txt", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert version_of(path) == SCHEMA_VERSION
    # What it was is kept.
    kept = tmp_path / f"old.db.schema-{version}"
    assert version_of(kept) == version
    with closing(sqlite3.connect(kept)) as one, closing(sqlite3.connect(":memory:")) as other:
        other.executescript((DATA / name).read_text())
        assert list(one.iterdump()) == list(other.iterdump())
    assert documented("status", "old.db", cwd=tmp_path) | {"imported": 0} == seen | {"imported": 0}
    with Ledger(path, thorough=True) as ledger:
        (entry,) = ledger.campaigns()
        units, strategy = ledger.totals(entry).units, entry.campaign.strategy
        assert sum(stretch.units for stretch in ledger.history(entry)) == units
        assert ledger.history(entry)[-1].tricks > 0 or strategy == "loops"
        assert len(dict(ledger.cycles(entry))) == (strategy == "loops")
        deals = (units + 1) * entry.campaign.unit_size
    done = camicia("search", strategy, "--ledger", "old.db", "--deals", deals, "--quiet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert documented("status", "old.db", cwd=tmp_path)["units"] == units + 1


@pytest.mark.parametrize("name", OLDER)
def test_an_older_ledger_that_was_changed_is_not_upgraded(tmp_path, name):
    path = tmp_path / "old.db"
    older(path, name)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE units SET cards = cards + 1 WHERE unit = 1")
    before = path.read_bytes()
    for words in (("status", "old.db"), ("search", "--ledger", "old.db", "--for", "1s")):
        done = camicia(*words, cwd=tmp_path)
        assert done.returncode == 2 and "wrong checksum of row 1, 1 of units" in done.stderr
    assert path.read_bytes() == before


def older(path, name):
    """Write a ledger of an older version from its dump; returns the version."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((DATA / name).read_text())
    return version_of(path)


def version_of(path):
    """The version of a ledger's tables."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA user_version").fetchone()[0]
