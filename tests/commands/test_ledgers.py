"""Which ledger a command means if none is named, and that a census of centuries is not begun by accident."""

import os

import pytest
from hunting import reports_of, small_campaign, write
from running import run


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def made(name, seed):
    campaign = small_campaign(seed=seed)
    return write(name, campaign, reports_of(campaign, [0]))


@pytest.mark.parametrize("command", ["status", "best", "report", "plot", "export", "verify"])
def test_the_only_ledger_is_meant_and_named(command, here, capsys):
    if command == "plot":
        pytest.importorskip("matplotlib", reason="the extra report is not installed")
    made(here / "one.db", 1)
    code, _, err = run(capsys, command)
    assert code == 0 and "ledger one.db\n" in err


def test_of_several_the_newest_is_meant(here, capsys):
    for number, name in enumerate(("a.db", "b.db", "c.db")):
        made(here / name, number)
        for path in here.glob(f"{name}*"):
            os.utime(path, (1000 + number, 1000 + number))
    # Backups, other files and other databases are no ledgers.
    (here / "c.db.backup").write_bytes((here / "c.db").read_bytes())
    (here / "d.db").write_text("no ledger")
    code, out, err = run(capsys, "status")
    assert code == 0 and "ledger c.db, the newest of 3 ledgers here" in err and "c.db" in out


def test_where_there_is_none_it_must_be_named(here, capsys):
    code, _, err = run(capsys, "best")
    assert code == 2 and err.count("\n") == 1 and "no ledger in this directory" in err


def test_a_census_that_would_take_centuries_is_not_begun(here, capsys):
    code, _, err = run(capsys, "census", "standard")
    assert code == 2 and err.count("\n") == 1
    assert "36:4:4:4:4" in err and "years" in err and "--yes" in err
    assert not list(here.iterdir())
