"""Faults in real processes and files: the rows of the table in docs/faults.md."""

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest
from hunting import camicia, command, contents, documented, environment
from processes import GOAL, SIZE, WORDS, family, gone, is_running, needs_proc, start, units, wait_for_units

from search.ledger.schema import COLUMNS, row_checksum

NAME = "sample-12-2-2-0-0.db"

#: The page size of ledgers.
PAGE = 4096


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A whole campaign's ledger and an older backup of it, made by a hunt that makes them all the time."""
    folder = tmp_path_factory.mktemp("sound")
    # The second run begins with a backup of what the first has done.
    for goal in (("--deals", str(20 * SIZE)), GOAL):
        done = camicia(*WORDS, *goal, "--backup-every", "0.01s", "--quiet", cwd=folder)
        assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in folder.iterdir()) == [NAME, f"{NAME}.backup"]
    return folder


@pytest.fixture(scope="module")
def whole(sound):
    """What the campaign comes to if nothing happens."""
    return contents(sound / NAME)


@pytest.fixture
def folder(tmp_path, sound):
    """A copy of the ledger and its backup, to be damaged."""
    for path in sound.iterdir():
        shutil.copy(path, tmp_path)
    return tmp_path


def workers_of(process):
    """The workers among the processes of a hunt: they alone are nice."""
    return [pid for pid in family(process)[1:] if os.getpriority(os.PRIO_PROCESS, pid) > os.nice(0)]


def finish(process):
    """Wait for the end of a hunt; returns what it said."""
    _, errors = process.communicate(timeout=120)
    assert b"Traceback" not in errors
    return errors.decode()


@needs_proc
def test_a_killed_worker_is_replaced(tmp_path, whole):
    with start(*WORDS, *GOAL, "--workers", "2", cwd=tmp_path) as process:
        pids = wait_for_units(process, tmp_path / NAME)
        os.kill(workers_of(process)[0], signal.SIGKILL)
        errors = finish(process)
    assert process.returncode == 0, errors
    assert contents(tmp_path / NAME) == whole and gone(pids)
    # One that was killed between two units has lost none.
    assert "killed by SIGKILL; it is run again (1 of 3)" in errors or "run again" not in errors


@needs_proc
def test_a_stopped_worker_is_replaced(tmp_path, whole):
    words = (*WORDS, *GOAL, "--workers", "2", "--hang-after", "3s")
    with start(*words, cwd=tmp_path) as process:
        pids = wait_for_units(process, tmp_path / NAME)
        os.kill(workers_of(process)[0], signal.SIGSTOP)
        errors = finish(process)
    assert process.returncode == 0, errors
    assert re.search(r"unit \d+: worker \d+ hung: no answer in \d+ s; it is run again", errors)
    assert contents(tmp_path / NAME) == whole and gone(pids)


@needs_proc
def test_a_hunt_that_was_stopped_as_a_whole_goes_on(tmp_path, whole):
    words = (*WORDS, *GOAL, "--workers", "2", "--hang-after", "3s")
    with start(*words, cwd=tmp_path) as process:
        pids = wait_for_units(process, tmp_path / NAME)
        for number in (signal.SIGSTOP, signal.SIGCONT):
            for pid in pids:
                os.kill(pid, number)
            time.sleep(6 if number is signal.SIGSTOP else 0)
        errors = finish(process)
    assert process.returncode == 0, errors
    # The time in which nobody ran is no worker's fault.
    assert "hung" not in errors and contents(tmp_path / NAME) == whole


