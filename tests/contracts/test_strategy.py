"""What every strategy promises: a unit is a pure function, and a hunt that is killed loses nothing."""

import argparse
import json
import pickle
import random
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from hunting import SMALL, contents, environment, reports_of, write
from processes import family, gone, needs_proc, units

from camicia import rules
from camicia.kernels.dispatch import available_kernels
from camicia.results import Status
from search import open_ledger
from search.campaign import Campaign, Totals
from search.cli_support.hunt_arguments import add_settings
from search.errors import CampaignError
from search.finds import deal_of
from search.ledger import Ledger
from search.report import summary
from search.strategies import STRATEGIES, Request, strategy_named
from search.verify import read_check
from search.workers import LocalPool, run_unit

#: Units of a strategy's campaign that are looked at.
UNITS = (0, 1, 2)


@pytest.fixture(scope="module", params=STRATEGIES)
def strategy(request):
    """Each strategy that is listed."""
    return STRATEGIES[request.param]


@pytest.fixture(scope="module")
def campaign(strategy):
    """A campaign as the strategy plans it, of a deck with loops and ties; units of some milliseconds."""
    return strategy.plan(Request(deck=SMALL, seed=7, unit_size=2000, finds_kept=10))


@pytest.fixture(scope="module")
def reports(campaign):
    return reports_of(campaign, UNITS)


@pytest.fixture(scope="module")
def timeless(strategy):
    """Takes away from a report what differs from run to run."""

    def take_away(report):
        counters = {
            name: number for name, number in report.counters.items() if name not in strategy.measured_counters
        }
        return replace(report, seconds=0.0, kernel="", host="", counters=counters)

    return take_away


def test_it_is_listed_under_its_name(strategy):
    assert strategy_named(strategy.name) is strategy
    assert strategy.summary and "examples:" in strategy.description
    assert strategy.plays in ("random", "given", "edited")


def test_a_campaign_is_one_that_it_could_have_planned(strategy, campaign):
    strategy.check(campaign)
    assert Campaign.from_json(campaign.to_json()) == campaign
    assert pickle.loads(pickle.dumps(campaign)) == campaign
    with pytest.raises(CampaignError, match="setting unheard_of"):
        strategy.check(replace(campaign, settings=dict(campaign.settings) | {"unheard_of": 1}))
    for name in strategy.settings:
        lacking = {other: value for other, value in campaign.settings.items() if other != name}
        with pytest.raises(CampaignError, match=f"setting {name}"):
            strategy.check(replace(campaign, settings=lacking))


def test_options_are_settings_and_are_read_from_words(strategy, campaign):
    known = {**strategy.settings, **strategy.further_settings}
    parser = argparse.ArgumentParser()
    add_settings(parser, strategy)
    for option in strategy.options:
        assert option.name in known and option.help
        if option.name in campaign.settings:
            word = str(campaign.settings[option.name])
            read = getattr(parser.parse_args([f"{option.flag}={word}"]), option.name)
            assert read == campaign.settings[option.name] and known[option.name].accepts(read)
    with pytest.raises(CampaignError, match="setting unheard_of"):
        strategy.check_options({"unheard_of": 1})


def test_a_unit_is_a_pure_function_of_campaign_and_number(strategy, campaign, reports, timeless):
    for unit in reversed(UNITS):
        assert timeless(run_unit(campaign, unit)) == timeless(reports[unit])
    for kernel in available_kernels():
        if kernel != "reference":
            assert timeless(strategy.run_unit(campaign, 1, kernel)) == timeless(reports[1]), kernel
    with LocalPool(1) as pool:
        assert timeless(pool.submit(run_unit, campaign, 2).result(60)) == timeless(reports[2])
    assert timeless(pickle.loads(pickle.dumps(reports[0]))) == timeless(reports[0])


def test_units_differ(reports):
    assert len({report.checksum for report in reports}) == len(UNITS)


def test_a_report_adds_up(strategy, campaign, reports):
    for report in reports:
        assert report.games == strategy.deals_of(campaign, report.unit) > 0
        assert sum(report.histogram.values()) + report.loops == report.games
        assert sum(tricks * games for tricks, games in report.histogram.items()) == report.tricks
        assert all(strategy.is_counter(name, campaign.deck) for name in report.counters)
        assert set(strategy.measured_counters) <= set(strategy.counters)


