"""How runs keep to their time, on a clock of the test's own: something is always kept, whatever the load."""

from collections import deque
from concurrent.futures import Executor, Future

import pytest
from hunting import small_campaign

import search.driver
from search.driver import Ending, Hunt
from search.ledger import Ledger, Run
from search.report.document import summary
from search.report.history import present_rate
from search.strategies.base import planned_unit_size
from search.strategies.loops.strategy import EDITS_PER_SECOND, WALK_EDITS, planned_edits
from search.strategies.request import Request
from search.workers import run_unit
from search.workers.pacing import LATEST, LONGEST_WAIT, Pace


class SlowMachine(Executor):
    """Does units two at a time, each in so many seconds of its own clock, which each look at it moves on."""

    def __init__(self, unit_seconds, tick=0.5, slots=2):
        self.unit_seconds = unit_seconds
        self.tick = tick
        self.places = slots
        self.now = 0.0
        self.queue = deque()
        self.running = []
        self.submitted = 0

    def clock(self):
        return self.now

    def slots(self):
        return self.places

    def submit(self, fn, /, *args, **kwargs):
        self.submitted += 1
        future = Future()
        self.queue.append((future, fn, args))
        self._begin()
        return future

    def _begin(self):
        while self.queue and len(self.running) < self.places:
            future, fn, args = self.queue.popleft()
            if future.set_running_or_notify_cancel():
                self.running.append((self.now + self.unit_seconds, future, fn, args))

    def look(self):
        """Let time pass: what asks whether to stop."""
        self.now += self.tick
        for item in list(self.running):
            end, future, fn, args = item
            if end <= self.now:
                self.running.remove(item)
                reports = fn(*args)
                for report in reports:
                    vars(report)["seconds"] = self.unit_seconds
                future.set_result(reports)
        self._begin()
        return False


@pytest.fixture
def hunt(tmp_path, monkeypatch):
    """Runs a hunt on a slow machine; returns its ending, the units kept and the seconds it lasted."""
    monkeypatch.setattr(search.driver, "TICK", 0)

    def run(machine, seconds, path=tmp_path / "hunt.db"):
        with Ledger(path, "create") as ledger:
            entry = ledger.enter(small_campaign())
            before = ledger.totals(entry).units
            one = Hunt(
                ledger,
                entry,
                machine,
                machine.slots,
                seconds=seconds,
                stop=machine.look,
                clock=machine.clock,
            )
            ending = one.run()
            assert ledger.runs(entry)[-1]["seconds"] == round(one.lasted)
            return ending, ledger.totals(entry).units - before, one.lasted

    return run


@pytest.mark.parametrize("unit_seconds", [0.5, 3, 9, 11, 14, 30, 65])
def test_a_short_run_keeps_something_however_slow_units_are(hunt, unit_seconds):
    ending, units, lasted = hunt(SlowMachine(unit_seconds), 10)
    assert ending is Ending.TIME and units >= 2
    assert lasted <= max(10 + LATEST, unit_seconds) + 1
    if unit_seconds > 10:
        # Nothing is begun after the end.
        assert units == 2 and lasted <= unit_seconds + 1


def test_a_run_whose_units_never_end_is_given_up_after_a_minute(hunt):
    ending, units, lasted = hunt(SlowMachine(1e9), 10)
    assert (ending, units) == (Ending.TIME, 0)
    assert lasted <= 10 + LONGEST_WAIT + 1


def test_nothing_is_begun_that_would_be_lost(hunt, tmp_path):
    machine = SlowMachine(40)
    ending, units, lasted = hunt(machine, 100)
    # 40 s and 80 s; a third round would end at 120 s.
    assert (ending, units) == (Ending.TIME, 4) and lasted <= 82
    # The next run is too short for any, and yet does not go without.
    ending, units, lasted = hunt(SlowMachine(40), 10)
    assert (ending, units) == (Ending.TIME, 2) and lasted <= 41


def test_a_machine_that_gets_slower_loses_nothing_that_was_begun(hunt):
    class Slower(SlowMachine):
        def look(self):
            if self.now > 15:
                self.unit_seconds = 10
            return super().look()

    machine = Slower(4)
    ending, units, _ = hunt(machine, 20)
    assert ending is Ending.TIME and not machine.running
    assert units == machine.submitted == 9


def test_a_run_of_no_time_at_all_keeps_something(hunt):
    ending, units, lasted = hunt(SlowMachine(3), 1e-9)
    assert (ending, units) == (Ending.TIME, 2) and lasted <= 4


def test_a_run_without_end_always_has_room_for_more():
    pace = Pace(None, clock=lambda: 0.0)
    assert pace.fits_another(100, 2) and not pace.is_over and not pace.is_too_late


def test_the_rate_of_the_last_run_is_over_its_whole_length(tmp_path):
    path = tmp_path / "hunt.db"
    with Ledger(path, "create") as ledger:
        entry = ledger.enter(small_campaign())
        number = ledger.begin_run(entry, 2, "here")
        ledger.commit(entry, [run_unit(small_campaign(), 0)], run=Run(number, 4.0))
        assert present_rate(ledger)[0] == 3200 / 4
        ledger.end_run(Run(number, 10.2))
        assert present_rate(ledger)[0] == 3200 / 10


def test_processor_time_is_not_the_time_by_the_clock(tmp_path, monkeypatch):
    times = iter([10.0, 10.75])
    monkeypatch.setattr("search.workers.unit.time.thread_time", lambda: next(times))
    clock = iter([100.0, 108.0])
    monkeypatch.setattr("search.workers.unit.time.perf_counter", lambda: next(clock))
    report = run_unit(small_campaign(), 0)
    with Ledger(tmp_path / "hunt.db", "create") as ledger:
        entry = ledger.enter(small_campaign())
        ledger.commit(entry, [report])
        document = summary(ledger)
        assert (document["core_seconds"], document["worker_seconds"]) == (0.75, 8.0)
        assert document["deals_per_core_second"] == pytest.approx(3200 / 0.75)
        # A unit without it, as of an earlier version: no sum is claimed, and the rate is of the others.
        monkeypatch.undo()
        old = run_unit(small_campaign(), 1)
        vars(old)["processor_seconds"] = None
        ledger.commit(entry, [old])
        document = summary(ledger)
        assert document["core_seconds"] is None
        assert document["deals_per_core_second"] == pytest.approx(3200 / 0.75)


def test_a_ledger_of_an_earlier_version_has_no_processor_time(tmp_path):
    with Ledger(tmp_path / "hunt.db", "create") as ledger:
        entry = ledger.enter(small_campaign())
        report = run_unit(small_campaign(), 0)
        vars(report)["processor_seconds"] = None
        ledger.commit(entry, [report])
        document = summary(ledger)
    assert document["core_seconds"] is None and document["deals_per_core_second"] is None


def test_a_first_run_of_a_short_time_is_cut_into_many_units():
    rate = 1e6
    workers_get = {
        seconds: planned_unit_size(Request(seconds=seconds), rate) / rate for seconds in (2, 10, 60)
    }
    # A worker that gets a twentieth of a processor has a unit done in time.
    assert all(20 * unit <= seconds for seconds, unit in workers_get.items())
    assert planned_unit_size(Request(seconds=3600.0), rate) == planned_unit_size(Request(), rate)
    assert planned_edits(Request(seconds=60.0), WALK_EDITS) * 10 <= 60 * EDITS_PER_SECOND
    assert planned_edits(Request(seconds=600.0), WALK_EDITS) == WALK_EDITS
