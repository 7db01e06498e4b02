"""What every kernel promises: it plays as the rules do, whatever the deck, the hands and the cut."""

import os
import random
from itertools import permutations

import numpy as np
import pytest
from known_deals import lengths_of, random_deal, row_of

from camicia import STANDARD, Deal, Deck, random_deals, simulate, simulate_many
from camicia.kernels.dispatch import available_kernels

#: Random deals for each comparison with the rules; raise it for a thorough run by hand.
RANDOM_DEALS = int(os.environ.get("CAMICIA_TEST_DEALS", "5000"))

#: Deals that other programs are known to get wrong, with cards and tricks.
TRAPS = {
    # The hand that runs out on a payment card still wins the pile.
    "------------A-----KQ---Q-J/KK-J---AAJQJ-K--A--------Q": (1321, 184),
}


@pytest.fixture(params=available_kernels(devices=True))
def kernel(request):
    return request.param


def test_known_deals(known, kernel):
    result = simulate(known.text, kernel=kernel)
    assert (result.status, result.winner, lengths_of(result)) == (known.status, known.winner, known.lengths)
    assert result.kernel == kernel
    assert simulate_many([known.deal], kernel=kernel)[0].item() == row_of(known.deal)


@pytest.mark.parametrize("text", TRAPS)
def test_deals_on_which_others_go_wrong(text, kernel):
    result = simulate(text, kernel=kernel)
    assert (result.cards, result.tricks) == TRAPS[text]


def test_random_deals_of_many_decks(kernel):
    generator = random.Random(2024)
    deals = [random_deal(generator) for _ in range(RANDOM_DEALS)]
    assert simulate_many(deals, kernel=kernel).tolist() == [row_of(deal) for deal in deals]


@pytest.mark.parametrize(("hand_a", "hand_b"), [(190, 180), (1, 3), (64, 1), (1, 64), (400, 3), (32, 33)])
def test_large_and_uneven_hands(hand_a, hand_b, kernel):
    generator = random.Random(hand_a)
    deals = []
    for share in (0.01, 0.05, 0.3, 0.9):
        codes = bytes(
            generator.randint(1, 4) if generator.random() < share else 0 for _ in range(hand_a + hand_b)
        )
        deals.append(Deal(codes[:hand_a], codes[hand_a:]))
    assert simulate_many(deals, kernel=kernel).tolist() == [row_of(deal) for deal in deals]


def test_ten_thousand_cards(kernel):
    # Few payment cards, so that the games are short enough for the rules in plain Python.
    for ranks in ((), (1,), (4, 4), (2, 1)):
        codes = bytearray(10_000)
        for place, rank in enumerate(ranks):
            codes[777 + 5_210 * place] = rank
        deal = Deal(codes[:5_000], codes[5_000:])
        assert simulate_many([deal], kernel=kernel)[0].item() == row_of(deal)


@pytest.mark.parametrize("text", ["8:1:1:1:1", pytest.param("12:2:2:2:0", marks=pytest.mark.slow)])
def test_every_balanced_deal_of_a_small_deck(text):
    deck = Deck.parse(text)
    deals = np.array(sorted(distinct_orders(deck)), np.uint8)
    assert len(deals) == deck.deal_count
    if text == "8:1:1:1:1":
        right = [row_of(Deal.from_array(cards)) for cards in deals]
        for kernel in available_kernels():
            assert simulate_many(deals, kernel=kernel).tolist() == right
        return
    rows = {name: simulate_many(deals, kernel=name) for name in available_kernels() if name != "reference"}
    for name, row in rows.items():
        assert (row == rows["ring"]).all(), name
    assert rows["ring"]["status"].sum() == 15
    finished = rows["ring"][rows["ring"]["status"] == 0]
    assert (finished["cards"].max(), finished["tricks"].max()) == (362, 63)
    # The rules in plain Python take minutes for all of them: one in forty, and all loops.
    for place in {*range(0, len(deals), 40), *np.flatnonzero(rows["ring"]["status"])}:
        assert rows["ring"][place].item() == row_of(Deal.from_array(deals[place]))


def distinct_orders(deck):
    """Every order of a deck's cards, once."""
    if deck.payment_cards <= 4:
        seen = set()
        for places in permutations(range(deck.size), deck.payment_cards):
            order = bytearray(deck.size)
            for place, code in zip(places, deck.codes[deck.numbers :], strict=True):
                order[place] = code
            seen.add(bytes(order))
        return [list(order) for order in seen]
    orders = [[]]
    for _ in range(deck.size):
        longer = []
        for order in orders:
            for code, count in enumerate(deck.counts):
                if order.count(code) < count:
                    longer.append([*order, code])
        orders = longer
    return orders


def test_arrays_of_any_strides(kernel):
    deals = random_deals(STANDARD, 40, 3)
    right = simulate_many([Deal.from_array(cards) for cards in deals], kernel=kernel)
    wide = np.zeros((40, 104), np.uint8)
    wide[:, ::2] = deals
    for array in (deals, np.asfortranarray(deals), wide[:, ::2], deals[::-1, ::-1].copy()[::-1, ::-1]):
        assert (simulate_many(array, kernel=kernel) == right).all()
    read_only = deals.copy()
    read_only.flags.writeable = False
    assert (simulate_many(read_only, kernel=kernel) == right).all()


@pytest.mark.parametrize("cut", [0, 1, 20, 51, 52])
def test_cuts(cut, kernel):
    deals = random_deals(STANDARD, 20, 4)
    right = [row_of(Deal.from_array(cards, cut)) for cards in deals]
    assert simulate_many(deals, cut=cut, kernel=kernel).tolist() == right
