"""What every strategy promises: a unit is a pure function, and a hunt that is killed loses nothing."""

import argparse
import json
import pickle
import random
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace

import pytest
from hunting import SMALL, contents, environment, reports_of, write
from processes import needs_proc, units

from camicia import Deck, rules
from camicia.kernels.dispatch import available_kernels
from camicia.results import Status
from search import open_ledger
from search.campaign import Campaign, Totals
from search.cli_support.hunt_arguments import add_settings
from search.errors import CampaignError
from search.finds import deal_of
from search.ledger import Ledger
from search.report import summary
from search.strategies import CYCLE, CYCLE_SUMS, STRATEGIES, Request, strategy_named
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
        held = ledger.totals(entry, with_cycles=True)
        cycles = [name for name in totals.counters if name.startswith(CYCLE)]
        assert held.counters.get("cycles", 0) == len(cycles)
        assert held.counters.get("counted_in_cycles", 0) == sum(totals.counters[name] for name in cycles)
        held.counters = {name: held.counters[name] for name in held.counters.keys() - set(CYCLE_SUMS)}
        assert entry.campaign == campaign and held == totals
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


#: A larger deck with loops and ties, which no strategy is through with in a few units.
LARGER = Deck(12, 2, 2, 2, 0)

#: Hunts a campaign that is handed over as JSON. With a number it is killed, as by `kill -9`, as soon as that
#: many deals of this run are in the ledger, whatever else is being done then.
HUNT = """
import json, os, signal, sys
from search import hunt

def kill(progress):
    if len(sys.argv) > 2 and progress.run_deals >= int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    outcome = hunt(**json.loads(sys.argv[1]), on_progress=kill)
    assert outcome.ending == "complete", outcome
"""


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("name", STRATEGIES)
def test_killed_in_mid_hunt_and_resumed_it_comes_to_the_same(name, tmp_path):
    """The promise of every hunt: totals, finds and checksum are those of one that nothing happened to."""
    strategy = STRATEGIES[name]
    planned = strategy.plan(Request(deck=LARGER, seed=7, unit_size=60_000, finds_kept=10))
    options = {option.name for option in strategy.options}
    number = 24
    assert (strategy.unit_count(planned) or number) >= number
    asked = {
        "strategy": name,
        "deck": str(LARGER),
        "seed": 7 if strategy.is_seeded else None,
        "unit_size": planned.unit_size,
        "keep": 10,
        "settings": {key: value for key, value in planned.settings.items() if key in options},
        "deals": number * planned.unit_size,
    }

    def started(ledger, *deals, workers=2):
        asks = json.dumps(asked | {"ledger": str(ledger), "workers": workers})
        words = [sys.executable, "-c", HUNT, asks, *map(str, deals)]
        return subprocess.Popen(words, env=environment(), stderr=subprocess.PIPE)

    undisturbed, path = tmp_path / "undisturbed.db", tmp_path / "killed.db"
    with started(undisturbed, workers=1) as process:
        assert process.wait(120) == 0, process.stderr.read()
    generator = random.Random(name)
    at_kill = []
    for kill in range(3):
        # The second time at any moment from its start on, unless it comes so far first: while it opens the
        # ledger, starts workers, commits.
        with started(path, (1 + 2 * kill) * planned.unit_size) as process:
            if kill == 1:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(generator.uniform(0.1, 0.8))
                process.kill()
            assert process.wait(120) == -signal.SIGKILL, process.stderr.read()
        at_kill.append(units(path))
    # Each time something was there already, and something was left to do.
    assert at_kill == sorted(at_kill) and 0 < at_kill[0] < at_kill[2] < number
    with started(path) as process:
        assert process.wait(120) == 0, process.stderr.read()
    assert contents(path) == contents(undisturbed)
    with Ledger(path) as ledger:
        assert ledger.totals(ledger.campaigns()[0]).units == number
