"""What tests of whole processes share: a hunt that is started, its family, and whether it is gone."""

import glob
import os
import signal
import subprocess
import time

import pytest
from hunting import command, contents, environment

from search.errors import LedgerError

#: A campaign of 48 units that take a tenth of a second or so each; it has many loops and ties.
WORDS = ("search", "sample", "--deck", "12:2:2:0:0", "--seed", "7", "--unit-size", "320000", "--keep", "20")
SIZE = 320_000
GOAL = ("--deals", str(48 * SIZE))


def start(*words, cwd, **options):
    """Start `camicia` and do not wait."""
    return subprocess.Popen(
        command(*words),
        cwd=cwd,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Where tests run in the background of a shell, Ctrl-C is ignored, and would be in the command too.
        **{"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)} | options,
    )


def family(process):
    """A process and all that have sprung from it, by number."""
    pids, young = [], [process.pid]
    while young:
        pid = young.pop()
        pids.append(pid)
        # A process is the child of the thread that started it.
        for path in glob.glob(f"/proc/{pid}/task/*/children"):
            try:
                with open(path) as file:
                    young += map(int, file.read().split())
            except (FileNotFoundError, ProcessLookupError):
                pass
    return pids


def units(path):
    """Units that a ledger holds, 0 while it is none or is just being made."""
    try:
        return contents(path)[0][1]["units"]
    except (LedgerError, IndexError):
        return 0


def wait_for_units(process, path, number=1):
    """Wait until so many units are committed; returns the family of the process then."""
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        if units(path) >= number:
            return family(process)
        time.sleep(0.05)
    raise AssertionError(f"no {number} units: {process.communicate()}")


def is_running(pid):
    """Whether a process is there and not only waiting to be buried."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            is_dead = file.read().rpartition(")")[2].split()[0] == "Z"
        # While another of its threads is ending, what it had open is not closed yet.
        return not is_dead or len(os.listdir(f"/proc/{pid}/task")) > 1
    except (FileNotFoundError, ProcessLookupError):
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
