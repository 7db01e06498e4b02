"""The driver: the same totals whoever does the units, in parts, in any order; and how runs end."""

import random
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import pytest
from hunting import contents, reports_of, small_campaign

from search.cli_support.summary_lines import summary_lines
from search.driver import Ending, Hunt
from search.errors import CampaignError, HuntError, VerificationError, WorkerLost
from search.ledger import Ledger, chosen_campaign
from search.report.document import summary
from search.shards import Shard
from search.workers import LocalPool, run_unit

UNITS = 30
DEALS = UNITS * 3200


class OutOfOrder(Executor):
    """Does calls at once, but lets each be seen as done after some later ones."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.waiting = []

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        self.waiting.append((future, fn(*args, **kwargs)))
        self.random.shuffle(self.waiting)
        if len(self.waiting) >= 4:
            self._show()
        return future

    def _show(self):
        future, result = self.waiting.pop()
        future.set_result(result)

    def show_all(self):
        while self.waiting:
            self._show()
        return 3


class Lying(Executor):
    """Does calls at once, and changes what comes of them."""

    def __init__(self, change):
        self.change = change
        self.calls = 0

    def submit(self, fn, /, *args, **kwargs):
        self.calls += 1
        future = Future()
        reports = fn(*args, **kwargs)
        try:
            for report in reports:
                self.change(self.calls, report)
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(reports)
        return future


def hunt(path, executor, slots=2, campaign=None, **options):
    """Run a hunt to its end; returns the ending."""
    with Ledger(path, "create") as ledger:
        entry = ledger.enter(campaign or small_campaign())
        return Hunt(ledger, entry, executor, slots if callable(slots) else lambda: slots, **options).run()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """What a campaign comes to that was committed unit by unit, in order, by nobody's help."""
    path = tmp_path_factory.mktemp("whole") / "hunt.db"
    with Ledger(path, "create") as ledger:
        entry = ledger.enter(small_campaign())
        for report in reports_of(small_campaign(), range(UNITS)):
            ledger.commit(entry, [report])
    return contents(path)


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_any_number_of_processes_comes_to_the_same(tmp_path, whole, workers):
    with LocalPool(workers) as pool:
        assert hunt(tmp_path / "hunt.db", pool, workers, deals=DEALS) is Ending.COMPLETE
    assert contents(tmp_path / "hunt.db") == whole


def test_any_order_comes_to_the_same(tmp_path, whole):
    for seed in range(3):
        pool = OutOfOrder(seed)
        assert hunt(tmp_path / f"{seed}.db", pool, pool.show_all, deals=DEALS) is Ending.COMPLETE
        assert contents(tmp_path / f"{seed}.db") == whole


def test_runs_shards_and_raised_goals_come_to_the_same(tmp_path, whole):
    path = tmp_path / "hunt.db"
    with ThreadPoolExecutor(2) as pool:
        hunt(path, pool, deals=3 * 3200)
        assert contents(path)[0][1]["units"] == 3
        hunt(path, pool, deals=DEALS - 1, shard=Shard(2, 2))
        assert contents(path)[0][1]["units"] == 3 + UNITS // 2 - 1
        hunt(path, pool, deals=DEALS)
        # A goal that is reached already is no work.
        assert hunt(path, Lying(None), deals=3200) is Ending.COMPLETE
    assert contents(path) == whole


def test_a_run_lasts_as_long_as_it_is_told(tmp_path):
    campaign = small_campaign(unit_size=320_000)
    started = time.monotonic()
    with ThreadPoolExecutor(2) as pool:
        assert hunt(tmp_path / "hunt.db", pool, campaign=campaign, seconds=1.5) is Ending.TIME
    assert 0.5 < time.monotonic() - started < 8
    assert contents(tmp_path / "hunt.db")[0][1]["units"] > 0


def test_a_run_ends_in_time_even_if_units_never_do(tmp_path):
    class Never(Executor):
        def submit(self, fn, /, *args, **kwargs):
            return Future()

    started = time.monotonic()
    assert hunt(tmp_path / "hunt.db", Never(), seconds=0.5) is Ending.TIME
    assert time.monotonic() - started < 10


def test_stopping_commits_what_is_done(tmp_path):
    path = tmp_path / "hunt.db"
    calls = []

    def stop():
        calls.append(None)
        return len(calls) > 5

    with ThreadPoolExecutor(2) as pool:
        assert hunt(path, pool, stop=stop) is Ending.INTERRUPTED
    assert contents(path)[0][1]["units"] >= 1


def test_progress_tells_where_the_run_stands(tmp_path):
    path = tmp_path / "hunt.db"
    seen = []
    with ThreadPoolExecutor(2) as pool:
        hunt(path, pool, deals=5 * 3200)
        hunt(path, pool, deals=DEALS, on_progress=seen.append)
    assert [progress.deals for progress in seen] == sorted(progress.deals for progress in seen)
    last = seen[-1]
    assert (last.deals, last.goal, last.run_deals, last.left) == (DEALS, DEALS, DEALS - 5 * 3200, 0)
    assert last.rate > 0 and last.cards == contents(path)[0][3][0].result.cards


def test_finds_are_told_once(tmp_path):
    told = []
    with ThreadPoolExecutor(2) as pool:
        hunt(tmp_path / "hunt.db", pool, deals=DEALS, on_finds=told.extend)
    deals = [find.deal for find in told]
    assert len(set(deals)) == len(deals)
    assert {find.deal for find in contents(tmp_path / "hunt.db")[0][3]} <= set(deals)


