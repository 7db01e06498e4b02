"""Climbing: a unit is what its games and their trees make it, on any kernel, and resumes exactly."""

from __future__ import annotations

import doctest
import json
import math
from collections import Counter

import numpy as np
import pytest
from hunting import camicia, documented
from known_deals import cards_and_tricks
from places import ROOT

from camicia import STANDARD, Deck, Status, simulate_many
from camicia.ancestry.ancestors import Cycle, State, walk
from camicia.deals.sampling import DealStream
from camicia.kernels.dispatch import available_kernels
from camicia.rules import play
from search.campaign import Campaign
from search.cli import main
from search.errors import CampaignError
from search.finds import FINDS_PER_TREE, best, deal_of
from search.ledger import Ledger
from search.strategies import DEFAULT_STRATEGY
from search.strategies.climb import Climb
from search.strategies.harvest import tree_name
from search.strategies.request import Request
from search.strategies.tail import Tail
from search.workers import run_unit

#: A deck whose games are long for their size, with loops now and then.
LOOPY = Deck(20, 2, 2, 2, 0)


def campaign_of(deck: Deck, unit_size: int, least_tricks: int, from_end: int, **changes: int) -> Campaign:
    settings = {"least_tricks": least_tricks, "from_end": from_end, "max_states": 10**6}
    return Campaign("climb", deck, 7, unit_size, finds_kept=30, loops_kept=200, settings=settings | changes)


def played(campaign: Campaign, unit: int) -> tuple[np.ndarray, np.ndarray]:
    deals = DealStream(campaign.deck, campaign.seed, unit).take(campaign.unit_size)
    return deals, simulate_many(deals)


@pytest.mark.parametrize(
    ("deck", "least_tricks", "from_end"), [(STANDARD, 110, 100), (Deck(12, 2, 2, 0, 0), 12, 9)]
)
def test_a_unit_is_the_trees_of_its_long_games(deck: Deck, least_tricks: int, from_end: int) -> None:
    campaign = campaign_of(deck, 4992, least_tricks, from_end)
    report = run_unit(campaign, 3)
    deals, results = played(campaign, 3)
    finite = results["status"] == 0
    roots = {
        State.from_end(deal_of(deals[place].tobytes(), deck), from_end)
        for place in np.flatnonzero(finite & (results["tricks"] >= least_tricks))
    }
    trees = [walk(root, top=None) for root in roots]
    assert len(trees) > 5
    assert report.counters["trees"] == len(trees)
    assert report.counters["tree_states"] == sum(tree.states for tree in trees)
    assert report.counters["tree_balanced"] == sum(tree.balanced for tree in trees)
    assert report.counters["trees_truncated"] == 0
    assert report.counters["trees_repeated"] == (finite & (results["tricks"] >= least_tricks)).sum() - len(
        roots
    )
    # What was dealt is counted as by sampling: trees add finds, not games.
    assert report.games == campaign.unit_size
    assert report.tricks == results["tricks"][finite].sum()
    longest = max(tree.by_tricks[0].tricks for tree in trees)
    assert max(find.tricks for find in report.finds) == longest
    assert longest >= results["tricks"][finite].max()
    for find in report.finds:
        assert cards_and_tricks(play(deal_of(find.codes, deck))) == (find.cards, find.tricks)
        assert (find.tree != 0) == (find.tricks >= least_tricks)
    # The best three of every tree are there to choose from.
    expected = set()
    for tree in trees:
        name = tree_name(len(tree.root.leader).to_bytes(2, "little") + tree.root.leader + tree.root.other)
        for found in [*tree.by_cards[:3], *tree.by_tricks[:3]]:
            if found.tricks >= least_tricks:
                expected.add((found.deal.hand_a + found.deal.hand_b, found.cards, found.tricks, name))
    climbed = [find for find in report.finds if find.tree]
    assert {tuple(find) for find in climbed} <= expected
    assert best(climbed, "tricks", 5) == best([type(climbed[0])(*one) for one in expected], "tricks", 5)


@pytest.mark.parametrize("by", ["cards", "tricks"])
def test_at_most_three_finds_of_a_tree(by) -> None:
    report = run_unit(campaign_of(STANDARD, 9984, 150, 140), 0)
    chosen = best(report.finds, by, 30)
    assert len(chosen) > FINDS_PER_TREE
    assert max(Counter(find.tree for find in chosen if find.tree).values()) <= FINDS_PER_TREE


