"""The example scripts run, and come to what they say."""

import os
import re
import subprocess
import sys

import pytest
from hunting import environment
from places import ROOT

EXAMPLES = ROOT / "examples"


def run(*words, cwd, **variables):
    done = subprocess.run(
        words, cwd=cwd, env=environment() | variables, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_survival(tmp_path):
    shown = run(sys.executable, EXAMPLES / "survival.py", "320000", cwd=tmp_path)
    halving, error = map(float, re.search(r"halve every ([\d.]+) ± ([\d.]+) tricks", shown).groups())
    assert abs(halving - 20) < 5 * error < 5
    wins, error = map(float, re.search(r"wins ([\d.]+) ± ([\d.]+) of the games", shown).groups())
    assert abs(wins - 0.5) < 0.01 and error < 0.01


@pytest.mark.slow
def test_benchmark(tmp_path):
    shown = run(sys.executable, EXAMPLES / "benchmark.py", cwd=tmp_path)
    assert "right on 500 random deals" in shown and "ring" in shown and "textbook" in shown


@pytest.mark.slow
def test_long_hunt(tmp_path):
    # The script calls `camicia`, as whoever has installed it can; here it is this checkout's.
    command = tmp_path / "bin" / "camicia"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m search "$@"\n')
    command.chmod(0o755)
    path = os.pathsep.join([str(command.parent), os.environ["PATH"]])
    for _ in range(2):
        shown = run(EXAMPLES / "long_hunt.sh", tmp_path / "hunt", cwd=tmp_path, PATH=path, TIME="3s")
        assert re.search(r"Player [AB] wins after [\d,]+ cards", shown)
    folder = tmp_path / "hunt"
    assert {"report.html", "best.html", "finds.csv", "backup.db"} <= {path.name for path in folder.iterdir()}
    shown = run(command, "status", "backup.db", cwd=folder)
    assert "deals" in shown and "checksum" in shown
