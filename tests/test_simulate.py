"""Playing deals: every kernel and every way in gives what the rules give."""

import os
import random
from threading import Thread

import numpy as np
import pytest
from known_deals import random_deal, read_known_deals

from camicia import (
    STANDARD,
    CamiciaError,
    DealError,
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


@pytest.fixture(params=available_kernels(devices=True))
def kernel(request):
    return request.param


def test_random_deals_one_at_a_time_with_transient_and_cycle():
    generator = random.Random(7)
    loops = 0
    for _ in range(RANDOM_DEALS):
        deal = random_deal(generator)
        result, right = simulate(deal), rules.play(deal)
        assert result == right
        loops += result.status is Status.LOOP
    assert loops, "loops are among the deals compared"


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
