"""Random deals: the stream is fixed for ever, uniform, and the same in the kernels' own form."""

import numpy as np
import pytest

from camicia import ITALIAN, STANDARD, CamiciaError, Deal, Deck, random_deals, simulate_many
from camicia.deals.sampling import STREAM_VERSION, DealStream, relabellings
from camicia.kernels.rows import Prepared

DECKS = [
    "36:4:4:4:4", "28:4:4:4:0", "8:1:1:1:1", "41:5:4:4:3", "41:16:0:0:0", "41:0:3:0:0", "41:3:3:3:1",
    "89:1:0:0:0", "89:0:4:0:4", "10:0:0:0:0", "1:0:1:0:0", "0:4:4:4:4", "45:4:4:4:4", "0:1:0:0:0",
    "1:0:0:0:0", "30:9:0:8:0",
]  # fmt: skip


#: Deals 0, 1, 24 and 1248 of unit 0 with seed 1, and the first of a distant unit of the Italian deck.
GOLDEN = [
    "---K-J------K--Q--JJA---K-/JA-Q-----K-Q----A----A--Q-",
    "---A-J------A--Q--JJK---A-/JK-Q-----A-Q----K----K--Q-",
    "--K-J------K--Q--JJA---K-J/A-Q-----K-Q----A----A--Q--",
    "-----Q---J-Q----Q-J---K--A/K----QAA------J-KK-----AJ-",
]
GOLDEN_LAST = "Q-K--------J-Q------/--Q-Q---J-JJK-K----K"


def reference_stream(deck, seed, unit, count):
    """The stream of version 1 as its definition says, in plain Python."""
    bits = np.random.Philox(key=seed, counter=unit << 128)
    circle = list(deck.codes)
    deals = []
    while len(deals) < count:
        for last in range(deck.size - 1, 0, -1):
            bound = last + 1
            product = int(bits.random_raw()) * bound
            while product % 2**64 < 2**64 % bound:
                product = int(bits.random_raw()) * bound
            other = product >> 64
            circle[last], circle[other] = circle[other], circle[last]
        for rotation in range(deck.size):
            turned = circle[rotation:] + circle[:rotation]
            deals += [[new[card] for card in turned] for new in relabellings(deck)]
    return np.array(deals[:count], np.uint8)


@pytest.mark.parametrize("text", DECKS)
def test_the_stream_is_what_its_definition_says(text):
    deck = Deck.parse(text)
    count = 3 * DealStream(deck, 7, 5).deals_per_shuffle + 5
    assert (DealStream(deck, 7, 5).take(count) == reference_stream(deck, 7, 5, count)).all()


def test_golden_values():
    """Version 1 for ever: these may only change together with the version."""
    assert STREAM_VERSION == 1
    deals = DealStream(STANDARD, 1, 0).take(1300)
    assert [str(Deal.from_array(deals[i])) for i in (0, 1, 24, 1248)] == GOLDEN
    assert str(Deal.from_array(DealStream(ITALIAN, 2**64 - 1, 2**40).take(1)[0])) == GOLDEN_LAST


@pytest.mark.parametrize("text", DECKS)
@pytest.mark.parametrize("chunk", [1, 7, 300, 2000])
def test_the_own_form_holds_the_same_deals(text, chunk):
    deck = Deck.parse(text)
    prepared = Prepared(deck, chunk)
    stream, codes = DealStream(deck, 5, 3), DealStream(deck, 5, 3)
    for _ in range(max(4, 3000 // chunk)):
        stream.prepare(prepared, chunk)
        deals, cuts = prepared.deals()
        assert (deals == codes.take(chunk)).all()
        assert (cuts == deck.cut).all()


@pytest.mark.parametrize("text", DECKS)
def test_the_own_form_plays_the_same(text):
    deck = Deck.parse(text)
    prepared = Prepared(deck, 3000)
    DealStream(deck, 8, 1).prepare(prepared, 3000)
    right = simulate_many(DealStream(deck, 8, 1).take(3000), kernel="ring")
    for name in ("ring", None):
        prepared.play(name)
        assert (prepared.rows() == right).all()


def test_units_and_seeds_differ():
    first = DealStream(STANDARD, 1, 0).take(1)
    assert (DealStream(STANDARD, 1, 0).take(1) == first).all()
    assert (DealStream(STANDARD, 1, 1).take(1) != first).any()
    assert (DealStream(STANDARD, 2, 0).take(1) != first).any()
    assert (random_deals(STANDARD, 1, seed=1) != first).any()


def test_streams_and_mixed_decks_do_not_fit():
    with pytest.raises(ValueError, match="there is room for 5 of 52 cards"):
        DealStream(STANDARD, 1, 0).prepare(Prepared(STANDARD, 5), 6)
    with pytest.raises(ValueError, match="of 52 cards"):
        DealStream(ITALIAN, 1, 0).prepare(Prepared(STANDARD, 5), 1)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "1"])
def test_bad_seeds_are_refused(seed):
    with pytest.raises(CamiciaError, match="expected a whole number from 0"):
        random_deals(STANDARD, 1, seed=seed)
