"""One writer a file, whatever names it has: the lock, and the note beside it."""

import errno
import os
import subprocess
import sys

import pytest
from hunting import contents, reports_of, small_campaign, write
from ledgers import hunt, kill, names

from search.errors import LedgerError
from search.ledger import Ledger, locks
from search.ledger.placing import backup_of


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
                    "c.execute('SELECT count(*) FROM blocks').fetchall(); c.close()",
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
            assert committed <= set(ledger.done(ledger.campaigns()[0]))
    with Ledger(link, "write") as ledger:
        units = len(ledger.done(ledger.campaigns()[0]))
    whole = write(tmp_path / "whole.db", small_campaign(), reports_of(small_campaign(), range(units)))
    assert contents(path) == contents(whole)
