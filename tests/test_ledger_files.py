"""A ledger as a file: its names, its lock, what lies beside it, and trouble that is no damage."""

import errno
import os
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hunting import camicia, command, contents, environment, reports_of, small_campaign
from test_ledger import write

from search.errors import DamagedLedgerError, HuntError, LedgerError, LedgerTroubleError
from search.ledger import Ledger, locks, restore
from search.ledger.placing import backup_of, install

#: Small units of the small campaign, by the command.
WORDS = ("search", "sample", "--deck", "12:2:2:0:0", "--seed", "7", "--unit-size", "3200", "--keep", "10")

#: Commits units to a ledger until it is killed, printing their numbers.
HUNT = """
import sys
from hunting import reports_of, small_campaign
from search.ledger import Ledger
with Ledger(sys.argv[1], "create", backup_seconds=float(sys.argv[2])) as ledger:
    entry = ledger.enter(small_campaign())
    first = max(ledger.done(entry), default=-1) + 1
    for unit in range(first, first + 5000):
        ledger.commit(entry, reports_of(entry.campaign, [unit]))
        print(unit, flush=True)
"""


@pytest.fixture(scope="module")
def reports():
    return reports_of(small_campaign(), range(12))


@pytest.fixture
def path(tmp_path, reports):
    """A small sound ledger."""
    return write(tmp_path / "hunt.db", small_campaign(), reports)


@pytest.fixture
def backed_up(path):
    """The same with a backup that lacks its last units."""
    with Ledger(path, "write") as ledger:
        ledger._backups.make(ledger._database)
        ledger.commit(ledger.campaigns()[0], reports_of(small_campaign(), [12, 13]))
    return path


def names(folder):
    return sorted(item.name for item in folder.iterdir())


