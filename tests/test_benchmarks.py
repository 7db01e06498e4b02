"""Every benchmark runs, as small as can be, and prints figures."""

import re
import subprocess
import sys

import pytest
from hunting import environment
from places import ROOT

from camicia.kernels.dispatch import runs

BENCHMARKS = ROOT / "benchmarks"

#: The smallest arguments of each, and how what it prints ends.
SMALL = {
    "climbing": ("--seeds 1 --times 0.1 --deck 12:2:2:2:2", r"\n +0\.1 +\d+ .*\n"),
    "cluster": (
        "--workers 1 --rounds 1 --units 1 --unit-size 1248",
        r"units of no work\n.*\n.*\n  dask / local: \d+\.\d+, .*\n",
    ),
    "dealing": (
        "--repeats 1 --deals 2000 --deck 12:2:2:2:2",
        r"\nrandom_deals +\d+\.\d+.*\nplay_random .*\nplay_random, shared shuffles .*\n",
    ),
    "driver": (
        "--units 300 --workers 2 --sleep 0.05 --rounds 4",
        r"\n300 units that take no time: .*\n.*\n8 units of about 0\.05 s of .*\nworkers busy .*\n",
    ),
    "enumerate": ("--deck 8:1:1:1:1 --places 1 --rounds 1", r"\n8:1:1:1:1 +\d+\.\d+ .*%\n"),
    "gpu": ("--deals 2000 --seconds 0.05", r"\n2,000 deals compared with .*: 0 differ\n(.*\n){5}opencl .*\n"),
    "hunt": (
        "--rounds 1 --seconds 0.5 --alone 0.1 --units 8 --kernel ring",
        r"\nledger: -?\d+ bytes a unit, .* ms a commit, \d+ kB after 8 units\n",
    ),
    "lanes": ("--repeats 1 --deck 12:2:2:2:2", r"\nyardstick +\d+\.\d+[^\n]*\n.*\nbaseline alone .*\n"),
    "price": ("--deals 500000", r"\ngames,\d+,1\n(tree,\d+,\n)*"),
    "war": ("--repeats 1 --games 200 --plain 5", r"\nas-laid +[\d,]+/s .*\nwinner-first .*\n"),
    "ledger": (
        "--units 2000 --cycles 100 --ledgers 3 --merged-units 20 --commits 5 --rounds 1",
        r"\nmerged 3 ledgers of 20 units each: .*\nmerge +\d+\.\d+ seconds +under 60\n",
    ),
    "walk": ("--repeats 1", r"\n +1 +[\d,]+ +\d+\.\d.*\nratio: .*\n"),
    "wander": ("--seconds 0.2 --unit-size 20000", r"\n +1 +[\d,]+ +0\.\d+ .*\n"),
}

#: Extras that a benchmark needs.
NEEDS = {"cluster": "distributed", "driver": "distributed"}


def test_every_benchmark_is_run():
    assert {path.stem for path in BENCHMARKS.glob("*.py")} == set(SMALL)


@pytest.mark.parametrize("name", SMALL)
def test_a_benchmark_runs(name, tmp_path):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name], reason="an extra is not installed")
    if name == "gpu" and not runs("opencl"):
        pytest.skip("there is no OpenCL device")
    words, ending = SMALL[name]
    done = subprocess.run(
        [sys.executable, BENCHMARKS / f"{name}.py", *words.split()],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert re.search(rf"{ending}\Z", done.stdout, re.DOTALL), done.stdout
    assert not list(tmp_path.iterdir())