def test_finds_replay_by_the_rules(campaign, reports):
    finds = [(Status.FINISHED, find) for report in reports for find in report.finds]
    finds += [(Status.LOOP, find) for report in reports for find in report.loop_finds]
    assert finds
    for status, find in finds:
        result = rules.play(deal_of(find.codes, campaign.deck))
        assert (result.status, result.cards, result.tricks) == (status, find.cards, find.tricks)
    for report in reports:
        assert len(report.loop_finds) <= campaign.loops_kept
        assert len({find.codes for find in report.finds}) == len(report.finds)


def test_a_ledger_gives_back_what_it_was_given(strategy, campaign, reports, tmp_path):
    path = write(tmp_path / "hunt.db", campaign, reports[:1], reports[1:])
    totals = Totals()
    for report in reports:
        totals.add(report)
    with Ledger(path) as ledger:
        (entry,) = ledger.campaigns()
        assert entry.campaign == campaign and ledger.totals(entry) == totals
        assert not list(read_check(ledger, 1.0).mismatches)
        document = json.loads(json.dumps(summary(ledger)))
        (described,) = document["campaigns"]
        assert (
            described["identity"] == campaign.identity and document["checksum"] == f"{totals.checksum:016x}"
        )
        lines = strategy.lines(described)
        assert all(isinstance(text, str) and text for line in lines for text in line)
        assert isinstance(strategy.progress(campaign, totals), str)
    with open_ledger(path) as view:
        assert view.cycles() == dict(strategy.cycles(totals))


def test_ranks_and_units_agree(strategy, campaign):
    ranks, number = strategy.ranks(campaign), strategy.unit_count(campaign)
    if ranks is None:
        assert strategy.source(campaign) is not None
        return
    assert strategy.source(campaign) is None and number is not None
    assert sum(strategy.deals_of(campaign, unit) for unit in range(number)) == ranks.size


#: Hunts a campaign that is handed over as JSON, of units that take some tens of milliseconds.
HUNT = """
import json, sys
from search import hunt

if __name__ == "__main__":
    outcome = hunt(**json.loads(sys.argv[1]))
    assert outcome.ending == "complete", outcome
"""


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("name", STRATEGIES)
def test_killed_at_random_it_comes_to_the_same(name, tmp_path):
    """Killed at any moment and resumed, a hunt comes to the same totals, finds and checksum."""
    strategy = STRATEGIES[name]
    planned = strategy.plan(Request(deck=SMALL, seed=7, unit_size=100_000, finds_kept=10))
    options = {option.name for option in strategy.options}
    number = min(16, strategy.unit_count(planned) or 16)
    asked = {
        "strategy": name,
        "deck": str(SMALL),
        "seed": 7 if strategy.is_seeded else None,
        "unit_size": planned.unit_size,
        "keep": 10,
        "settings": {key: value for key, value in planned.settings.items() if key in options},
        "deals": number * planned.unit_size,
        "workers": 2,
    }

    def started(ledger):
        words = [sys.executable, "-c", HUNT, json.dumps(asked | {"ledger": str(ledger)})]
        return subprocess.Popen(words, env=environment(), stderr=subprocess.PIPE)

    undisturbed, path = tmp_path / "undisturbed.db", tmp_path / "killed.db"
    with started(undisturbed) as process:
        assert process.wait(120) == 0, process.stderr.read()
    generator = random.Random(name)
    for kill in range(3):
        with started(path) as process:
            end = time.monotonic() + 60
            # The first is killed when it has begun, the others at any moment.
            while kill == 0 and not units(path) and time.monotonic() < end and process.poll() is None:
                time.sleep(0.02)
            time.sleep(generator.uniform(0, 0.6))
            pids = family(process)
            process.kill()
        assert gone(pids)
    assert units(path)
    with started(path) as process:
        assert process.wait(120) == 0, process.stderr.read()
    assert contents(path) == contents(undisturbed)
