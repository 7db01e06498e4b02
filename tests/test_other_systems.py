"""Playing, viewing and calling from Python need nothing that only POSIX systems have."""

import subprocess
import sys

import pytest

#: What a Python on Windows lacks.
WITHOUT = """
import importlib.abc, os, signal, sys
import numpy  # finds out for itself which system it runs on

class Lacking(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name in ("fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "syslog"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Lacking())
for name in [name for name in vars(signal) if name.startswith("SIG") and "_" not in name]:
    if name not in ("SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM"):
        delattr(signal, name)
for name in ("pthread_sigmask", "setitimer", "alarm", "pause", "sigwait", "siginterrupt"):
    delattr(signal, name)
for name in ("fork", "forkpty", "sched_getaffinity", "sched_setaffinity", "getuid", "geteuid", "getpgrp",
             "getpgid", "tcgetpgrp", "mkfifo", "statvfs", "fchown", "chown", "fchmod",
             "O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "uname"):
    if hasattr(os, name):
        delattr(os, name)
"""


def run_without(code, folder):
    """What a program prints where only what every system has is there."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT + code], cwd=folder, capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def command(*words):
    """A program that runs the command."""
    return f"from search.cli import main\nsys.exit(main({list(words)!r}))"


def test_calls_from_python(tmp_path):
    printed = run_without(
        "from camicia import STANDARD, random_deals, simulate, simulate_many\n"
        "print(simulate('J--/-J-').status.name, len(simulate_many(random_deals(STANDARD, 1000, seed=1))))\n",
        tmp_path,
    )
    assert printed == "LOOP 1000\n"


@pytest.mark.parametrize(
    "module", ["search", "search.cli", "search.ledger", "search.workers", "search.report"]
)
def test_the_hunt_is_imported(module, tmp_path):
    run_without(f"import {module}", tmp_path)


def test_deals_are_played(tmp_path):
    assert "never ends" in run_without(command("play", "J--/-J-"), tmp_path)
    assert '"cards": 8' in run_without(command("play", "--json", "J--/-J-"), tmp_path)


def test_deals_are_viewed(tmp_path):
    run_without(command("view", "J--/-J-", "--out", "page.html"), tmp_path)
    assert "J--/-J-" in (tmp_path / "page.html").read_text()


def test_a_ledger_says_what_it_needs(tmp_path):
    words = ["search", "sample", "--deck", "8:1:1:1:1", "--deals", "1000", "--ledger", "any.db"]
    printed = run_without(
        f"sys.stderr = sys.stdout\nfrom search.cli import main\nprint(main({words!r}))\n", tmp_path
    )
    assert "WSL" in printed and "Traceback" not in printed and printed.endswith("\n1\n")