def test_units_are_the_same_on_every_kernel() -> None:
    campaign = campaign_of(LOOPY, 3600, 60, 50)
    reports = [run_unit(campaign, 1, kernel) for kernel in available_kernels()]
    assert len(reports) > 1
    for report in reports[1:]:
        assert report.checksum == reports[0].checksum
        assert report.finds == reports[0].finds
        assert report.loop_finds == reports[0].loop_finds
        assert report.histogram == reports[0].histogram
        assert report.counters | {"walk_microseconds": 0} == reports[0].counters | {"walk_microseconds": 0}


def test_the_walks_are_in_the_checksum() -> None:
    near = run_unit(campaign_of(STANDARD, 4992, 100, 99), 0)
    far = run_unit(campaign_of(STANDARD, 4992, 100, 98), 0)
    none = run_unit(campaign_of(STANDARD, 4992, 10**6, 98), 0)
    sampled = run_unit(Campaign("sample", STANDARD, 7, 4992), 0)
    assert len({near.checksum, far.checksum, none.checksum}) == 3
    assert none.checksum == sampled.checksum


def test_a_walk_that_is_cut_off_keeps_its_own_game() -> None:
    report = run_unit(campaign_of(STANDARD, 9984, 120, 110, max_states=1), 0)
    assert report.counters["trees_truncated"] == report.counters["trees"] > 0
    assert report.counters["tree_states"] == report.counters["trees"]
    assert max(find.tricks for find in report.finds) == max(report.histogram)


def test_loops_bring_their_basins() -> None:
    deck = Deck(20, 2, 2, 0, 0)
    campaign = campaign_of(deck, 40_000, 10**6, 10)
    report = run_unit(campaign, 0)
    deals, results = played(campaign, 0)
    looping = [deal_of(deals[place].tobytes(), deck) for place in np.flatnonzero(results["status"])]
    assert looping
    assert report.loops == len(looping)
    listed = {find.codes for find in report.loop_finds}
    expected = {deal.hand_a + deal.hand_b for deal in looping}
    for cycle in {Cycle.of(deal) for deal in looping}:
        expected |= {found.deal.hand_a + found.deal.hand_b for found in cycle.basin().by_cards}
    assert listed == set(sorted(expected)[: campaign.loops_kept])
    assert len(listed) > len(set(looping))
    for find in report.loop_finds:
        result = play(deal_of(find.codes, deck))
        assert (result.status, result.cards, result.tricks) == (Status.LOOP, find.cards, find.tricks)


def test_what_is_given_is_taken_and_the_rest_measured() -> None:
    campaign = Climb().plan(Request(deck=STANDARD, settings={"least_tricks": 300}))
    assert campaign.settings["least_tricks"] == 300
    assert 280 <= campaign.settings["from_end"] <= 298
    assert campaign.settings["max_states"] >= 100_000
    campaign = Climb().plan(Request(deck=STANDARD, settings={"from_end": 500}))
    assert campaign.settings["from_end"] == 500
    assert campaign.settings["least_tricks"] > 500
    campaign = Climb().plan(Request(deck=STANDARD))
    # A few thousand of the games of the measurement would be too few, some hundreds of tricks too many.
    assert 100 < campaign.settings["least_tricks"] < 400


@pytest.mark.parametrize(
    "text", ["1:0:0:0:0", "2:0:0:0:0", "0:1:0:0:0", "4:2:0:0:0", "9:1:1:1:1", "0:4:4:4:4", "200:1:0:0:0"]
)
def test_any_deck_can_be_climbed(text: str) -> None:
    campaign = Climb().plan(Request(deck=Deck.parse(text), seed=1))
    report = run_unit(Campaign("climb", campaign.deck, 1, 1000, settings=campaign.settings), 0)
    assert report.games == 1000


@pytest.mark.parametrize(
    "settings",
    [
        {"least_tricks": 0},
        {"from_end": -3},
        {"max_states": 0},
        {"least_tricks": 100, "from_end": 101},
        {"least_tricks": "many"},
    ],
)
def test_impossible_settings_are_refused(settings) -> None:
    with pytest.raises(CampaignError, match=r"--[a-z-]+ .*: expected"):
        Climb().plan(Request(deck=LOOPY, settings=settings))


