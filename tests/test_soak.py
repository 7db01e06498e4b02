"""Whatever is killed while a hunt is on, it ends with what an undisturbed one has.

CAMICIA_SOAK_SECONDS sets for how long things are killed in each test, 12 by default; 300 for a real soak.
"""

import os
import random
import signal
import time

import pytest
from clusters import Cluster
from hunting import camicia, contents
from processes import family, needs_proc, start, units

from search.ledger import Ledger

pytestmark = [pytest.mark.slow, needs_proc]

#: How long things are killed, in each test.
SECONDS = float(os.environ.get("CAMICIA_SOAK_SECONDS", "12"))

#: Small units, of some ten milliseconds.
UNIT = 32_000
WORDS = ("search", "sample", "--deck", "12:2:2:0:0", "--seed", "7", "--unit-size", str(UNIT), "--keep", "20")


def kill_one(process, generator):
    """Kill the driver or one of its workers, by any signal that nothing can be done about."""
    pids = family(process)
    # The driver comes first; mostly a worker is meant.
    victim = pids[0] if generator.random() < 0.3 else generator.choice(pids)
    try:
        os.kill(victim, signal.SIGKILL)
    except ProcessLookupError:
        return


def soaked(path, words, disturb, generator):
    """Hunt without end while things are killed, starting the driver again each time that it ends."""
    end = time.monotonic() + SECONDS
    restarts = 0
    while time.monotonic() < end:
        with start(*words, "--ledger", path, "--backup-every", "1s", cwd=path.parent) as process:
            while process.poll() is None and time.monotonic() < end:
                time.sleep(generator.uniform(0.2, 1.5))
                if process.poll() is None:
                    disturb(process)
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
            process.communicate(timeout=120)
            restarts += 1
    return restarts


def ended_as_if_undisturbed(path, tmp_path):
    """Bring a hunt to a round end, and compare it with one that was never disturbed."""
    done = units(path)
    assert done > 0
    goal = ("--deals", str((done + 10) * UNIT), "--quiet")
    assert camicia(*WORDS, *goal, "--ledger", path, cwd=tmp_path).returncode == 0
    whole = tmp_path / "whole.db"
    assert camicia(*WORDS, *goal, "--ledger", whole, cwd=tmp_path).returncode == 0
    # But for how their units lie in blocks, which depends on when they were folded.
    (one,), (other,) = contents(path), contents(whole)
    assert one[:-1] == other[:-1] and one[1]["units"] >= done + 10
    with Ledger(path, thorough=True) as ledger:
        assert ledger.done(ledger.campaigns()[0]) == set(range(one[1]["units"]))
    assert camicia("verify", path, "--fraction", "0.05", "--quiet", cwd=tmp_path).returncode == 0


def test_drivers_and_workers_are_killed_all_the_time(tmp_path):
    generator = random.Random(18)
    path = tmp_path / "hunt.db"
    soaked(path, (*WORDS, "--workers", "3"), lambda process: kill_one(process, generator), generator)
    ended_as_if_undisturbed(path, tmp_path)


def test_schedulers_workers_and_drivers_of_a_cluster_are_killed_all_the_time(tmp_path):
    pytest.importorskip("distributed")
    generator = random.Random(19)
    path = tmp_path / "hunt.db"
    cluster = Cluster(tmp_path)
    workers = [cluster.worker(), cluster.worker()]

    def disturb(process):
        what = generator.choice(("worker", "worker", "scheduler", "driver"))
        if what == "worker":
            workers.pop(generator.randrange(len(workers))).kill()
            workers.append(cluster.worker())
        elif what == "driver":
            process.kill()
        else:
            cluster.end()
            cluster.again()
            workers[:] = [cluster.worker(), cluster.worker()]

    try:
        soaked(path, (*WORDS, "--dask", cluster.address, "--reconnect", "60s"), disturb, generator)
    finally:
        cluster.end()
    ended_as_if_undisturbed(path, tmp_path)