def hunt(path, units=1, every=1000.0):
    """A process that writes a ledger, once it has committed a few units."""
    process = subprocess.Popen(
        [sys.executable, "-c", HUNT, str(path), str(every)],
        cwd=path.parent,
        env=environment() | {"PYTHONPATH": f"{environment()['PYTHONPATH']}:{os.path.dirname(__file__)}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    for _ in range(units):
        assert process.stdout.readline(), process.stderr.read().decode()
    return process


def kill(process):
    """Kill a hunt; returns how many units it said were committed."""
    process.kill()
    printed, _ = process.communicate()
    return printed


def emptied(path):
    """Leave nothing of a file."""
    os.truncate(path, 0)


# One writer a file


def test_a_ledger_with_hard_links_is_refused_with_the_reason(path):
    os.link(path, path.with_name("other.db"))
    before = path.read_bytes()
    for name in ("hunt.db", "other.db"):
        for mode in ("read", "write", "create"):
            with pytest.raises(LedgerError, match=r"has 2 names \(hard links\)"):
                Ledger(path.with_name(name), mode)
    assert path.read_bytes() == before and names(path.parent) == ["hunt.db", "other.db"]
    path.with_name("other.db").unlink()
    with Ledger(path, "write"):
        pass


def test_a_link_to_a_ledger_is_that_ledger(tmp_path, path, reports):
    folder = tmp_path / "links"
    folder.mkdir()
    link = folder / "link.db"
    link.symlink_to(path)
    with hunt(path) as process:
        with pytest.raises(LedgerError, match=rf"another hunt writes it \(process {process.pid} on"):
            Ledger(link, "write")
        assert contents(link)[0][1]["units"] > 12
        kill(process)
    with Ledger(link, "write", backup_seconds=0.0) as ledger:
        ledger.back_up_if_due()
    assert names(folder) == ["link.db"] and backup_of(path).exists()
    # A link to nothing makes what it leads to.
    (folder / "new.db").symlink_to(tmp_path / "made.db")
    write(folder / "new.db", small_campaign(), reports[:1])
    assert (folder / "new.db").is_symlink() and (tmp_path / "made.db").is_file()


def test_a_ledger_that_was_renamed_under_a_hunt_has_a_writer_still(path):
    other = path.with_name("other.db")
    with hunt(path) as process:
        path.rename(other)
        with pytest.raises(LedgerError, match="another hunt writes it"):
            Ledger(other, "write")
        kill(process)
    with Ledger(other, "write") as ledger:
        assert ledger.totals(ledger.campaigns()[0]).units >= 12


def test_readers_and_refused_writers_in_the_process_of_a_hunt_leave_it_its_locks(path):
    """The system lets go of a file's locks when any descriptor of it is closed."""
    with Ledger(path, "write") as ledger:
        contents(path)
        with pytest.raises(LedgerError, match="another hunt"):
            Ledger(path, "write")
        ledger.commit(ledger.campaigns()[0], reports_of(small_campaign(), [12]))
        # Who thinks that nobody has the ledger open folds its log into it, and takes the log away.
        for _ in range(2):
            subprocess.run(
                [
                    sys.executable,
                    "-c",
                    "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]);"
                    "c.execute('SELECT count(*) FROM units').fetchall(); c.close()",
                    path,
                ],
                check=True,
            )
        assert path.with_name("hunt.db-wal").stat().st_size
        ledger.commit(ledger.campaigns()[0], reports_of(small_campaign(), [13]))
    assert contents(path)[0][1]["units"] == 14


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP, errno.EINVAL])
def test_without_locks_of_open_files_the_note_decides(path, monkeypatch, number):
    real = locks.fcntl.fcntl

    def fails(descriptor, command, *more):
        if command in (locks.fcntl.F_OFD_SETLK, locks.fcntl.F_OFD_GETLK):
            raise OSError(number, os.strerror(number))
        return real(descriptor, command, *more)

    monkeypatch.setattr(locks.fcntl, "fcntl", fails)
    note = path.with_name("hunt.db.lock")
    with Ledger(path, "write"):
        assert note.read_text() == f"process {os.getpid()} on {os.uname().nodename}"
        with pytest.raises(LedgerError, match=rf"another hunt writes it \(process {os.getpid()} on"):
            Ledger(path, "write")
    assert not note.exists()
    # One that was killed is known to be gone; one on another machine is not.
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    note.write_text(f"process {gone.pid} on {os.uname().nodename}")
    with Ledger(path, "write"):
        pass
    note.write_text("process 1 on elsewhere.example")
    with pytest.raises(LedgerError, match=r"another hunt writes it \(process 1 on elsewhere"):
        Ledger(path, "write")


@pytest.mark.parametrize("kind", ["link", "hard link", "folder", "pipe"])
def test_what_lies_where_the_note_goes_is_never_written_into(path, kind):
    note, target = path.with_name("hunt.db.lock"), path.with_name("precious.txt")
    target.write_text("precious")
    match kind:
        case "link":
            note.symlink_to(target)
        case "hard link":
            os.link(target, note)
        case "folder":
            note.mkdir()
        case "pipe":
            os.mkfifo(note)
    with Ledger(path, "write") as ledger:
        ledger.commit(ledger.campaigns()[0], reports_of(small_campaign(), [12]))
    assert target.read_text() == "precious" and contents(path)[0][1]["units"] == 13


@pytest.mark.slow
def test_killed_again_and_again_under_two_names_it_loses_nothing(tmp_path):
    path, link = tmp_path / "hunt.db", tmp_path / "link.db"
    link.symlink_to(path)
    committed = set()
    for turn in range(12):
        # Killed in the middle of whatever it is at: committing, folding the log, making a backup.
        process = hunt((path, link)[turn % 2], 1 + turn, every=0.02)
        with process, pytest.raises(LedgerError, match="another hunt"):
            Ledger((link, path)[turn % 2], "write")
        committed |= {int(line) for line in kill(process).split()}
        with Ledger(path) as ledger:
            assert committed <= ledger.done(ledger.campaigns()[0])
    with Ledger(link, "write") as ledger:
        units = len(ledger.done(ledger.campaigns()[0]))
    whole = write(tmp_path / "whole.db", small_campaign(), reports_of(small_campaign(), range(units)))
    assert contents(path) == contents(whole)


