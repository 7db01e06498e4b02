"""Hunts on a Dask cluster: a real scheduler and real workers on this machine, lost and added."""

import os
import re
import signal
import time

import pytest
from clusters import Cluster
from hunting import camicia, contents, documented, environment, small_campaign
from processes import GOAL, SIZE, WORDS, needs_proc, start, units, wait_for_units

from search.driver import Hunt
from search.errors import HuntError
from search.ledger import Ledger
from search.workers import ClusterExecutor

pytest.importorskip("distributed")
pytestmark = [pytest.mark.slow, needs_proc]


@pytest.fixture
def cluster(tmp_path_factory):
    """A scheduler with two workers."""
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        made.workers = [made.worker(), made.worker()]
        yield made
    finally:
        made.end()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """What the campaign comes to on this machine alone."""
    folder = tmp_path_factory.mktemp("local")
    assert camicia(*WORDS, *GOAL, cwd=folder).returncode == 0
    return contents(folder / "sample-12-2-2-0-0.db")


def test_workers_lost_and_added_change_nothing(tmp_path, cluster, whole):
    path = tmp_path / "hunt.db"
    with start(*WORDS, *GOAL, "--ledger", path, "--dask", cluster.address, cwd=tmp_path) as process:
        wait_for_units(process, path, 3)
        # In the middle of a unit: stopped first, so that it surely has one.
        cluster.workers[0].send_signal(signal.SIGSTOP)
        time.sleep(0.5)
        cluster.workers[0].kill()
        at_loss = units(path)
        third = cluster.worker()
        _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert at_loss < 48 and third.poll() is None
    assert contents(path) == whole
    assert camicia("verify", path, "--fraction", "0.1", cwd=tmp_path).returncode == 0


def test_a_cluster_that_is_lost_is_a_failure_that_loses_nothing(tmp_path, cluster, whole):
    path = tmp_path / "hunt.db"
    words = (*WORDS, *GOAL, "--ledger", path, "--dask", cluster.address, "--reconnect", "3s")
    with start(*words, cwd=tmp_path) as process:
        wait_for_units(process, path, 2)
        cluster.end()
        _, errors = process.communicate(timeout=120)
    assert process.returncode == 1, errors
    # Dask has much to say of it, which nobody is to read.
    # An answer that was on its way may be lost first, which is said in a line of its own.
    beside = (b"deals, ", b"it is run again")
    lines = [line for line in errors.splitlines() if not any(part in line for part in beside)]
    assert len(lines) == 2 and all(b"the scheduler is gone" in line for line in lines), errors
    assert b"waiting for it" in lines[0]
    # The same command goes on, here without a cluster.
    assert camicia(*WORDS, *GOAL, "--ledger", path, cwd=tmp_path).returncode == 0
    assert contents(path) == whole


def test_a_scheduler_that_comes_back_is_used(tmp_path, cluster, whole):
    path = tmp_path / "hunt.db"
    with start(*WORDS, *GOAL, "--ledger", path, "--dask", cluster.address, cwd=tmp_path) as process:
        wait_for_units(process, path, 2)
        cluster.end()
        at_loss = units(path)
        cluster.again()
        cluster.worker()
        _, errors = process.communicate(timeout=180)
    assert process.returncode == 0, errors
    assert at_loss < 48 and b"waiting for it" in errors and b"the scheduler is back" in errors
    assert contents(path) == whole


def test_a_stopped_scheduler_ends_the_hunt_once_its_silence_is_too_long(tmp_path, cluster):
    executor = ClusterExecutor(cluster.address, silence=1)
    with Ledger(tmp_path / "hunt.db", "create") as ledger:
        entry = ledger.enter(small_campaign())
        hunt = Hunt(ledger, entry, executor, executor.slots)

        def stop():
            if hunt.run_deals:
                cluster.scheduler.send_signal(signal.SIGSTOP)
            return False

        hunt.stop = stop
        with pytest.raises(HuntError, match=r"the scheduler is gone \(no answer in 1 s\)"):
            hunt.run()
    executor.kill()


def test_a_hunt_whose_scheduler_is_stopped_ends_on_a_signal(tmp_path, cluster):
    path = tmp_path / "hunt.db"
    with start(*WORDS, "--ledger", path, "--dask", cluster.address, cwd=tmp_path) as process:
        wait_for_units(process, path, 2)
        cluster.scheduler.send_signal(signal.SIGSTOP)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert b"Traceback" not in errors


def test_an_interrupted_hunt_leaves_the_cluster_as_it_was(tmp_path, cluster):
    path = tmp_path / "hunt.db"
    with start(*WORDS, "--ledger", path, "--dask", cluster.address, cwd=tmp_path) as process:
        wait_for_units(process, path, 2)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    document = documented(
        *WORDS, "--deals", 2 * SIZE, "--ledger", "next.db", "--dask", cluster.address, cwd=tmp_path
    )
    assert (document["units"], document["run"]["workers"]) == (2, 2)


#: What makes a worker say that it is of another version: a module that Python runs when it starts.
OTHER_VERSION = "import camicia.version; camicia.version.__version__ = '0.0.1'"


def other(folder):
    """The environment of a worker of another version."""
    (folder / "sitecustomize.py").write_text(OTHER_VERSION)
    return {"PYTHONPATH": f"{folder}:{environment()['PYTHONPATH']}"}


def test_a_worker_of_another_version_is_refused_before_work_starts(tmp_path, cluster):
    cluster.worker(**other(tmp_path))
    done = camicia(*WORDS, *GOAL, "--ledger", "hunt.db", "--dask", cluster.address, cwd=tmp_path)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert re.fullmatch(
        r"camicia: worker tcp://\S+: is camicia 0\.0\.1, stream \d+, bench \w{16}, expected camicia \S+, "
        r"stream \d+, bench \w{16} as the driver is",
        line,
    )


def test_a_worker_of_another_version_that_joins_later_does_nothing(tmp_path, cluster, whole):
    path = tmp_path / "hunt.db"
    with start(*WORDS, *GOAL, "--ledger", path, "--dask", cluster.address, cwd=tmp_path) as process:
        wait_for_units(process, path, 1)
        stranger = cluster.worker(**other(tmp_path))
        _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert contents(path) == whole
    # It may have joined too late to be given a unit; if it was given one it was sent away.
    assert stranger.poll() is None or b"is camicia 0.0.1" in errors


def test_without_a_scheduler_or_workers_one_line_says_so(tmp_path, cluster):
    done = camicia(*WORDS, "--ledger", "hunt.db", "--dask", "tcp://127.0.0.1:9", cwd=tmp_path)
    assert done.returncode == 1
    assert "--dask 'tcp://127.0.0.1:9': no scheduler answers there" in done.stderr.splitlines()[-1]
    for worker in cluster.workers:
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()
    done = camicia(*WORDS, "--ledger", "hunt.db", "--dask", cluster.address, cwd=tmp_path)
    assert done.returncode == 1
    assert "the cluster has no workers" in done.stderr.splitlines()[-1]
