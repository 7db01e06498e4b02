"""Ancestors: the predecessor relation is the inverse of the trick, and walks find whole trees and basins."""

from __future__ import annotations

import csv
import random
from collections import Counter, defaultdict
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from known_deals import cards_and_tricks
from places import DATA

from camicia import CamiciaError, Deal, DealError, Deck
from camicia.ancestry.ancestors import Ancestor, Cycle, State, predecessors, walk
from camicia.rules import Game, play

with (DATA / "known_deals.csv").open(encoding="utf-8") as file:
    KNOWN = {row["name"]: row for row in csv.DictReader(file)}

#: Every state of these decks, whatever the hands' sizes, is looked at.
SMALL_DECKS = ["4:2:0:0:0", "5:1:1:0:0", "3:2:1:1:0", "4:1:0:0:1", "2:1:1:1:1", "6:2:1:0:0", "5:0:3:0:0"]

#: Decks of random states: usual ones, odd ones, few and many payment cards, more than 64 cards.
DECKS = [
    "36:4:4:4:4",
    "28:4:4:4:0",
    "9:1:1:1:1",
    "2:3:3:3:3",
    "4:4:4:4:4",
    "61:1:0:0:1",
    "40:25:0:3:7",
    "7:1:2:0:0",
]


def next_state(state: State) -> tuple[State, int] | None:
    """One trick by the letter of the rules: the state reached and the cards played, None if the game ends."""
    game = Game(state.to_deal())
    while not game.tricks:
        game.play_card()
    if game.winner is not None:
        return None
    hands = bytes(game.hands[0]), bytes(game.hands[1])
    return State(hands[game.player], hands[1 - game.player]), game.cards


def all_states(deck: Deck) -> list[State]:
    """Every state of a deck: all orders of its cards, cut at every place that leaves both hands a card."""
    rows = {bytes(row) for row in permutations(deck.codes)}
    return [State(row[:cut], row[cut:]) for row in sorted(rows) for cut in range(1, deck.size)]


def random_state(text: str, rng: random.Random) -> State:
    cards = list(Deck.parse(text).codes)
    rng.shuffle(cards)
    cut = rng.randrange(1, len(cards))
    return State(bytes(cards[:cut]), bytes(cards[cut:]))


def path_states(text: str, rng: random.Random, most: int) -> list[State]:
    """States on the path of a random game, which have predecessors by their nature."""
    state = random_state(text, rng)
    path = [state]
    while len(path) < most and (reached := next_state(path[-1])):
        path.append(reached[0])
    return path


@pytest.mark.parametrize("text", SMALL_DECKS)
def test_predecessors_are_exactly_the_inverse_of_the_trick(text: str) -> None:
    states = all_states(Deck.parse(text))
    before: dict[State, set[tuple[State, int]]] = defaultdict(set)
    for state in states:
        if reached := next_state(state):
            before[reached[0]].add((state, reached[1]))
    for state in states:
        found = predecessors(state)
        assert set(found) == before[state]
        assert len({cards for _, cards in found}) == len(found)


@pytest.mark.parametrize("text", DECKS)
def test_predecessors_replay_and_hold_the_true_one(text: str) -> None:
    rng = random.Random(text)
    looked_at = 0
    for _ in range(12):
        path = path_states(text, rng, 25)
        for earlier, state in pairwise(path):
            found = predecessors(state)
            assert earlier in [before.state for before in found]
            for before in found:
                assert next_state(before.state) == (state, before.cards)
                looked_at += 1
    assert looked_at > 12


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=30), st.lists(st.integers(0, 4), min_size=1, max_size=30)
)
def test_predecessors_of_any_hands_replay(leader: list[int], other: list[int]) -> None:
    state = State(bytes(leader), bytes(other))
    for before in predecessors(state):
        assert next_state(before.state) == (state, before.cards)


def test_states_play_on_as_the_rules_say() -> None:
    rng = random.Random(7)
    for text in DECKS:
        path = path_states(text, rng, 40)
        for tricks in range(len(path)):
            assert path[0].after(tricks) == path[tricks]


def tree_by_hand(
    root: State, depths: int = 10**6, avoid: State | None = None
) -> list[tuple[State, int, int]]:
    """All ancestors of a state, with tricks and cards to it: `predecessors` over and over."""
    level = [(root, 0, 0)]
    found = []
    while level:
        found += level
        level = [
            (before.state, tricks + 1, cards + before.cards)
            for state, tricks, cards in level
            if tricks < depths
            for before in predecessors(state)
            if before.state != avoid
        ]
    return found


