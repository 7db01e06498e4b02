"""Whatever is handed in instead of a deal, a number or a kernel: one line of ours that quotes it."""

import itertools
import sys

import numpy as np
import pytest

from camicia import (
    STANDARD,
    CamiciaError,
    Deal,
    DealError,
    Deck,
    DeckError,
    KernelError,
    RankError,
    random_deals,
    simulate,
    simulate_game,
    simulate_many,
    unrank_many,
)
from camicia.ancestry.ancestors import State, walk
from camicia.bench import measure

FLAT = memoryview(bytes(6)).cast("B", (2, 3))
HUGE = 10**30

#: What is called, the error, and a word of its message.
CALLS = [
    (lambda: simulate_game(None, ["3"]), DealError, "hand A None"),
    (lambda: simulate_game(["3"], 7), DealError, "hand B 7"),
    (lambda: simulate_game(FLAT, ["3"]), DealError, "hand A <memory"),
    (lambda: simulate_game([None], ["3"]), DealError, "face None"),
    (lambda: simulate_game(itertools.repeat("3"), ["3"]), DealError, "65,535"),
    (lambda: simulate(FLAT), DealError, "<memory"),
    (lambda: simulate(None), DealError, "None"),
    (lambda: simulate(itertools.count()), DealError, "count"),
    (lambda: simulate_many([FLAT]), DealError, "item 0"),
    (lambda: simulate_many(np.array(["J/-"])[0]), DealError, "simulate"),
    (lambda: Deal(FLAT, b"\0"), DealError, "<memory"),
    (lambda: Deal(itertools.repeat(0), b"\0"), DealError, "65,535"),
    (lambda: Deal.parse(None), DealError, "None"),
    (lambda: Deal.from_array([[1], [1, 2]]), DealError, r"\[\[1\], \[1, 2\]\]"),
    (lambda: Deck.parse(None), DeckError, "None"),
    (lambda: Deck(10**5000, 0, 0, 0, 0), DeckError, "bits"),
    (lambda: Deck(1, np.bool_(True), 0, 0, 0), DeckError, "True"),
    (lambda: random_deals(STANDARD, HUGE, 1), CamiciaError, str(HUGE)),
    (lambda: random_deals(STANDARD, 10**5000, 1), CamiciaError, "bits"),
    (lambda: random_deals(STANDARD, -1, 1), CamiciaError, "-1"),
    (lambda: random_deals(STANDARD, np.bool_(True), 1), CamiciaError, "True"),
    (lambda: random_deals(STANDARD, 1, HUGE), CamiciaError, str(HUGE)),
    (lambda: random_deals(STANDARD, 1, "1"), CamiciaError, "'1'"),
    (lambda: unrank_many(STANDARD, range(sys.maxsize)), RankError, "at most"),
    (lambda: unrank_many(STANDARD, range(10**20)), RankError, "at most"),
    (lambda: unrank_many(STANDARD, 7), RankError, "ranks 7"),
    (lambda: unrank_many(STANDARD, [True]), RankError, "True"),
    (lambda: unrank_many(STANDARD, np.zeros(2)), RankError, "0.0"),
    (lambda: simulate("-/-", kernel=["ring"]), KernelError, r"\['ring'\]"),
    (lambda: simulate("-/-", kernel=0), KernelError, "kernel 0"),
    (lambda: simulate_many([], kernel={}), KernelError, "{}"),
    (lambda: simulate_many([], kernel=""), KernelError, "''"),
    (lambda: simulate_many([], threads=np.bool_(True)), CamiciaError, "threads"),
    (lambda: simulate_many([], threads=10**5000 * -1), CamiciaError, "threads"),
    (lambda: simulate_many(np.zeros((1, 2), np.uint8), cut=np.int64(3)), DealError, "cut 3"),
    (lambda: simulate_many(np.zeros((1, 2), np.uint8), cut="1"), DealError, "cut '1'"),
    (lambda: State.from_deal("J/-").after(2**63), CamiciaError, str(2**63)),
    (lambda: walk(State.from_deal("J/-"), top=0.5), CamiciaError, "0.5"),
    (lambda: measure(rounds="2"), CamiciaError, "'2'"),
]


@pytest.mark.parametrize(("call", "error", "said"), CALLS)
def test_bad_values_are_quoted_in_one_line(call, error, said):
    with pytest.raises(error, match=said) as refusal:
        call()
    assert "\n" not in str(refusal.value) and len(str(refusal.value)) < 300


@pytest.mark.parametrize("whole", [np.int64, np.uint8, np.int16, lambda number: np.array(number)])
def test_whole_numbers_of_any_integer_type_will_do(whole):
    deck = Deck(whole(3), whole(1), whole(1), whole(0), whole(1))
    assert (
        deck == Deck(3, 1, 1, 0, 1) and str(deck) == "3:1:1:0:1" and hash(deck) == hash(Deck(3, 1, 1, 0, 1))
    )
    assert type(deck.numbers) is int
    deals = random_deals(deck, whole(5), whole(9))
    assert (deals == random_deals(deck, 5, 9)).all()
    many = simulate_many(deals, cut=whole(2), threads=whole(2))
    assert (many == simulate_many(deals, cut=2)).all()
    assert Deal.from_array(deals[0], whole(2)) == Deal.from_array(deals[0], 2)
    assert deck.unrank(whole(7)) == deck.unrank(7)
    assert list(deck.deals(whole(7), whole(9))) == list(deck.deals(7, 9))
    state = State.from_end("J--/-JA", whole(3))
    assert state.after(whole(1)) == state.after(1)
    found = walk(state, max_states=whole(9), max_depth=whole(9), top=whole(2))
    assert found.by_cards == walk(state, max_states=9, max_depth=9, top=2).by_cards
