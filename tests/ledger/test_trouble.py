"""Trouble that is no damage: every file stays as it is, and the message names the trouble."""

import errno
import os
import re
import shutil
import subprocess
import sys

import pytest
from hunting import camicia, command, contents, environment, small_campaign, write
from ledgers import WORDS, emptied, hunt, kill, names
from places import DATA

from search.errors import LedgerError, LedgerTroubleError
from search.ledger import Ledger


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    """A library that makes calls of the system fail."""
    if not shutil.which("cc") or sys.platform != "linux":
        pytest.skip("needs a C compiler, and Linux")
    library = tmp_path_factory.mktemp("faults") / "faults.so"
    source = DATA / "faults.c"
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
