"""Ctrl-C in the first moments of the command, and at its end: no traceback, whatever is being imported."""

import signal
import subprocess
import sys

import pytest
from hunting import environment

from search.cli import main

#: Interrupts the process as a module begins to be imported, as Ctrl-C would.
INTERRUPTING = """
import os, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ.get("INTERRUPT_AT"):
            os.kill(os.getpid(), signal.SIGINT)
        return None

sys.meta_path.insert(0, Interrupting())
if os.environ.get("INTERRUPT_AT") == "the end":
    import atexit
    atexit.register(os.kill, os.getpid(), signal.SIGINT)
"""


@pytest.mark.parametrize(
    ("moment", "ignored"),
    [
        *[(name, False) for name in ("logging", "camicia", "numpy", "argparse", "search.commands", "typing")],
        ("the end", False),
        ("numpy", True),
    ],
)
def test_an_interrupt_in_the_first_moments_ends_at_once(tmp_path, moment, ignored):
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTING)
    path = f"{tmp_path}:{environment()['PYTHONPATH']}"

    def heed():
        signal.signal(signal.SIGINT, signal.SIG_IGN if ignored else signal.default_int_handler)

    done = subprocess.run(
        [sys.executable, "-m", "search", "play", "J/-J"],
        env=environment() | {"PYTHONPATH": path, "INTERRUPT_AT": moment},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=heed,
    )
    assert done.stderr == ""
    assert done.returncode == (0 if ignored else 130)
    # At the end the work is done, and has been told.
    assert bool(done.stdout) == (ignored or moment == "the end")


def test_interrupts_are_left_alone_where_the_command_is_called(capsys):
    before = signal.getsignal(signal.SIGINT)
    assert main(["play", "J/-J"]) == 0
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize(
    ("error", "text"), [(MemoryError(), "out of memory;"), (MemoryError("for x"), "(for x);")]
)
def test_a_memory_error_is_never_without_a_word(monkeypatch, capsys, error, text):
    def starve(arguments):
        raise error

    monkeypatch.setattr("search.commands.play.run", starve)
    assert main(["play", "J/-J"]) == 1
    line = capsys.readouterr().err
    assert line.startswith("camicia: out of memory") and text in line and line.count("\n") == 1