@pytest.mark.parametrize(
    "text", ["9:1:1:1:1", "7:1:2:0:0", "6:2:1:0:0", "16:2:2:2:0", "2:3:3:3:3", "20:0:0:2:3"]
)
def test_walk_finds_what_taking_predecessors_over_and_over_finds(text: str) -> None:
    rng = random.Random(text)
    sizes = []
    for _ in range(6):
        root = path_states(text, rng, 30)[-1]
        rest = play(root.to_deal())
        if rest.transient_tricks == 0:
            continue
        by_hand = tree_by_hand(root)
        tree = walk(root, top=None)
        expected = [
            Ancestor(state.to_deal(), rest.cards + cards, rest.tricks + tricks)
            for state, tricks, cards in by_hand
            if state.balanced
        ]
        assert tree.states == len(by_hand)
        assert tree.balanced == len(expected)
        assert not tree.truncated
        depths = Counter(tricks for _, tricks, _ in by_hand)
        assert tree.depths.tolist() == [depths[depth] for depth in range(len(depths))]
        rows = [(-found.cards, found.deal.hand_a + found.deal.hand_b, found) for found in expected]
        assert tree.by_cards == [row[2] for row in sorted(rows)]
        rows = [(-found.tricks, found.deal.hand_a + found.deal.hand_b, found) for found in expected]
        assert tree.by_tricks == [row[2] for row in sorted(rows)]
        assert walk(root, top=3).by_tricks == tree.by_tricks[:3]
        assert walk(root, top=3).by_cards == tree.by_cards[:3]
        for found in expected:
            assert cards_and_tricks(play(found.deal)) == (found.cards, found.tricks)
        sizes.append(tree.states)
    assert max(sizes) > 10


def test_walk_goes_no_further_than_it_may() -> None:
    root = State.from_end(KNOWN["Collins 2006"]["deal"], 300)
    for depth in (0, 1, 2, 30):
        tree = walk(root, max_depth=depth, top=0)
        assert tree.truncated
        assert tree.depths.sum() == tree.states == len(tree_by_hand(root, depth))
        assert len(tree.depths) == depth + 1
    for states in (1, 2, 1000, 35_105):
        tree = walk(root, max_states=states, top=5)
        assert tree.truncated
        assert states - 60 < tree.states <= states
    assert not walk(root, max_states=35_106).truncated
    assert not walk(root, max_depth=748).truncated
    assert walk(root, max_depth=747).truncated


@pytest.mark.parametrize(
    ("name", "states", "balanced", "cards", "tricks"),
    [("Collins 2006", 35_106, 1_201, 7544, 1048), ("Kleber 1999", 23_300, 734, None, 822)],
)
def test_trees_of_known_size(name: str, states: int, balanced: int, cards: int | None, tricks: int) -> None:
    tree = walk(State.from_end(KNOWN[name]["deal"], 300))
    assert (tree.states, tree.balanced, tree.truncated) == (states, balanced, False)
    assert tree.by_tricks[0].tricks == tricks
    assert cards is None or (tree.by_cards[0].cards, tree.by_cards[0].tricks) == (cards, tricks)
    for found in (tree.by_cards[0], tree.by_tricks[0], tree.by_cards[-1]):
        assert cards_and_tricks(play(found.deal)) == (found.cards, found.tricks)


@pytest.mark.parametrize("name", ["Rucklidge 2014", "Nessler 2021", "Nessler 2022"])
def test_records_that_are_the_best_of_their_trees(name: str) -> None:
    known = KNOWN[name]
    tree = walk(State.from_end(known["deal"], 300))
    best = Ancestor(Deal.parse(known["deal"]), int(known["cards"]), int(known["tricks"]))
    assert tree.by_cards[0] == best
    assert tree.by_tricks[0].tricks == best.tricks


def test_three_records_lie_in_one_tree() -> None:
    names = ["Mann and Wu 2007", "Nessler 2012", "Anderson 2013"]
    assert len({State.from_end(KNOWN[name]["deal"], 300) for name in names}) == 1


def test_an_odd_deck_gives_the_leader_the_smaller_half() -> None:
    root = State.from_deal("-J-Q-/K--")
    tree = walk(root, top=None)
    assert {len(found.deal.hand_a) for found in tree.by_cards} <= {4}
    assert tree.balanced == sum(state.balanced for state, _, _ in tree_by_hand(root))


