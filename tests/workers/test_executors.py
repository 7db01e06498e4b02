"""Local workers: what they are like, and that none is left behind."""

import os
import re
import signal
import subprocess
import sys
import threading
import time

import pytest
from hunting import environment
from processes import gone, is_running, needs_proc

from search.errors import HuntError, WorkerLost
from search.workers.local import BrokenPool, LocalPool
from search.workers.process import NICENESS


def test_workers_are_nice_and_never_see_an_interrupt():
    with LocalPool(1) as pool:
        assert pool.submit(os.getpriority, os.PRIO_PROCESS, 0).result() == min(19, os.nice(0) + NICENESS)
        pid = pool.submit(os.getpid).result()
        os.kill(pid, signal.SIGINT)
        assert pool.submit(os.getpid).result() == pid
        # The parent's own mask is as it was.
        assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@needs_proc
def test_killing_ends_workers_in_the_middle_of_a_call():
    pool = LocalPool(2)
    pids = {pool.submit(os.getpid).result() for _ in range(10)}
    futures = [pool.submit(time.sleep, 60) for _ in range(5)]
    started = time.monotonic()
    pool.kill()
    assert time.monotonic() - started < 5
    assert gone(pids) and all(future.done() for future in futures)


PARENT = """
import os, time
from search.workers import LocalPool

if __name__ == "__main__":
    pool = LocalPool(2)
    print(*{pool.submit(os.getpid).result() for _ in range(10)}, flush=True)
    for _ in range(4):
        pool.submit(time.sleep, 600)
    time.sleep(600)
"""


@needs_proc
def test_workers_go_when_their_parent_is_killed(tmp_path):
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    parent = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment(),
    )
    with parent:
        pids = list(map(int, parent.stdout.readline().split()))
        assert pids and all(map(is_running, pids))
        parent.kill()
    assert gone(pids)


KILLED = """
import multiprocessing, os, signal, time
from search.workers import LocalPool

if __name__ == "__main__":
    pool = LocalPool(2)
    for _ in range(2):
        pool.submit(time.sleep, 600)
    while len(multiprocessing.active_children()) < 2:
        time.sleep(0.001)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_workers_say_nothing_if_their_parent_is_killed_while_they_start(tmp_path):
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, env=environment(), timeout=120
    )
    assert (done.returncode, done.stderr) == (-signal.SIGKILL, "")


def starve():
    """What a call does that asks for more memory than there is."""
    raise MemoryError("no room for a list")


def end():
    """What a call does that brings its worker down."""
    os._exit(7)


def test_a_worker_without_memory_is_replaced():
    with LocalPool(1) as pool:
        pid = pool.submit(os.getpid).result()
        with pytest.raises(WorkerLost, match=f"worker {pid} has no memory left"):
            pool.submit(starve).result()
        assert pool.submit(os.getpid).result() != pid


def test_a_worker_that_dies_or_is_killed_is_replaced():
    with LocalPool(1) as pool:
        with pytest.raises(WorkerLost, match=r"ended \(exit code 7\)"):
            pool.submit(end).result()
        pid = pool.submit(os.getpid).result()
        # One that dies while it has nothing to do costs no call.
        os.kill(pid, signal.SIGKILL)
        assert gone([pid])
        assert pool.submit(os.getpid).result() != pid


@needs_proc
def test_a_worker_that_hangs_is_replaced_once_it_is_known_what_is_usual():
    with LocalPool(2, hang_factor=20, hang_seconds=1) as pool:
        assert pool.patience is None
        pool.submit(abs, 1).result()
        assert pool.patience == 1
        started = time.monotonic()
        with pytest.raises(WorkerLost, match="hung: no answer in"):
            pool.submit(time.sleep, 600).result()
        assert 0.9 < time.monotonic() - started < 30
        assert pool.submit(abs, -3).result() == 3


def test_what_a_call_raises_comes_back_and_the_worker_stays():
    with LocalPool(1) as pool:
        pid = pool.submit(os.getpid).result()
        with pytest.raises(ValueError, match="invalid literal"):
            pool.submit(int, "x").result()
        with pytest.raises(Exception, match="pickle"):
            pool.submit(lambda: 1).result()
        assert pool.submit(os.getpid).result() == pid


BROKEN = """
import os, sys
from concurrent.futures import BrokenExecutor
from search.workers import LocalPool

if __name__ == "__main__":
    pool = LocalPool(1)
    try:
        pool.submit(abs, 1).result(60)
    except BrokenExecutor as error:
        print(error)
    pool.kill()
else:
    print("No module named 'missing'", file=sys.stderr, flush=True)
    os._exit(1)
"""


def test_workers_that_never_start_break_the_pool(tmp_path):
    script = tmp_path / "broken.py"
    script.write_text(BROKEN)
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, env=environment(), timeout=120
    )
    assert re.fullmatch(
        r"3 workers in a row died before they were ready: worker \d+ ended \(exit code 1\): "
        r"No module named 'missing'\n",
        done.stdout,
    )
    # Passed on once, and not printed by each of them as well.
    assert done.stderr == ""


SPEAKING = """
import sys
from search.workers import LocalPool

def speak():
    print("from the worker", file=sys.stderr, flush=True)

if __name__ == "__main__":
    with LocalPool(1) as pool:
        pool.submit(speak).result(60)
"""


def test_what_workers_print_once_they_are_ready_is_seen(tmp_path):
    script = tmp_path / "speaking.py"
    script.write_text(SPEAKING)
    words = [sys.executable, str(script)]
    done = subprocess.run(words, capture_output=True, text=True, env=environment(), timeout=120)
    assert (done.returncode, done.stderr) == (0, "from the worker\n")


def test_no_room_for_threads_is_one_line(monkeypatch):
    def start(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(HuntError, match=r"cannot be started \(can't start new thread\).*ulimit -u"):
        LocalPool(1)


def test_no_room_for_processes_is_the_cause_that_is_told(monkeypatch):
    def start(process):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("multiprocessing.context.SpawnProcess.start", start)
    with LocalPool(1) as pool, pytest.raises(BrokenPool, match="Resource temporarily unavailable"):
        pool.submit(abs, 1).result(60)
