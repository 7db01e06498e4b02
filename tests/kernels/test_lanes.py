"""The lanes kernel, in every build this machine can run, gives what the rules and the ring give."""

import os
import random

import numpy as np
import pytest
from known_deals import random_deal, read_known_deals

from camicia import ITALIAN, STANDARD, Deck, random_deals, rules, simulate_many
from camicia.cards import Deal
from camicia.deals.ranking import unrank_many
from camicia.deals.sampling import DealStream
from camicia.kernels.dispatch import available_kernels
from camicia.kernels.rows import ROW, Prepared, play_rows

#: The builds of the lanes kernel that can run here.
LANES = [name for name in available_kernels() if name not in ("reference", "ring")]

#: Deals for the comparison with the rules, with the ring, and of the builds with each other; raise them for a
#: thorough run by hand.
RULE_DEALS = int(os.environ.get("CAMICIA_TEST_DEALS", "20000"))
RING_DEALS = int(os.environ.get("CAMICIA_TEST_RING_DEALS", "100000"))
LANES_DEALS = int(os.environ.get("CAMICIA_TEST_LANES_DEALS", "1000000"))

#: Deals that are compared at a time.
CHUNK = 50_000

#: Decks at the limits of a form: 8, 12 and 16 payment cards and one more, the most number cards and one more.
DECKS = [
    "36:4:4:4:4", "28:4:4:4:0", "41:4:4:4:4", "42:4:4:4:4", "41:16:0:0:0", "41:1:5:3:7", "30:0:0:12:0",
    "30:0:0:0:13", "41:12:0:0:0", "89:2:2:2:2", "90:2:2:2:2", "89:0:0:8:0", "61:1:0:0:1", "62:1:0:0:0",
    "63:0:0:0:0", "42:0:0:9:0", "0:4:4:4:4", "0:16:0:0:0", "4:2:2:2:2", "2:0:0:0:1", "1:1:0:0:0",
    "2:0:0:0:0", "47:4:4:4:4",
]  # fmt: skip


@pytest.fixture(params=LANES)
def kernel(request):
    return request.param


def by_the_ring(deals, cut):
    rows = np.zeros(len(deals), ROW)
    play_rows(deals, cut, rows, "ring")
    return rows


def by_the_rules(deals):
    rows = np.empty(len(deals), ROW)
    for row, deal in zip(rows, deals, strict=True):
        result = rules.play(deal)
        row["status"] = result.status == "loop"
        row["winner"] = {"A": 0, "B": 1, None: 255}[result.winner]
        row["cards"], row["tricks"] = result.cards, result.tricks
    return rows


def test_random_deals_by_the_rules():
    """Many decks, few and many payment cards, equal and unequal hands."""
    generator = random.Random(3)
    deals = [random_deal(generator, 63) for _ in range(RULE_DEALS)]
    right = by_the_rules(deals)
    for name in LANES:
        assert (simulate_many(deals, kernel=name) == right).all(), name


