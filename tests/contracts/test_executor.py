"""What everything that does units promises: each comes back once, faults have a cause, it can be stopped."""

import os
import threading
import time
from concurrent.futures import wait

import pytest
from hunting import reports_of, small_campaign

from search.driver import Hunt
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


def test_what_nobody_has_begun_can_be_taken_back(executor):
    gate = [executor.submit(time.sleep, 0.5) for _ in range(2)]
    waiting = [executor.submit(os.getpid) for _ in range(20)]
    taken = [future for future in waiting if future.cancel()]
    assert taken and all(future.cancelled() for future in taken)
    assert not wait([*gate, *waiting], 60).not_done


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


def test_killing_ends_it_at_once(request):
    for make in EXECUTORS.values():
        made = make(request)
        call = made.submit(time.sleep, 5)
        started = time.monotonic()
        made.kill()
        assert time.monotonic() - started < 4
        assert call.cancel() or call.done() or call.exception(60) is not None