@needs_proc
def test_a_killed_driver_loses_only_units_in_flight(tmp_path, whole):
    with start(*WORDS, *GOAL, "--workers", "2", cwd=tmp_path) as process:
        pids = wait_for_units(process, tmp_path / NAME, 3)
        process.kill()
    assert gone(pids) and 3 <= units(tmp_path / NAME) < 48
    done = camicia(*WORDS, *GOAL, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert contents(tmp_path / NAME) == whole


@needs_proc
def test_sigterm_commits_and_ends(tmp_path, whole):
    with start(*WORDS, *GOAL, "--workers", "2", cwd=tmp_path) as process:
        pids = wait_for_units(process, tmp_path / NAME, 3)
        process.terminate()
        errors = finish(process)
    assert process.returncode == 130 and "To resume: camicia search" in errors
    assert gone(pids) and camicia(*WORDS, *GOAL, cwd=tmp_path).returncode == 0
    assert contents(tmp_path / NAME) == whole


def test_a_backup_is_sound_and_older(sound, whole):
    backup = contents(sound / f"{NAME}.backup")
    assert 20 <= backup[0][1]["units"] < 48
    assert all(unit in whole[0][4] for unit in backup[0][4])


def truncated(path):
    """Cut a file in the middle."""
    os.truncate(path, path.stat().st_size // 2 // PAGE * PAGE + 100)


def page_overwritten(path):
    """Overwrite a page in the middle."""
    page_changed(path, path.stat().st_size // PAGE // 2)


def beginning_overwritten(path):
    """Overwrite the first page."""
    page_changed(path, 0)


def page_changed(path, number):
    with path.open("r+b") as file:
        file.seek(number * PAGE)
        file.write(bytes(index * 37 % 256 for index in range(PAGE)))


def emptied(path):
    """Leave nothing of a file."""
    os.truncate(path, 0)


def value_changed(path):
    """Change a number behind SQLite's back, so that the structure stays sound."""
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE blocks SET cards = cards + 1 WHERE unit = 7")
    connection.close()


DAMAGES = [truncated, page_overwritten, beginning_overwritten, emptied, value_changed]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_ledger_is_set_aside_and_its_backup_recovered(folder, whole, damage):
    path = folder / NAME
    damage(path)
    damaged = path.read_bytes()
    # Who only looks changes nothing, and is told what to do.
    done = camicia("status", NAME, cwd=folder)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "damaged" in done.stderr and "goes back to its backup" in done.stderr
    assert path.read_bytes() == damaged
    held = units(folder / f"{NAME}.backup")
    done = camicia(*WORDS, "--deals", 1, "--quiet", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert f"set aside as '{NAME}.damaged-1'" in done.stderr and f"with {held} units" in done.stderr
    assert "is lost, and is done again" in done.stderr
    assert (folder / f"{NAME}.damaged-1").read_bytes() == damaged
    assert units(path) == held
    assert camicia(*WORDS, *GOAL, cwd=folder).returncode == 0
    assert contents(path) == whole


def test_a_damaged_ledger_without_a_backup_is_left_alone(folder):
    path = folder / NAME
    (folder / f"{NAME}.backup").unlink()
    page_overwritten(path)
    damaged = path.read_bytes()
    done = camicia(*WORDS, *GOAL, cwd=folder)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "damaged" in done.stderr and "has no backup" in done.stderr
    assert path.read_bytes() == damaged and len(list(folder.iterdir())) == 1


def test_a_damaged_backup_is_not_gone_back_to(folder):
    for path in folder.iterdir():
        page_overwritten(path)
    done = camicia(*WORDS, *GOAL, cwd=folder)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "nor can its backup be used" in done.stderr
    assert len(list(folder.iterdir())) == 2


def test_a_lost_ledger_is_not_begun_anew_beside_its_backup(folder, whole):
    (folder / NAME).unlink()
    done = camicia(*WORDS, *GOAL, cwd=folder)
    assert done.returncode == 2 and "is not there but its backup" in done.stderr
    assert "`camicia restore`" in done.stderr
    assert camicia("restore", NAME, cwd=folder).returncode == 0
    assert camicia(*WORDS, *GOAL, cwd=folder).returncode == 0
    assert contents(folder / NAME) == whole


def test_a_second_driver_is_refused_and_told_of_the_first(tmp_path):
    with start(*WORDS, cwd=tmp_path) as process:
        wait_for_units(process, tmp_path / NAME)
        done = camicia(*WORDS, cwd=tmp_path)
        assert done.returncode == 2
        assert f"another hunt writes it (process {process.pid} on {os.uname().nodename})" in done.stderr
        assert process.poll() is None
        process.terminate()
        finish(process)
    assert process.returncode == 130


#: Sets the clock of a process back by a day once a file is there; all clocks but that of the day are right.
CLOCK = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static time_t back(void) { return access("set-back", F_OK) ? 0 : 86400; }
int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int failed = real(clock, now);
    if (clock == CLOCK_REALTIME) now->tv_sec -= back();
    return failed;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec exact;
    int failed = clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec, now->tv_usec = exact.tv_nsec / 1000;
    return failed;
}
time_t time(time_t *when) {
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (when) *when = exact.tv_sec;
    return exact.tv_sec;
}
"""


@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
def test_a_clock_set_back_changes_nothing(tmp_path, whole):
    (tmp_path / "clock.c").write_text(CLOCK)
    library = tmp_path / "clock.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, tmp_path / "clock.c", "-ldl"], check=True)
    words = (*WORDS, *GOAL, "--backup-every", "0.5s", "--workers", "2")
    with subprocess.Popen(
        ["env", f"LD_PRELOAD={library}", *command(*words)],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        wait_for_units(process, tmp_path / NAME, 3)
        (tmp_path / "set-back").touch()
        errors = finish(process)
    assert process.returncode == 0, errors
    assert contents(tmp_path / NAME) == whole
    # It was set back indeed, and backups went on.
    committed = {row["committed"] for row in read_rows(tmp_path / NAME, "SELECT unit, committed FROM blocks")}
    assert max(committed) - min(committed) > 80_000
    run = documented("status", NAME, cwd=tmp_path)["campaigns"][0]["runs"][0]
    assert 0 <= run["seconds"] < 120


def read_rows(path, query):
    """Rows of a ledger, by name."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def test_verify_finds_what_was_changed_with_all_checksums_right(folder):
    path = folder / NAME
    assert camicia("verify", NAME, "--fraction", "0.1", cwd=folder).returncode == 0
    connection = sqlite3.connect(path)
    with connection:
        for table, column, name in (("blocks", "checksum", None), ("totals", "value", "checksum")):
            where = "unit = 7" if table == "blocks" else f"name = '{name}'"
            columns = COLUMNS[table]
            (row,) = connection.execute(f"SELECT {', '.join(columns)} FROM {table} WHERE {where}").fetchall()
            values = list(row)
            place = columns.index(column)
            values[place] = values[place] + 1 if table == "blocks" else str(int(values[place]) + 1)
            connection.execute(
                f"UPDATE {table} SET {column} = ?, check_sum = ? WHERE {where}",
                (values[place], row_checksum(values)),
            )
    connection.close()
    assert camicia("status", NAME, cwd=folder).returncode == 0
    done = camicia("verify", NAME, "--fraction", "1", "--quiet", cwd=folder)
    assert done.returncode == 3, done.stderr
    assert "unit 7 of campaign" in done.stdout and "checksum is" in done.stdout
    # The unit, and the total that no longer is the sum of the units.
    assert done.stdout.count("\n") == 2 and done.stderr.endswith("2 results not confirmed\n")


def test_no_process_was_left_behind():
    for path in Path("/proc").glob("[0-9]*/environ"):
        pid = int(path.parts[2])
        assert pid == os.getpid() or not (is_running(pid) and _is_ours(pid)), pid


def _is_ours(pid):
    """Whether a process has lost its parent and is of a test of this file."""
    try:
        parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        return parent == 1 and f"/{Path(__file__).name}::" in Path(f"/proc/{pid}/environ").read_text()
    except (OSError, UnicodeDecodeError):
        return False
