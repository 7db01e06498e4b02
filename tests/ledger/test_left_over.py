"""What lies beside a ledger: logs and backups of another, restoring, damage, and names."""

import shutil
import signal
import sqlite3
import stat
import subprocess

import pytest
from hunting import camicia, command, contents, environment, reports_of, small_campaign, write
from ledgers import WORDS, emptied, hunt, kill, names

from search.errors import DamagedLedgerError, HuntError, LedgerError
from search.ledger import Ledger, restore
from search.ledger.placing import backup_of, install


def stale_log(path):
    """Leave the log of a killed hunt beside a ledger's name, and remove the ledger."""
    with hunt(path, 5) as process:
        kill(process)
    assert path.with_name(path.name + "-wal").stat().st_size
    path.unlink()


@pytest.mark.parametrize("first", ["read", "write"])
def test_a_stale_log_is_no_danger_to_a_backup_moved_by_hand(backed_up, first):
    stale_log(backed_up)
    backup_of(backed_up).rename(backed_up)
    sound = backed_up.read_bytes()
    if first == "read":
        assert contents(backed_up)[0][1]["units"] >= 12
        assert backed_up.read_bytes() == sound
    with Ledger(backed_up, "write") as ledger:
        ledger.commit(ledger.campaigns()[0], reports_of(small_campaign(), [50]))
        assert {*range(12), 50} <= set(ledger.done(ledger.campaigns()[0]))
    assert contents(backed_up)[0][1]["units"] >= 13


def test_a_log_of_another_hunt_is_set_aside(tmp_path, path, reports):
    other = write(
        tmp_path / "other.db", small_campaign(seed=8), reports_of(small_campaign(seed=8), range(40))
    )
    stale_log(path)
    other.rename(path)
    before = contents(path)
    assert len(before[0][4]) == 40
    with Ledger(path, "write"):
        pass
    assert contents(path) == before and "hunt.db.left-1-wal" in names(tmp_path)


def test_what_is_put_in_place_has_nothing_of_another_beside_it(tmp_path, backed_up, reports):
    stale_log(backed_up)
    fresh = write(tmp_path / "fresh.db", small_campaign(), reports[:3])
    before = contents(fresh)
    aside = install(fresh, backed_up)
    assert sorted(item.name for item in aside) == ["hunt.db.left-1-wal", "hunt.db.left-1.backup"]
    assert contents(backed_up) == before
    with Ledger(backed_up, "write"):
        pass
    assert contents(backed_up) == before
    fresh = write(tmp_path / "fresh.db", small_campaign(), reports[:1])
    with pytest.raises(LedgerError, match="is there already"):
        install(fresh, backed_up)
    assert contents(backed_up) == before


def test_a_new_ledger_sets_aside_the_log_of_one_that_is_gone(path, reports, caplog):
    stale_log(path)
    write(path, small_campaign(), reports[:2])
    assert contents(path)[0][1]["units"] == 2
    assert "what another ledger of that name had left is set aside" in caplog.text


def test_a_backup_of_another_hunt_is_never_gone_back_to(tmp_path, path, reports):
    other = small_campaign(seed=8)
    write(tmp_path / "other.db", other, reports_of(other, range(2))).rename(backup_of(path))
    sound = path.read_bytes()
    with sqlite3.connect(path) as database:
        database.execute("UPDATE blocks SET cards = cards + 1 WHERE unit = 7")
    database.close()
    with pytest.raises(DamagedLedgerError, match=r"the backup beside it is of another hunt.*camicia restore"):
        Ledger(path, "write")
    with pytest.raises(LedgerError, match="the backup beside it is of another hunt"):
        restore(path)
    # While it is sound, that is seen at once.
    path.write_bytes(sound)
    with Ledger(path, "write"):
        pass
    assert names(tmp_path) == ["hunt.db", "hunt.db.left-1.backup"]
    assert "Restored" in restore(path, tmp_path / "hunt.db.left-1.backup")
    assert contents(path)[0][0] == other


# Restoring


def test_restore_goes_back_to_the_backup_whatever_lies_beside_the_name(backed_up):
    backup = contents(backup_of(backed_up))
    stale_log(backed_up)
    assert "12 units" in restore(backed_up)
    assert contents(backed_up) == backup
    assert names(backed_up.parent) == ["hunt.db", "hunt.db.backup", "hunt.db.left-1-wal"]


def test_restore_sets_aside_what_is_there_with_its_log(backed_up):
    with hunt(backed_up, 2) as process:
        with pytest.raises(LedgerError, match="another hunt writes it"):
            restore(backed_up)
        kill(process)
    before = contents(backed_up)
    assert "set aside as" in restore(backed_up)
    assert contents(backed_up)[0][1]["units"] == 12
    assert contents(backed_up.with_name("hunt.db.replaced-1")) == before