def test_a_false_find_stops_the_hunt_before_it_is_stored(tmp_path, whole):
    def change(calls, report):
        if calls == 9:
            find = max(report.finds, key=lambda find: find.cards)
            vars(report)["finds"] = (find._replace(cards=find.cards + 10_000),)

    path = tmp_path / "hunt.db"
    with pytest.raises(VerificationError, match=r"reported as finished, 1\d{4} cards") as caught:
        hunt(path, Lying(change), deals=DEALS)
    assert caught.value.exit_code == 3
    with ThreadPoolExecutor(2) as pool:
        hunt(path, pool, deals=DEALS)
    assert contents(path) == whole


def test_a_pool_that_is_broken_is_a_failure_that_loses_nothing(tmp_path, whole):
    def change(calls, report):
        if calls == 9:
            raise BrokenProcessPool("gone")

    path = tmp_path / "hunt.db"
    with pytest.raises(HuntError, match="a worker has died"):
        hunt(path, Lying(change), deals=DEALS)
    assert 5 <= contents(path)[0][1]["units"] < 10
    with ThreadPoolExecutor(2) as pool:
        hunt(path, pool, deals=DEALS)
    assert contents(path) == whole


def test_a_goal_of_any_size_is_no_trouble(tmp_path):
    seen = []
    with ThreadPoolExecutor(2) as pool:
        hunt(tmp_path / "hunt.db", pool, deals=10**30, seconds=0.5, on_progress=seen.append)
    assert seen[-1].goal == 10**30 and seen[-1].left < 1


@pytest.mark.parametrize("error", [MemoryError("x"), WorkerLost("killed"), ZeroDivisionError("oh")])
def test_a_unit_that_fails_twice_is_run_again(tmp_path, whole, error):
    failures = []

    def change(calls, report):
        if report.unit == 9 and len(failures) < 2:
            failures.append(calls)
            raise error

    told = []
    assert hunt(tmp_path / "hunt.db", Lying(change), deals=DEALS, on_trouble=told.append) is Ending.COMPLETE
    assert contents(tmp_path / "hunt.db") == whole
    assert [line.startswith("unit 9: ") and "run again" in line for line in told] == [True, True]


def test_a_unit_that_fails_three_times_is_set_aside_until_it_is_done(tmp_path, whole):
    def change(calls, report):
        if report.unit == 9:
            raise WorkerLost("killed")

    told = []
    path = tmp_path / "hunt.db"
    assert hunt(path, Lying(change), deals=DEALS, on_trouble=told.append) is Ending.COMPLETE
    assert len(told) == 3 and "set aside after 3 failures" in told[2]
    with Ledger(path) as ledger:
        (entry,) = ledger.campaigns()
        assert ledger.units_set_aside(entry) == {9: "killed"}
        assert summary(ledger)["incomplete"] and ledger.totals(entry).units == UNITS - 1
        lines = dict(summary_lines(summary(ledger)))
        assert lines["incomplete"] == "unit 9 is set aside: killed"
    with ThreadPoolExecutor(2) as pool:
        hunt(path, pool, deals=DEALS)
    assert contents(path) == whole
    with Ledger(path) as ledger:
        assert not summary(ledger)["incomplete"]


def test_a_hunt_in_which_nothing_ever_works_ends(tmp_path):
    def change(calls, report):
        raise WorkerLost("killed")

    with pytest.raises(HuntError, match="3 units failed 3 times each and none was done"):
        hunt(tmp_path / "hunt.db", Lying(change), deals=DEALS)


def test_the_executor_may_grow_and_shrink(tmp_path, whole):
    sizes = iter([1, 5, 2, 7, 1, 1, 3] * 100)
    with ThreadPoolExecutor(2) as pool:
        hunt(tmp_path / "hunt.db", pool, lambda: next(sizes), deals=DEALS)
    assert contents(tmp_path / "hunt.db") == whole


def test_units_are_pure_functions_on_every_kernel():
    campaign = small_campaign(unit_size=640)
    for unit in (0, 7, 2**40):
        ring, plain = (run_unit(campaign, unit, kernel) for kernel in ("ring", "reference"))
        assert (ring.kernel, plain.kernel) == ("ring", "reference")
        for report in (ring, plain):
            vars(report).update(seconds=0, kernel="")
        assert ring == plain


def test_a_campaign_is_chosen_by_what_is_given(tmp_path):
    with Ledger(tmp_path / "hunt.db", "create") as ledger:
        assert chosen_campaign(ledger, {"seed": 7}) is None
        settings = {"least_tricks": 350, "from_end": 340, "max_states": 10**6}
        ledger.enter(small_campaign(strategy="climb", settings=settings))
        assert chosen_campaign(ledger, {}).campaign.seed == 7
        assert chosen_campaign(ledger, {"seed": 7, "least_tricks": 350}).campaign.seed == 7
        with pytest.raises(CampaignError, match=r"seed 7, not 8.*another --ledger"):
            chosen_campaign(ledger, {"seed": 8})
        with pytest.raises(CampaignError, match="least tricks 350, not 300"):
            chosen_campaign(ledger, {"least_tricks": 300})
        ledger.enter(small_campaign(strategy="climb", seed=8, settings=settings))
        with pytest.raises(CampaignError, match="holds 2 campaigns, expected a --seed"):
            chosen_campaign(ledger, {"strategy": "climb"})
        assert chosen_campaign(ledger, {"seed": 8}).campaign.seed == 8