def test_the_tail_follows_the_halving_law() -> None:
    tail = Tail({tricks: round(1e8 * 2 ** (-tricks / 20)) for tricks in range(700)})
    assert abs(tail.halving - 20) <= 0.5
    for games in (10**6, 1000, 50, 1, 0.1):
        # The sum of the bins from t on is 29.4 times the first.
        assert abs(tail.tricks_of(games) - 20 * math.log2(29.4e8 / games)) < (1 if games >= 100 else 10)
        assert abs(tail.games_of(tail.tricks_of(games)) / games - 1) < 0.05
    empty = Tail({})
    assert empty.tricks_of(1) >= 0
    assert empty.games_of(10) >= 0


CLIMB = (
    *("search", "climb", "--deck", "20:2:2:2:0", "--seed", "5", "--unit-size", "2000", "--keep", "20"),
    *("--least-tricks", "60", "--from-end", "50", "--max-states", "100000", "--quiet"),
)


def test_a_ledger_keeps_few_finds_of_each_tree(tmp_path) -> None:
    documented(*CLIMB, "--deals", "40000", "--ledger", "hunt.db", cwd=tmp_path)
    with Ledger(tmp_path / "hunt.db") as ledger:
        (entry,) = ledger.campaigns()
        trees = Counter(find.tree for find in ledger.finds(entry) if find.tree)
        # Three by cards and three by tricks.
        assert 1 < max(trees.values()) <= 2 * FINDS_PER_TREE


def test_status_tells_of_the_trees(tmp_path) -> None:
    document = documented(*CLIMB, "--deals", "20000", "--ledger", "hunt.db", cwd=tmp_path)
    (campaign,) = document["campaigns"]
    assert campaign["settings"] == {"least_tricks": 60, "from_end": 50, "max_states": 100_000}
    assert campaign["trees"] > 0
    assert 0 < campaign["walking_share"] < 1
    text = camicia("status", "hunt.db", cwd=tmp_path).stdout
    assert f"{campaign['trees']:,} of {campaign['tree_states']:,} states" in text
    assert "% of the time" in text
    assert "from games of 60 tricks or more, 50 to go" in text


def test_status_says_so_if_no_game_is_long_enough(tmp_path) -> None:
    words = [*CLIMB, "--deals", "2000", "--ledger", "short.db"]
    words[words.index("60")] = "100000"
    camicia(*words, cwd=tmp_path)
    assert "no game was that long yet" in camicia("status", "short.db", cwd=tmp_path).stdout
    document = json.loads(camicia("status", "short.db", "--json", cwd=tmp_path).stdout)
    assert document["campaigns"][0]["trees"] == 0


def test_other_settings_are_another_campaign(tmp_path) -> None:
    documented(*CLIMB, "--deals", "2000", "--ledger", "hunt.db", cwd=tmp_path)
    words = list(CLIMB)
    words[words.index("50")] = "40"
    refused = camicia(*words, "--deals", "4000", "--ledger", "hunt.db", cwd=tmp_path)
    assert refused.returncode == 2
    assert "from end 50, not 40" in refused.stderr


def test_ledgers_whose_thresholds_were_measured_differently_are_joined(tmp_path) -> None:
    for seed, from_end in (("1", "50"), ("2", "40")):
        words = list(CLIMB)
        words[words.index("--seed") + 1] = seed
        words[words.index("--from-end") + 1] = from_end
        documented(*words, "--deals", "2000", "--ledger", f"{seed}.db", cwd=tmp_path)
    assert camicia("merge", "both.db", "1.db", "2.db", cwd=tmp_path).returncode == 0
    joined, *apart = (documented("status", f"{name}.db", cwd=tmp_path) for name in ("both", "1", "2"))
    assert int(joined["deals"]) == sum(int(one["deals"]) for one in apart)
    longest = max(one["longest"]["tricks"]["tricks"] for one in apart)
    assert joined["longest"]["tricks"]["tricks"] == longest


def test_climbing_is_what_search_does_unless_told_otherwise() -> None:
    assert DEFAULT_STRATEGY == "climb"


def test_the_page_on_climbing_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    page = ROOT / "docs" / "climbing.md"
    assert doctest.testfile(str(page), module_relative=False, encoding="utf-8").failed == 0
    words, _, shown = page.read_text(encoding="utf-8").split("```console\n$ camicia ")[1].partition("\n")
    assert main(words.split()) == 0
    assert capsys.readouterr().out.startswith(shown.split("```")[0])