def test_restore_from_any_copy_even_one_with_a_log(tmp_path, path):
    folder = tmp_path / "copies"
    folder.mkdir()
    copy = folder / "a copy.db"
    shutil.copy(path, copy)
    with hunt(copy, 4) as process:
        kill(process)
    done = camicia("restore", path, "--from", copy, "--json", cwd=tmp_path)
    assert done.returncode == 0 and "Restored from" in done.stderr
    assert contents(path) == contents(copy) and contents(path)[0][1]["units"] >= 16
    for words, said in (
        (("restore", "none.db"), "to restore it from"),
        (("restore", path, "--from", path), "from itself"),
        (("restore", path, "--from", __file__), "not a ledger"),
    ):
        done = camicia(*words, cwd=tmp_path)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1) and said in done.stderr


def test_a_lost_ledger_names_the_command_that_restores_it(backed_up):
    backed_up.unlink()
    with pytest.raises(LedgerError, match=r"is not there but its backup .* is; `camicia restore`"):
        Ledger(backed_up, "create")


# Damage


def test_a_table_whose_name_is_no_text_is_damage_and_the_loss_is_stated(backed_up, caplog):
    content = backed_up.read_bytes()
    assert b"CREATE TABLE blocks" in content
    backed_up.write_bytes(content.replace(b"CREATE TABLE blocks", b"CREATE TABLE unit\xf3", 1))
    with Ledger(backed_up, "write") as ledger:
        assert ledger.totals(ledger.campaigns()[0]).units == 12
    assert "set aside as 'hunt.db.damaged-1'" in caplog.text and "with 12 units" in caplog.text


def test_recovery_keeps_permissions(backed_up):
    backed_up.chmod(0o600)
    emptied(backed_up)
    with Ledger(backed_up, "write", backup_seconds=0) as ledger:
        ledger.back_up_if_due()
    for name in ("hunt.db", "hunt.db.backup"):
        assert stat.S_IMODE((backed_up.parent / name).stat().st_mode) == 0o600


def test_an_emptied_ledger_without_a_backup_is_refused(path):
    emptied(path)
    done = camicia(*WORDS, "--ledger", path, "--deals", "1", cwd=path.parent)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1) and "an empty file" in done.stderr
    assert path.read_bytes() == b"" and names(path.parent) == ["hunt.db"]


# A ledger that goes away while it is written


@pytest.mark.parametrize("change", ["removed", "moved", "replaced"])
def test_a_ledger_that_goes_away_is_noticed_at_its_end_and_kept(path, change):
    with (
        pytest.raises(HuntError, match=r"was moved, removed or replaced .*camicia restore"),
        Ledger(path, "write") as ledger,
    ):
        ledger.commit(ledger.campaigns()[0], reports_of(small_campaign(), [12]))
        match change:
            case "removed":
                path.unlink()
            case "moved":
                path.rename(path.with_name("moved.db"))
            case "replaced":
                path.with_name("other").touch()
                path.with_name("other").replace(path)
        ledger.commit(ledger.campaigns()[0], reports_of(small_campaign(), [13]))
    assert contents(path.with_name("hunt.db.rescued-1"))[0][1]["units"] == 14
    if change == "moved":
        assert contents(path.with_name("moved.db"))[0][1]["units"] == 14
    restore(path, path.with_name("hunt.db.rescued-1"))
    assert contents(path)[0][1]["units"] == 14


def test_a_ledger_that_goes_away_is_noticed_at_each_backup(path):
    with (
        pytest.raises(HuntError, match="was moved, removed or replaced"),
        Ledger(path, "write", backup_seconds=0.0) as ledger,
    ):
        path.unlink()
        ledger.commit(ledger.campaigns()[0], reports_of(small_campaign(), [12]))


def test_a_hunt_whose_ledger_is_removed_ends_as_a_failure(tmp_path):
    with subprocess.Popen(
        command(*WORDS, "--ledger", "hunt.db", "--workers", "1", "--quiet"),
        cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        while not (tmp_path / "hunt.db-wal").exists():
            assert process.poll() is None
        (tmp_path / "hunt.db").unlink()
        process.send_signal(signal.SIGTERM)
        printed, errors = process.communicate(timeout=60)
    assert process.returncode == 1 and b"was moved, removed or replaced" in errors
    assert b"Traceback" not in errors and not printed


# Names


@pytest.mark.parametrize("name", ["file:hunt.db", "a b?c#d%20.db", "-.db", "é.db"])
def test_any_name_has_a_backup(tmp_path, reports, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    write(name, small_campaign(), reports[:1])
    with Ledger(name, "write", backup_seconds=0.0) as ledger:
        ledger.back_up_if_due()
    assert names(tmp_path) == [name, f"{name}.backup"]


@pytest.mark.parametrize("length", [230, 240, 249, 255, 300])
def test_names_too_long_for_what_lies_beside_them_are_refused_before_anything_is_made(
    tmp_path, reports, length
):
    path = tmp_path / ("x" * length)
    try:
        write(path, small_campaign(), reports[:1])
    except LedgerError as error:
        assert length >= 235 and "its name is too long, expected at most 234 bytes" in str(error)
        assert names(tmp_path) == []
    else:
        assert length < 235
