"""Local workers: what they are like, and that none is left behind."""

import os
import signal
import subprocess
import sys
import time

import pytest
from hunting import environment

from search.executors import NICENESS, LocalPool


def is_running(pid):
    """Whether a process is there and not only waiting to be buried."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def gone(pids, seconds=10.0):
    """Whether all the processes are gone before the time is."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not any(map(is_running, pids)):
            return True
        time.sleep(0.02)
    return False


needs_proc = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="looks at processes in /proc")


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
from search.executors import LocalPool

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
    # What Python says when it is killed in the middle of starting a worker is no concern of ours.
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
