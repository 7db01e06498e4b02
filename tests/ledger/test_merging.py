"""Merging: no deal is counted twice, each campaign keeps its own, and the result is whole or not there."""

import signal
from concurrent.futures import ThreadPoolExecutor

import pytest
from hunting import contents, documented, reports_of, small_campaign
from tampering import CAMPAIGNS

from search.cli import main
from search.driver import Hunt
from search.errors import LedgerError
from search.ledger import Ledger, Run, merge
from search.workers import run_unit


def ledger_of(path, campaign, units):
    """A ledger with some units of a campaign."""
    with Ledger(path, "create") as ledger:
        entry = ledger.enter(campaign)
        run = ledger.begin_run(entry, 1, path.stem)
        reports = reports_of(campaign, units)
        for report in reports:
            vars(report).update(host=path.stem)
        ledger.commit(entry, reports, run=Run(run, 1.0))
    return path


def changed(campaign, **changes):
    """A campaign with other fields or settings."""
    settings = dict(campaign.settings) | changes.pop("settings", {})
    return type(campaign)(**vars(campaign) | {"settings": settings} | changes)


SAME_DEALS = [
    ("climb", {"settings": {"least_tricks": 28}}),
    ("climb", {"settings": {"from_end": 24, "max_states": 3000}}),
    ("climb", {"unit_size": 6400}),
    ("sample", {"finds_kept": 11}),
    ("sample", {"unit_size": 32}),
    ("loops", {"unit_size": 1000}),
    ("loops", {"loops_kept": 7}),
    ("loops", {"settings": {"uneven": 12}}),
]


@pytest.mark.parametrize(("strategy", "changes"), SAME_DEALS)
def test_the_same_deals_are_refused_whatever_else_differs(tmp_path, strategy, changes):
    campaign = CAMPAIGNS[strategy]
    one = ledger_of(tmp_path / "one.db", campaign, (0, 1))
    two = ledger_of(tmp_path / "two.db", changed(campaign, **changes), (1, 2))
    with pytest.raises(
        LedgerError, match=r"two\.db': (unit 1 of seed 7 .*one\.db' \(1 such unit\)|has settings)"
    ):
        merge(tmp_path / "all.db", [one, two])
    assert sorted(item.name for item in tmp_path.iterdir()) == ["one.db", "two.db"]


def test_units_of_one_number_begin_with_the_same_deals():
    # What the refusal rests on: a unit of another size is a longer or shorter stretch of the same deals.
    campaign = small_campaign(unit_size=64, finds_kept=64)
    shorter, longer = run_unit(campaign, 3), run_unit(changed(campaign, unit_size=640, finds_kept=640), 3)
    assert set(shorter.finds) < set(longer.finds)


def test_other_units_of_the_same_stream_are_joined_and_continued_without_doubling(tmp_path):
    campaign = CAMPAIGNS["climb"]
    other = changed(campaign, settings={"least_tricks": 28})
    one = ledger_of(tmp_path / "one.db", campaign, (0, 2))
    two = ledger_of(tmp_path / "two.db", other, (1, 3))
    merge(tmp_path / "all.db", [one, two])
    with Ledger(tmp_path / "all.db", "write") as ledger:
        first, second = ledger.campaigns()
        assert (ledger.done(first), ledger.done(second)) == ({0, 2}, {1, 3})
        assert ledger.dealt(first) == ledger.dealt(second) == {0, 1, 2, 3}
        hunt = Hunt(ledger, first, None, lambda: 1, deals=6 * campaign.unit_size)
        assert list(hunt.units) == [4, 5]


def test_each_campaign_lists_its_own_hosts_and_kernels(tmp_path):
    one = ledger_of(tmp_path / "one.db", small_campaign(), (0, 1))
    two = ledger_of(tmp_path / "two.db", small_campaign(seed=8), (0,))
    three = ledger_of(tmp_path / "three.db", small_campaign(), (2,))
    merge(tmp_path / "all.db", [one, two, three])
    campaigns = documented("status", "all.db", cwd=tmp_path)["campaigns"]
    hosts = [[origin["host"] for origin in campaign["origins"]] for campaign in campaigns]
    assert hosts == [["one", "three"], ["two"]]


def test_several_merges_into_one_name_at_once_leave_one_whole_ledger(tmp_path):
    sources = [ledger_of(tmp_path / f"{seed}.db", small_campaign(seed=seed), (0, 1)) for seed in (7, 8, 9)]
    out = tmp_path / "all.db"
    with ThreadPoolExecutor(6) as threads:
        failures = [done.exception() for done in [threads.submit(merge, out, sources) for _ in range(12)]]
    assert failures.count(None) == 1
    assert all(failure is None or "is there already" in str(failure) for failure in failures)
    assert contents(out) == [part for source in sources for part in contents(source)]
    assert sorted(item.name for item in tmp_path.iterdir()) == ["7.db", "8.db", "9.db", "all.db"]


def test_a_log_that_an_earlier_file_of_that_name_has_left_does_no_harm(tmp_path):
    source = ledger_of(tmp_path / "one.db", small_campaign(), (0, 1))
    for ending in ("-wal", "-shm"):
        (tmp_path / f"all.db{ending}").write_bytes(b"\x37\x7f\x06\x82" + bytes(5000))
    merge(tmp_path / "all.db", [source])
    assert contents(tmp_path / "all.db") == contents(source)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_merge_that_is_interrupted_leaves_nothing(tmp_path, monkeypatch, number):
    source = ledger_of(tmp_path / "one.db", small_campaign(), (0, 1))
    monkeypatch.setattr("search.ledger.merging.take_over", lambda *_: signal.raise_signal(number))
    assert main(["merge", str(tmp_path / "all.db"), str(source)]) == 130
    assert [item.name for item in tmp_path.iterdir()] == ["one.db"]
