"""What everything that does units promises: each comes back once, faults have a cause, it can be stopped."""

import threading
import time
from concurrent.futures import wait

import pytest
from hunting import reports_of, small_campaign

from search.driver import Hunt
from search.errors import HuntError
from search.ledger import Ledger
from search.workers import ClusterExecutor, LocalPool, run_unit


@pytest.fixture(scope="module")
def scheduler():
    """The address of a Dask cluster of two workers, within this process."""
    distributed = pytest.importorskip("distributed")
    # Threads of this process: what is promised here needs no processes of their own.
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0", protocol="tcp"
    ) as cluster:
        yield cluster.scheduler_address


def local(request):
    return LocalPool(2)


def cluster(request):
    return ClusterExecutor(request.getfixturevalue("scheduler"))


#: How each kind is made. A new kind is tested by being listed.
EXECUTORS = {"local": local, "cluster": cluster}


@pytest.fixture(params=EXECUTORS)
def executor(request):
    made = EXECUTORS[request.param](request)
    yield made
    made.kill()


def test_it_says_how_many_it_does_at_once(executor):
    assert executor.slots() == 2


def test_every_unit_comes_back_once(executor):
    campaign = small_campaign()
    futures = {executor.submit(run_unit, campaign, unit): unit for unit in range(12)}
    done, left = wait(futures, 60)
    assert not left
    for future in done:
        assert future.result().checksum == run_unit(campaign, futures[future]).checksum


def test_what_a_call_raises_comes_back_with_its_cause(executor):
    with pytest.raises(ValueError, match="invalid literal"):
        executor.submit(int, "x").result(60)
    assert executor.submit(int, "7").result(60) == 7


def test_what_is_not_taken_back_is_done(executor):
    """What a worker may have begun need not be let go: a cluster does not say what it has begun."""
    gate = [executor.submit(time.sleep, 0.2) for _ in range(2)]
    waiting = [executor.submit(abs, -number) for number in range(20)]
    taken = [future for future in waiting if future.cancel()]
    assert all(future.cancelled() for future in taken)
    kept = [future for future in waiting if future not in taken]
    assert not wait([*gate, *kept], 60).not_done
    assert all(future.result() == waiting.index(future) for future in kept)


def test_a_hunt_on_it_comes_to_the_same(executor, tmp_path):
    campaign = small_campaign()
    with Ledger(tmp_path / "hunt.db", "create") as ledger:
        entry = ledger.enter(campaign)
        hunt = Hunt(ledger, entry, executor, executor.slots, deals=6 * campaign.unit_size)
        assert hunt.run() == "complete"
        reports = reports_of(campaign, range(6))
        assert ledger.totals(entry).checksum == sum(report.checksum for report in reports) % 2**64


def test_stopping_ends_a_hunt_after_a_commit(executor, tmp_path):
    stop = threading.Event()
    campaign = small_campaign()
    with Ledger(tmp_path / "hunt.db", "create") as ledger:
        entry = ledger.enter(campaign)
        # Without an end of its own.
        hunt = Hunt(
            ledger, entry, executor, executor.slots, stop=stop.is_set, on_progress=lambda _: stop.set()
        )
        assert hunt.run() == "interrupted"
        assert ledger.totals(entry).units == hunt.run_deals // campaign.unit_size


def test_once_it_is_killed_it_takes_no_calls(executor):
    # In the middle of a call, for which nobody waits.
    executor.submit(time.sleep, 60)
    executor.kill()
    with pytest.raises((HuntError, RuntimeError)):
        executor.submit(abs, 1)
    executor.kill()