# Trouble that is no damage


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    """A library that makes calls of the system fail."""
    if not shutil.which("cc") or sys.platform != "linux":
        pytest.skip("needs a C compiler, and Linux")
    library = tmp_path_factory.mktemp("faults") / "faults.so"
    source = Path(__file__).parent / "data" / "faults.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library


def camicia_with(library, fault, *words, cwd):
    """Run `camicia` with a fault, in one process."""
    return subprocess.run(
        ["env", f"LD_PRELOAD={library}", f"FAULT={fault}", *command(*words)],
        cwd=cwd, env=environment(), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (f"open {errno.EACCES} hunt.db-shm 99", "SQLite cannot open it or the files beside it"),
        (f"open {errno.EMFILE} hunt.db-wal 99", "SQLite cannot open it or the files beside it"),
        (f"pwrite {errno.ENOSPC} hunt.db-shm 99", "make room on the disk"),
        (f"pread {errno.EIO} hunt.db 9999", "the disk could not be read"),
        (f"fcntl {errno.ENOLCK} hunt.db 9999", r"the file system gives no locks.*keep the ledger on a local"),
        (f"mmap {errno.EINVAL} hunt.db-shm 99", "cannot be mapped into memory"),
    ],
)  # fmt: skip
def test_trouble_of_the_moment_leaves_every_file_as_it_is(backed_up, faults, fault, said):
    folder = backed_up.parent
    before = {name: (folder / name).read_bytes() for name in names(folder)}
    units = contents(backed_up)
    for words in (("status", "hunt.db"), (*WORDS, "--ledger", "hunt.db", "--deals", "1", "--quiet")):
        done = camicia_with(faults, fault, *words, cwd=folder)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
        assert "cannot be used now" in done.stderr and "damaged" not in done.stderr
        assert re.search(said, done.stderr)
        assert all((folder / name).read_bytes() == data for name, data in before.items())
    assert not [name for name in names(folder) if "damaged" in name]
    assert contents(backed_up) == units


@pytest.mark.parametrize("times", [1, 3])
def test_a_read_that_fails_once_is_made_again_or_told(backed_up, faults, times):
    before = contents(backed_up)
    done = camicia_with(
        faults, f"pread {errno.EIO} hunt.db {times}", "status", "hunt.db", cwd=backed_up.parent
    )
    assert "damaged" not in done.stderr and done.returncode in (0, 1)
    assert contents(backed_up) == before


@pytest.mark.parametrize(("call", "ending"), [("flock", "hunt.db.lock"), ("flock", "db"), ("link", "db")])
def test_calls_that_some_file_systems_lack_are_needed_neither_to_write_nor_to_recover(
    backed_up, faults, call, ending
):
    emptied(backed_up)
    words = (*WORDS, "--ledger", "hunt.db", "--deals", "1", "--quiet")
    done = camicia_with(faults, f"{call} {errno.EPERM} {ending} 9999", *words, cwd=backed_up.parent)
    assert done.returncode == 0 and "set aside as 'hunt.db.damaged-1'" in done.stderr
    assert contents(backed_up)[0][1]["units"] == 12


