"""Playing deals: every kernel and every way in gives what the rules give."""

import os
import random
from itertools import permutations
from threading import Thread

import numpy as np
import pytest
from known_deals import lengths_of, random_deal, read_known_deals

from camicia import (
    STANDARD,
    CamiciaError,
    Deal,
    DealError,
    Deck,
    KernelError,
    Status,
    random_deals,
    rules,
    simulate,
    simulate_game,
    simulate_many,
)
from camicia.kernels.dispatch import available_kernels

#: Random deals for each comparison with the rules; raise it for a thorough run by hand.
RANDOM_DEALS = int(os.environ.get("CAMICIA_TEST_DEALS", "5000"))

#: Deals that other programs are known to get wrong, with cards and tricks.
TRAPS = {
    # The hand that runs out on a payment card still wins the pile.
    "------------A-----KQ---Q-J/KK-J---AAJQJ-K--A--------Q": (1321, 184),
}


@pytest.fixture(params=available_kernels())
def kernel(request):
    return request.param


def row_of(deal):
    """What `simulate_many` should say of a deal, by the rules."""
    result = rules.play(deal)
    winner = {"A": 0, "B": 1, None: 255}[result.winner]
    return (int(result.status is Status.LOOP), winner, result.cards, result.tricks)


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


def test_random_deals_one_at_a_time_with_transient_and_cycle():
    generator = random.Random(7)
    loops = 0
    for _ in range(RANDOM_DEALS):
        deal = random_deal(generator)
        result, right = simulate(deal), rules.play(deal)
        assert result == right
        loops += result.status is Status.LOOP
    assert loops, "loops are among the deals compared"


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


@pytest.mark.parametrize("threads", [1, 2, 3, 64])
def test_threads_do_not_change_results(threads):
    deals = random_deals(STANDARD, 50, 5)
    assert (simulate_many(deals, threads=threads) == simulate_many(deals)).all()


def test_no_deals():
    assert simulate_many([]).shape == simulate_many(np.zeros((0, 52), np.uint8)).shape == (0,)
    empty = simulate_many(np.zeros((0, 52), np.uint8), threads=2)
    assert empty.dtype.names == ("status", "winner", "cards", "tricks")
    assert [simulate_many([]).dtype[name].str for name in ("status", "winner", "cards", "tricks")] == [
        "|u1", "|u1", "<i8", "<i8",
    ]  # fmt: skip


def test_the_gil_is_released():
    deals = random_deals(STANDARD, 300_000, 6)
    player = Thread(target=simulate_many, args=(deals,))
    player.start()
    turns = 0
    while player.is_alive():
        turns += 1
    player.join()
    assert turns > 100, "this thread ran while the other played"


@pytest.mark.parametrize(
    ("deals", "said"),
    [
        (np.zeros((2, 4)), "float64"),
        (np.zeros(4, np.uint8), "shape"),
        (np.zeros((2, 0), np.uint8), "cards a deal"),
        (np.array([[0, 1], [0, 9]], np.uint8), "row 1 holds 9 at place 1: card codes are 0 to 4"),
        (["J/-", "J-"], "item 1"),
        ("J/-", "simulate"),
        (7, "sequence"),
        ([7], "simulate.. plays one"),
        ([(["2"], ["X"])], "unknown face 'X'"),
    ],
)
def test_bad_deals_are_refused(deals, said):
    with pytest.raises(DealError, match=said):
        simulate_many(deals)


@pytest.mark.parametrize("threads", [0, -1, 1.5, True, "2"])
def test_bad_threads_are_refused(threads):
    with pytest.raises(CamiciaError, match="threads"):
        simulate_many([], threads=threads)


def test_kernels_are_chosen(monkeypatch):
    monkeypatch.setenv("CAMICIA_KERNEL", "reference")
    assert simulate("-/-").kernel == "reference"
    assert simulate("-/-", kernel="ring").kernel == "ring"
    monkeypatch.setenv("CAMICIA_KERNEL", "abacus")
    with pytest.raises(KernelError, match="CAMICIA_KERNEL 'abacus': unknown, expected one of ref"):
        simulate("-/-")
    with pytest.raises(KernelError, match="'abacus'"):
        simulate_many([], kernel="abacus")


#: The convention of the Exercism exercise "Camicia": two lists of faces, and the three fields.
EXERCISES = [
    (["2"], ["3"], ("finished", 2, 1)),
    (["J", "2", "3"], ["4", "J", "5"], ("loop", 8, 3)),
    (["J"], ["5", "J"], ("finished", 5, 2)),
]


@pytest.mark.parametrize(("player_a", "player_b", "right"), EXERCISES)
def test_the_exercise(player_a, player_b, right):
    assert simulate_game(player_a, player_b) == dict(zip(("status", "cards", "tricks"), right, strict=True))


def test_ways_in_agree():
    for known in read_known_deals():
        faces = tuple(["2" if symbol == "-" else symbol for symbol in hand] for hand in known.text.split("/"))
        assert simulate(known.text) == simulate(known.deal) == simulate(faces)
