"""Campaigns: identity, round trip, totals."""

import dataclasses

import pytest
from hunting import reports_of, small_campaign

from camicia import STANDARD, CamiciaError
from search.campaign import Campaign, Totals
from search.errors import CampaignError
from search.ledger import UnitSet
from search.shards import Shard, units_to_do, units_wanted
from search.strategies.base import planned_unit_size
from search.strategies.request import Request
from search.workers import run_unit


def test_json_brings_back_the_campaign():
    campaign = Campaign("climb", STANDARD, 2**64 - 1, 10**12, settings={"least_tricks": 350, "note": "x"})
    assert Campaign.from_json(campaign.to_json()) == campaign


def test_every_field_counts_for_the_identity():
    campaign = small_campaign()
    changes = {
        "strategy": "climb",
        "deck": STANDARD,
        "seed": 8,
        "unit_size": 2160,
        "finds_kept": 9,
        "loops_kept": 9,
        "stream": 99,
        "settings": {"least_tricks": 350},
    }
    assert changes.keys() == {field.name for field in dataclasses.fields(campaign)}
    identities = {dataclasses.replace(campaign, **{name: value}).identity for name, value in changes.items()}
    assert len(identities | {campaign.identity}) == len(changes) + 1


def test_order_of_settings_does_not_count():
    one, other = small_campaign(settings={"a": 1, "b": 2}), small_campaign(settings={"b": 2, "a": 1})
    assert one == other and one.identity == other.identity


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": -1},
        {"seed": 2**64},
        {"unit_size": 0},
        {"unit_size": True},
        {"finds_kept": -1},
        {"finds_kept": 10**9},
        {"unit_size": 10**30},
    ],
)
def test_impossible_numbers_are_refused(changes):
    (value,) = changes.values()
    with pytest.raises(CamiciaError, match=f"{value!r}"):
        small_campaign(**changes)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"deck": 5}', small_campaign().to_json()[:-9]])
def test_other_texts_are_refused(text):
    with pytest.raises(CampaignError):
        Campaign.from_json(text)


def test_another_stream_or_strategy_is_refused():
    with pytest.raises(CampaignError, match="stream 99"):
        run_unit(small_campaign(stream=99), 0)
    with pytest.raises(CampaignError, match="'guess'"):
        run_unit(small_campaign(strategy="guess"), 0)


def test_totals_do_not_depend_on_order_or_parts():
    reports = reports_of(small_campaign(), range(5))
    forward, backward, part, rest = Totals(), Totals(), Totals(), Totals()
    for report in reports:
        forward.add(report)
    for report in reversed(reports):
        backward.add(report)
    for report in reports[:2]:
        part.add(report)
    for report in reports[2:]:
        rest.add(report)
    part.join(rest)
    assert forward == backward == part
    assert forward.games == 5 * 3200 and forward.counters["shuffles"] * 32 == forward.games


def test_deals_are_rounded_up_to_whole_units():
    campaign = small_campaign()
    assert [units_wanted(campaign, deals) for deals in (1, 3200, 3201, None)] == [1, 1, 2, None]


def test_shards_share_the_units_out():
    parts = [list(units_to_do(UnitSet(), 20, Shard(number, 3))) for number in (1, 2, 3)]
    assert sorted(parts[0] + parts[1] + parts[2]) == list(range(20))
    assert [Shard(number, 3).size(20) for number in (1, 2, 3)] == [len(part) for part in parts]


def test_units_are_whole_groups_for_some_seconds_of_work():
    assert planned_unit_size(Request(), 1e6, 1248) % 1248 == 0
    assert 1e6 < planned_unit_size(Request(), 1e6, 1248) < 1e7
    # A short first run has enough units for its workers, but units never become tiny.
    assert planned_unit_size(Request(deals=10**6, workers=2), 1e6, 1) <= 10**6 / 8
    assert planned_unit_size(Request(deals=1), 1e6, 1) == pytest.approx(1e5, rel=0.1)
    assert planned_unit_size(Request(seconds=16.0), 1e6, 1) == pytest.approx(5e5, rel=0.1)