@pytest.mark.parametrize("limit", range(6, 12))
def test_with_few_descriptors_a_ledger_is_read_or_the_lack_of_them_told(backed_up, limit):
    before = {name: (backed_up.parent / name).read_bytes() for name in names(backed_up.parent)}
    for words in (("status", "hunt.db"), ("import", "hunt.db", "none.txt")):
        line = f'ulimit -n {limit} && exec "$@"'
        done = subprocess.run(
            ["sh", "-c", line, "sh", *command(*words)],
            cwd=backed_up.parent, env=environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert "damaged" not in done.stderr and "Traceback" not in done.stderr
    assert {name: (backed_up.parent / name).read_bytes() for name in names(backed_up.parent)} == before


@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal"])
@pytest.mark.parametrize("kind", ["folder", "link"])
def test_what_stands_where_the_log_goes_is_trouble_and_no_damage(backed_up, ending, kind):
    beside = backed_up.with_name(backed_up.name + ending)
    if kind == "folder":
        beside.mkdir()
    else:
        beside.symlink_to("nowhere")
    before = names(backed_up.parent)
    for mode in ("read", "write"):
        with pytest.raises(LedgerTroubleError, match=rf"hunt\.db{ending}' is a .*: move it away"):
            Ledger(backed_up, mode)
    assert names(backed_up.parent) == before


def test_trouble_exits_as_a_failure(path):
    path.with_name("hunt.db-wal").mkdir()
    assert camicia("status", path, cwd=path.parent).returncode == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount")
def test_a_ledger_on_a_full_or_read_only_file_system(tmp_path, reports):
    place = tmp_path / "mount"
    place.mkdir()
    options = "size=400k,nr_inodes=12"
    if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", place], capture_output=True).returncode:
        pytest.skip("cannot mount here")
    try:
        path = write(place / "hunt.db", small_campaign(), reports)
        before = contents(path)
        # No inode is left for the log.
        fillers = []
        with pytest.raises(OSError):
            for number in range(20):
                fillers.append(place / str(number))
                fillers[-1].touch()
        for mode in ("read", "write"):
            with pytest.raises(LedgerTroubleError, match=r"No space left on device .*no inodes are left"):
                Ledger(path, mode)
        for filler in fillers:
            filler.unlink(missing_ok=True)
        # No room is left.
        with pytest.raises(OSError), (place / "filler").open("wb") as file:
            while True:
                file.write(bytes(4096))
                file.flush()
        for mode in ("read", "write"):
            with pytest.raises(LedgerTroubleError, match=r"No space left|make room"):
                Ledger(path, mode)
        (place / "filler").unlink()
        assert contents(path) == before
        # A killed hunt has left a log, but its index is gone.
        with hunt(path, 3) as process:
            kill(process)
        path.with_name("hunt.db-shm").unlink()
        subprocess.run(["mount", "-o", "remount,ro", place], check=True)
        assert contents(path)[0][1]["units"] >= 15
        with pytest.raises(LedgerError, match=r"[Rr]ead-only"):
            Ledger(path, "write")
    finally:
        subprocess.run(["umount", place], check=True)


def test_a_reader_leaves_the_log_of_a_killed_hunt_as_it_is(path):
    with hunt(path, 3) as process:
        kill(process)
    before = {name: (path.parent / name).read_bytes() for name in names(path.parent)}
    assert before["hunt.db-wal"] and contents(path)[0][1]["units"] >= 15
    assert {name: (path.parent / name).read_bytes() for name in names(path.parent)} == before


# What another ledger has left


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
        assert {*range(12), 50} <= ledger.done(ledger.campaigns()[0])
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
        database.execute("UPDATE units SET cards = cards + 1 WHERE unit = 7")
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
    assert b"CREATE TABLE units" in content
    backed_up.write_bytes(content.replace(b"CREATE TABLE units", b"CREATE TABLE unit\xf3", 1))
    with Ledger(backed_up, "write") as ledger:
        assert ledger.totals(ledger.campaigns()[0]).units == 12
    assert "set aside as 'hunt.db.damaged-1'" in caplog.text and "with 12 units" in caplog.text


def test_recovery_keeps_permissions(backed_up):
    backed_up.chmod(0o600)
    emptied(backed_up)
    with Ledger(backed_up, "write") as ledger:
        ledger._backups.make(ledger._database)
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