@pytest.mark.parametrize("text", DECKS)
def test_decks_at_the_limits(text, kernel):
    deck = Deck.parse(text)
    deals = random_deals(deck, 300, seed=1)
    for cut in {1, deck.size // 3, deck.size // 2, deck.size - 1} - {0}:
        rows = simulate_many(deals, cut=cut, kernel=kernel)
        assert (rows == by_the_ring(deals, cut)).all()


@pytest.mark.parametrize("text", DECKS)
def test_prepared_deals(text, kernel):
    """The slow way into the kernels' own form agrees with the one of arrays, and leads back."""
    deck = Deck.parse(text)
    deals = random_deals(deck, 200, seed=2)
    prepared = Prepared(deck, 250)
    for cut in {1, deck.size // 2, deck.size - 1}:
        prepared.put(deals, cut)
        codes, cuts = prepared.deals()
        assert (codes == deals).all() and (cuts == cut).all()
        prepared.play(kernel)
        assert (prepared.rows() == by_the_ring(deals, cut)).all()


def test_known_deals_at_once(kernel):
    deals = [known.deal for known in read_known_deals()] * 3
    assert (simulate_many(deals, kernel=kernel) == by_the_rules(deals)).all()


@pytest.mark.parametrize("text", ["8:1:1:1:1", "4:2:0:0:0", "6:2:1:1:0"])
def test_small_decks_exhaustively(text, kernel):
    """Every deal there is; of the second and third deck some are loops."""
    deck = Deck.parse(text)
    rows = unrank_many(deck, range(deck.deal_count))
    deals = [Deal.from_array(row) for row in rows]
    right = by_the_rules(deals)
    assert right["status"].any() == (text != "8:1:1:1:1")
    assert (simulate_many(deals, kernel=kernel) == right).all()
    for cut in range(1, deck.size):
        assert (simulate_many(rows, cut=cut, kernel=kernel) == by_the_ring(rows, cut)).all()


def test_loops_with_huge_tricks(kernel):
    """61:1:0:0:1 loops at 39.5 cards a trick: the cut-off must come before a counter runs over."""
    deals = random_deals(Deck(61, 1, 0, 0, 1), 5000, seed=1)
    right = by_the_ring(deals, 31)
    assert right["status"].sum() > 100
    rows = simulate_many(deals, kernel=kernel)
    assert (rows == right).all()


@pytest.mark.parametrize("deck", [STANDARD, ITALIAN], ids=str)
def test_builds_agree_with_the_ring(deck):
    """All builds and the ring on many deals of the usual decks, in the kernels' own form."""
    compare(deck, 20, ("ring", *LANES), RING_DEALS)


def test_builds_agree():
    """All builds on still more deals."""
    compare(STANDARD, 21, LANES, LANES_DEALS)


def compare(deck, seed, names, count):
    prepared = Prepared(deck, CHUNK)
    stream = DealStream(deck, seed, 1)
    for _ in range(0, count, CHUNK):
        stream.prepare(prepared, CHUNK)
        prepared.play(names[0])
        right = prepared.rows().tobytes()
        for name in names[1:]:
            prepared.play(name)
            assert prepared.rows().tobytes() == right, name


def test_arrays_of_several_decks(kernel):
    """Rows that do not fit the form of the first are found, whatever their order."""
    generator = np.random.default_rng(5)
    for shares in ([0.7, 0.1, 0.1, 0.05, 0.05], [0.4, 0.3, 0.1, 0.1, 0.1], [0.1, 0.9, 0, 0, 0]):
        deals = generator.choice(5, size=(3000, 24), p=shares).astype(np.uint8)
        assert (simulate_many(deals, kernel=kernel) == by_the_ring(deals, 12)).all()
    decks = (Deck(8, 4, 4, 4, 4), Deck(23, 1, 0, 0, 0))
    mixed = np.concatenate([random_deals(deck, 50, 1) for deck in decks])[generator.permutation(100)]
    assert (simulate_many(mixed, kernel=kernel) == by_the_ring(mixed, 12)).all()


@pytest.mark.parametrize("count", [0, 1, 2, 15, 16, 17, 31, 33, 63, 64, 65, 200])
def test_any_number_of_deals(count, kernel):
    deals = random_deals(STANDARD, count, seed=count)
    assert (simulate_many(deals, kernel=kernel) == by_the_ring(deals, 26)).all()


def test_arrays_of_any_strides(kernel):
    deals = random_deals(STANDARD, 400, seed=9)
    right = by_the_ring(deals, 26)
    for view in (
        np.asfortranarray(deals),
        np.repeat(deals, 2, axis=1)[:, ::2],
        np.repeat(deals, 3, axis=0)[::3],
        np.ascontiguousarray(deals[:, ::-1])[:, ::-1],
        np.ascontiguousarray(deals[::-1])[::-1],
    ):
        assert (simulate_many(view, kernel=kernel) == right).all()
    read_only = deals.copy()
    read_only.flags.writeable = False
    assert (simulate_many(read_only, kernel=kernel) == right).all()


def test_no_row_beyond_the_array_is_read(kernel):
    """A deal at the very end of its memory."""
    deals = random_deals(Deck(29, 4, 0, 0, 0), 3, seed=1)
    rows = np.empty(3, ROW)
    play_rows(deals.copy(), 16, rows, kernel)
    assert (rows == by_the_ring(deals, 16)).all()


def test_threads_agree(kernel):
    deals = random_deals(STANDARD, 3001, seed=4)
    assert (simulate_many(deals, kernel=kernel, threads=3) == by_the_ring(deals, 26)).all()
