"""The recipes for Slurm: an array of hunts, and Dask workers in jobs, on a Slurm that runs here."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hunting import camicia, contents
from places import ROOT
from processes import GOAL, WORDS, units
from shown import Shell
from slurm import Slurm, why_no_slurm

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(why_no_slurm()), reason=str(why_no_slurm()))]

ARRAY, MERGE = ROOT / "examples" / "slurm_array.sh", ROOT / "examples" / "slurm_merge.sh"

#: Deals of a unit.
SIZE = 1_920_000

#: A campaign that keeps each of three tasks busy for some seconds.
CAMPAIGN = ("sample", "--deck", "12:2:2:0:0", "--seed", "7", "--unit-size", str(SIZE), "--keep", "20")
DEALS = ("--deals", str(300 * SIZE))


@pytest.fixture(scope="module")
def slurm():
    """A Slurm of one node."""
    with tempfile.TemporaryDirectory(prefix="slurm-") as folder:
        Path(folder).chmod(0o755)
        made = Slurm(Path(folder))
        try:
            yield made
        finally:
            made.end()


@pytest.fixture
def submit(tmp_path, slurm):
    """Submits a script with small requests; returns the number of the job."""
    (tmp_path / "jobs").mkdir()
    shell = Shell(tmp_path / "jobs")

    def submit(script, *options, **variables):
        small = ("--parsable", "--cpus-per-task=1", "--time=10")
        environment = shell.environment | slurm.environment | variables
        return slurm.ask("sbatch", *small, *options, script, cwd=shell.folder, env=environment).strip()

    return submit


def test_tasks_requeued_and_killed_lose_nothing_and_double_nothing(tmp_path, slurm, submit):
    hunt = tmp_path / "jobs" / "hunt"
    ledgers = [hunt / "ledgers" / f"task-{number}.db" for number in (1, 2, 3)]
    variables = {"CAMPAIGN": " ".join((*CAMPAIGN, *DEALS)), "PARTS": "3", "EVERY": "1s"}
    first = submit(ARRAY, "--array=1-3", **variables)
    # The same tasks again: they wait until all of the first array have ended.
    second = submit(ARRAY, "--array=1-3", **variables)
    merge = submit(MERGE, f"--dependency=afterany:{second}", FRACTION="0.05")
    slurm.wait(lambda: all(ledger.exists() and units(ledger) for ledger in ledgers))
    assert f"{second}_1 PENDING" in slurm.queue() and f"{first}_2 RUNNING" in slurm.queue()
    slurm.ask("scontrol", "requeue", f"{first}_2")
    slurm.ask("scancel", "--signal=KILL", "--full", slurm.number(f"{first}_1"))
    # Otherwise Slurm waits two minutes.
    slurm.wait(lambda: f"{first}_2 PENDING" in slurm.queue())
    slurm.ask("scontrol", "update", f"JobId={first}_2", "StartTime=now")
    slurm.wait(lambda: not slurm.queue())
    assert slurm.state(merge) == "COMPLETED", (tmp_path / "jobs" / "camicia-merge.log").read_text()
    said = (tmp_path / "jobs" / "camicia-2.log").read_text()
    assert "Interrupted; everything done is saved" in said
    assert camicia("search", *CAMPAIGN, *DEALS, "--ledger", "alone.db", cwd=tmp_path).returncode == 0
    # All but the blocks: how units are folded depends on the merge.
    whole, alone = (contents(path)[0][:4] for path in (hunt / "whole.db", tmp_path / "alone.db"))
    assert whole == alone
    assert {"report.html", "finds.csv", "ledgers", "whole.db"} == {path.name for path in hunt.iterdir()}
    # More deals later: the whole grows.
    more = variables | {"CAMPAIGN": " ".join((*CAMPAIGN, "--deals", str(309 * SIZE)))}
    third = submit(ARRAY, "--array=2", **more)
    again = submit(MERGE, f"--dependency=afterany:{third}", FRACTION="0.05")
    slurm.wait(lambda: not slurm.queue())
    said = (tmp_path / "jobs" / "camicia-merge.log").read_text()
    assert slurm.state(again) == "COMPLETED" and "read 1 of 3 ledgers" in said
    assert units(hunt / "whole.db") == 303


def test_the_time_limit_ends_a_task_after_a_clean_commit(tmp_path, slurm, submit):
    # Slurm may send the signal up to a minute early.
    job = submit(
        ARRAY, "--array=7", "--time=1", "--signal=B:TERM@30", CAMPAIGN=" ".join(CAMPAIGN[:3]), TIME="1h"
    )
    slurm.wait(lambda: not slurm.queue())
    log = (tmp_path / "jobs" / "camicia-7.log").read_text()
    assert slurm.state(f"{job}_7") == "COMPLETED" and "Interrupted; everything done is saved" in log
    assert units(tmp_path / "jobs" / "hunt" / "ledgers" / "task-7.db") > 0


def test_dask_workers_in_jobs(tmp_path, slurm):
    pytest.importorskip("dask_jobqueue", reason="dask-jobqueue is not installed")
    (tmp_path / "hunt").mkdir()
    shell = Shell(tmp_path / "hunt")
    words = ("--processes", "2", "--jobs", "2", "--megabytes", "300", "--", *WORDS[1:], *GOAL)
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "dask_cluster.py", "slurm", *words, "--ledger", "hunt.db"],
        cwd=shell.folder,
        env=shell.environment | slurm.environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert camicia(*WORDS, *GOAL, "--ledger", "alone.db", cwd=tmp_path).returncode == 0
    assert contents(shell.folder / "hunt.db") == contents(tmp_path / "alone.db")
    slurm.wait(lambda: not slurm.queue())
