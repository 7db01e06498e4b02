"""A hunt as a function, and a ledger as an object: what programs call."""

import threading

import numpy as np
import pytest

from camicia import Deck, simulate
from camicia.errors import CamiciaError
from search import hunt, open_ledger
from search.strategies import STRATEGIES

#: A unit of one shuffle of a small deck takes no time worth mentioning.
SMALL = {"deck": "12:2:2:2:0", "seed": 7, "unit_size": 600, "workers": 1}


def test_a_hunt_ends_with_its_totals_and_its_finds(tmp_path):
    seen, entered = [], []
    outcome = hunt(
        "sample",
        **SMALL,
        deals=6000,
        ledger=tmp_path / "x.db",
        on_progress=seen.append,
        on_finds=entered.extend,
    )
    assert str(outcome.ending) == "complete" and outcome.ledger == tmp_path / "x.db"
    assert outcome.deals == outcome.totals.games >= 6000
    assert seen[-1].deals == outcome.deals and entered
    for find in outcome.finds[:5]:
        assert simulate(find.deal).cards == find.result.cards
    assert [find.result.cards for find in outcome.finds] == sorted(
        (find.result.cards for find in outcome.finds), reverse=True
    )
    assert not outcome.set_aside


def test_the_same_call_resumes(tmp_path):
    path = tmp_path / "x.db"
    first = hunt("sample", **SMALL, deals=3000, ledger=path)
    # The identity is the ledger's.
    second = hunt("sample", deals=2 * first.deals, ledger=path, workers=1)
    assert second.campaign == first.campaign
    assert second.deals == first.deals and second.totals.games == 2 * first.deals
    whole = hunt("sample", **SMALL, deals=2 * first.deals, ledger=tmp_path / "whole.db")
    assert whole.totals.checksum == second.totals.checksum and whole.finds[0].deal == second.finds[0].deal


def test_a_thread_may_hunt_though_it_gets_no_signals(tmp_path):
    outcomes = []

    def work():
        outcomes.append(hunt("enumerate", deck="4:1:1:0:0", ledger=tmp_path / "x.db", workers=1))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert outcomes[0].totals.games == 30


def test_a_ledger_is_seen_as_objects_and_arrays(tmp_path):
    path = tmp_path / "all.db"
    deck = Deck(5, 1, 1, 1, 0)
    results = [simulate(deal) for deal in deck.deals()]
    hunt("enumerate", deck=deck, ledger=path, workers=1)
    with open_ledger(path) as ledger:
        assert [campaign.deck for campaign in ledger.campaigns] == [deck]
        assert ledger.totals().games == int(ledger.status()["deals"]) == deck.deal_count
        finite = [result for result in results if result.status == "finished"]
        for by in ("cards", "tricks"):
            most = max(getattr(result, by) for result in finite)
            best = ledger.best(by=by)
            assert getattr(best[0].result, by) == most
            assert ledger.best(top=3, by=by) == best[:3]
        tricks, games = np.unique([result.tricks for result in finite], return_counts=True)
        histogram = ledger.histogram()
        assert (
            histogram["tricks"].tolist() == tricks.tolist() and histogram["games"].tolist() == games.tolist()
        )
        assert sum(ledger.cycles().values()) == len(ledger.loops()) == len(results) - len(finite)
        assert ledger.history()["deals"].sum() in (0, deck.deal_count)
        with pytest.raises(CamiciaError, match="by 'length'"):
            ledger.best(by="length")
    assert "all.db" in repr(ledger)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"strategy": "x"}, "strategy 'x'"),
        ({"deck": "x"}, "deck 'x'"),
        ({"seed": -1}, "seed -1"),
        ({"workers": 0}, "workers 0"),
        ({"seconds": -1}, "seconds -1"),
        ({"seconds": "soon"}, "seconds 'soon'"),
        ({"deals": 1.5}, "deals 1.5"),
        ({"keep": -1}, "keep -1"),
        ({"unit_size": 0}, "unit_size 0"),
        ({"shard": (3, 2)}, "3: expected a whole number from 1 to 2"),
        ({"settings": {"x": 1}}, "setting x: unknown to sample"),
        ({"strategy": "loops", "settings": {"start": "x"}}, "--start x: expected one of known, small"),
        (
            {"strategy": "loops", "settings": {"start": "small", "from_ledger": "x"}},
            "not allowed with --start",
        ),
        ({"dask": "x"}, "'x'"),
        ({"kernel": "x"}, "kernel 'x'"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_made(tmp_path, wrong, message):
    asked = {"strategy": "sample", "deals": 1, "ledger": tmp_path / "x.db"} | wrong
    with pytest.raises(CamiciaError, match=message.replace("(", r"\(")):
        hunt(**asked)
    assert not (tmp_path / "x.db").exists()


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_option_is_a_setting_or_leads_to_one(name):
    strategy = STRATEGIES[name]
    known = {**strategy.settings, **strategy.further_settings}
    assert {option.name for option in strategy.options} <= known.keys()
    for option in strategy.options:
        assert option.help and option.flag.startswith("--")