@pytest.mark.parametrize("text", ["4:2:0:0:0", "5:2:1:0:0", "6:3:0:0:0", "5:2:0:0:1"])
def test_basins_hold_exactly_the_loops(text: str) -> None:
    basins: dict[str, Counter[tuple[Deal, int, int]]] = defaultdict(Counter)
    states: Counter[str] = Counter()
    for state in all_states(Deck.parse(text)):
        deal = state.to_deal()
        result = play(deal)
        if result.status == "finished":
            continue
        name = Cycle.of(deal).name
        states[name] += 1
        basins[name][deal, result.cards, result.tricks] += state.balanced
    assert states
    for name, deals in basins.items():
        basin = Cycle.of(name).basin()
        assert str(basin.root) == name
        assert basin.states == states[name]
        assert basin.balanced == sum(deals.values())
        assert {tuple(found) for found in basin.by_tricks} == {deal for deal, count in deals.items() if count}


def test_all_starts_of_a_cycle_give_its_name() -> None:
    for row in KNOWN.values():
        if row["status"] != "loop":
            continue
        cycle = Cycle.of(row["deal"])
        assert cycle.name == min(cycle.states).__str__()
        assert (cycle.cards, cycle.tricks) == (int(row["cycle_cards"]), int(row["cycle_tricks"]))
        assert len(set(cycle.states)) == len(cycle.states)
        for state in cycle.states[:: max(1, len(cycle.states) // 5)]:
            assert Cycle.of(state) == cycle
        for state, following in zip(cycle.states, cycle.states[1:] + cycle.states[:1], strict=True):
            assert state.after(1) == following


def test_italian_basins_sum_up_to_published_ones() -> None:
    # The 162 loops of the 40-card deck fall into cycles of 90, 28, 26, 4, 4, 4, 2, 2 and 2 deals.
    sizes = {}
    for row in KNOWN.values():
        if row["deck"] == "28:4:4:4:0" and row["status"] == "loop":
            basin = Cycle.of(row["deal"]).basin()
            assert not basin.truncated
            assert basin.balanced in (90, 28, 26, 4, 2)
            assert Deal.parse(row["deal"]) in [found.deal for found in basin.by_cards]
            for found in basin.by_cards:
                result = play(found.deal)
                assert (result.status, result.cards, result.tricks) == ("loop", found.cards, found.tricks)
            sizes[str(basin.root)] = basin.balanced
    assert len(sizes) > 1


def test_walk_from_a_cycle_does_not_enter_it() -> None:
    cycle = Cycle.of(KNOWN["Italian 40-card loop"]["deal"])
    trees = [walk(state, top=None) for state in cycle.states]
    basin = cycle.basin()
    assert sum(tree.states for tree in trees) == basin.states
    assert sum(tree.balanced for tree in trees) == basin.balanced
    states = [
        state
        for root, before in zip(cycle.states, (cycle.states[-1:] + cycle.states), strict=False)
        for state, _, _ in tree_by_hand(root, avoid=before)
    ]
    assert len(states) == len(set(states)) == basin.states


def test_states_from_the_end() -> None:
    deal = Deal.parse(KNOWN["Paulhus 1999"]["deal"])
    assert State.from_end(deal, 670) == State.from_deal(deal)
    assert State.from_end(deal, 1).after(0) == State.from_deal(deal).after(669)
    assert play(State.from_end(deal, 33).to_deal()).tricks == 33


def test_impossible_arguments_are_refused() -> None:
    deal = KNOWN["Paulhus 1999"]["deal"]
    with pytest.raises(DealError, match=r"state '/J': a hand is empty"):
        State.from_deal("/J")
    with pytest.raises(DealError, match=r"state 'J/': a hand is empty"):
        State(b"\1", b"")
    with pytest.raises(DealError, match=r"expected card codes"):
        State(b"\7", b"\1")
    with pytest.raises(DealError, match=r"has 670 tricks, expected at least 671"):
        State.from_end(deal, 671)
    with pytest.raises(DealError, match=r"never ends"):
        State.from_end("J--/-J-", 1)
    with pytest.raises(DealError, match=r"its game finishes, expected a loop"):
        Cycle.of(deal)
    with pytest.raises(DealError, match=r"ends within 670 tricks"):
        State.from_deal(deal).after(670)
    for wrong in (0, -1, 1.5, True, "3"):
        with pytest.raises(CamiciaError, match=r"tricks to go .*: expected a whole number from 1"):
            State.from_end(deal, wrong)  # type: ignore[arg-type]
    for option in ({"max_states": 0}, {"max_depth": -1}, {"top": -1}, {"top": 1.0}):
        with pytest.raises(CamiciaError, match=r"expected a whole number from"):
            walk(State.from_deal(deal), **option)


def test_depths_are_int64() -> None:
    assert walk(State.from_deal("J--/-JA")).depths.dtype == np.int64
