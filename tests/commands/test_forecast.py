"""What a record costs, by the command: from shipped figures, from a ledger, and from what is given."""

import csv
import math

import pytest
from hunting import camicia, documented, reports_of, small_campaign, write
from places import ROOT

from camicia import STANDARD
from camicia.records import longest_known
from search.campaign import Campaign
from search.report import Facts, prices, shipped_facts
from search.report.forecast import Gain
from search.report.survival import Halving
from search.workers import run_unit

FACTS = ROOT / "search" / "report" / "measured.csv"


def test_the_price_of_the_next_record(tmp_path):
    document = documented("forecast", "--rate", "20M", "--cores", "64", cwd=tmp_path)
    assert document["tricks"] == longest_known(STANDARD, "tricks") + 1
    sample, climb = document["prices"]
    assert (sample["strategy"], climb["strategy"]) == ("sample", "climb")
    assert sample["deals_per_core_second"] == 20e6 and climb["deals_per_core_second"] < 20e6
    # Half as often for every 20 tricks or so, and a hundred times as cheap by climbing.
    assert 1e17 < sample["deals"] < 1e19 and 4 < sample["deals"] / climb["deals"] < 1000
    for price in document["prices"]:
        seconds = price["deals"] / price["deals_per_core_second"]
        assert price["core_years"] == pytest.approx(seconds / 86400 / 365.25)
        assert price["days"]["64 cores"] == pytest.approx(seconds / 86400 / 64)
        assert 1 < price["known_up_to_factor"] < 10
    later = documented("forecast", "--rate", "20M", "--tricks", "1500", cwd=tmp_path)
    halvings = (1500 - document["tricks"]) / document["halving_tricks"]
    assert later["prices"][0]["deals"] / sample["deals"] == pytest.approx(2**halvings, rel=1e-6)
    assert not later["prices"][0]["expected_to_exist"]


def test_the_rate_is_measured_unless_it_is_given(tmp_path):
    document = documented("forecast", cwd=tmp_path)
    assert all(price["deals_per_core_second"] > 1000 for price in document["prices"])
    text = camicia("forecast", cwd=tmp_path).stdout
    assert "measured now" in text and "1,165 tricks" in text and "climb" in text
    assert "as given" in camicia("forecast", "--rate", "1.5M", cwd=tmp_path).stdout


def test_a_ledger_of_any_deck_has_a_forecast_of_its_own(tmp_path):
    path = write(tmp_path / "hunt.db", small_campaign(), reports_of(small_campaign(), range(12)))
    document = documented("forecast", path, "--tricks", "60", cwd=tmp_path)
    assert document["deck"] == "12:2:2:0:0" and [price["strategy"] for price in document["prices"]] == [
        "sample"
    ]
    for words, text in (
        ((path,), "no long game of it is known, expected --tricks"),
        ((path, "--tricks", "2"), "the law only holds for longer games"),
        (("none.db",), "there is no such file"),
        (("--tricks", "0"), "expected"),
        (("--rate", "0"), "rate '0': expected a number above 0"),
        (("--rate", "x"), "rate 'x': expected a number above 0"),
        (("--cores", "-1"), "expected"),
    ):
        done = camicia("forecast", *words, cwd=tmp_path)
        assert done.returncode == 2 and text in done.stderr and "Traceback" not in done.stderr, done.stderr


def test_a_ledger_that_tells_nothing_is_refused(tmp_path):
    campaign = small_campaign(
        strategy="enumerate", seed=0, unit_size=400, settings={"from": "0", "to": "1000"}
    )
    path = write(tmp_path / "all.db", campaign, reports_of(campaign, [0]))
    done = camicia("forecast", path, "--tricks", "60", cwd=tmp_path)
    assert done.returncode == 2 and "holds no random deals" in done.stderr
    few = small_campaign(unit_size=40)
    path = write(tmp_path / "few.db", few, reports_of(few, [0]))
    done = camicia("forecast", path, "--tricks", "60", cwd=tmp_path)
    assert done.returncode == 2 and "too few long games" in done.stderr


def test_climbing_without_a_gain_has_no_price():
    facts = Facts(STANDARD, "", 10**6, Halving(20.0, 0.1, start=80, share=1 / 16, games=10_000), None)
    rates = {"sample": 2e6, "climb": 1e6}
    (price,) = prices(facts, 481, rates)
    assert (
        price.deals == pytest.approx(16 * 2 ** ((481 - 81) / 20)) and price.core_seconds == price.deals / 2e6
    )
    both = prices(facts._replace(gain=Gain(50.0, 20, 300)), 481, rates)
    assert both[0].deals == pytest.approx(50 * both[1].deals)
    assert both[0].factor == pytest.approx(
        math.exp(math.hypot(400.0 / 20 * 0.005 * math.log(2), 0.01)), rel=0.01
    )


@pytest.mark.slow
def test_the_shipped_figures_are_those_of_the_campaign_they_name():
    """One unit of it is played again: what it has is part of what they say, and about its share."""
    lines = FACTS.read_text().splitlines()
    (identity,) = (line.removeprefix("# campaign ") for line in lines if line.startswith("# campaign "))
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    games = {int(row["tricks"]): int(row["number"]) for row in rows if row["what"] == "games"}
    report = run_unit(Campaign.from_json(identity), 3)
    assert sum(games.values()) > 100 * report.games
    assert all(games[tricks] >= number for tricks, number in report.histogram.items())
    share = report.games / sum(games.values())
    for tricks in range(20, 200, 20):
        expected = share * games[tricks]
        assert abs(report.histogram[tricks] - expected) < 30 * math.sqrt(expected)
    assert shipped_facts().games == sum(games.values())
