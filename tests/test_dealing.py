"""Independent random deals: what their definition says, uniform, and the same on any number of threads."""

import numpy as np
import pytest

import camicia.dealing
from camicia import STANDARD, CamiciaError, Deal, Deck, DeckError, play_random, random_deals, simulate_many
from camicia.deals.independent import INDEPENDENT_UNIT, block_deals, deal_block
from camicia.deals.sampling import DealStream

DECKS = [
    "standard", "italian", "2:1:0:0:1", "0:4:4:4:4", "1:0:0:0:0", "0:3:0:0:0", "1:1:1:1:1", "45:4:4:4:4",
    "4000:2:0:1:1", "100:0:200:3:0",
]  # fmt: skip


#: Deals 0 and 1, and the first of the second block, with seed 1; and the first of the shuffled ones.
GOLDEN = [
    "-----A----J-K-J---J----AA-/----Q--K-J-Q-AK----Q----KQ",
    "Q---K-K---AA--J--------AQQ/--JK----A---Q--------J-J-K",
    "Q-JK---------J---QKQ----A-/-K-K-------JJ--A--A-----AQ",
]
GOLDEN_SHUFFLED = "---K---Q----J----Q-A-J-J-A/J--------Q-K--Q-AA-K-----K"


def reference_block(deck, seed, block, count):
    """A block of deals as its definition says, in plain Python."""
    bits = np.random.Philox(key=seed, counter=(INDEPENDENT_UNIT << 128) + (block << 64))
    rest = max(range(5), key=lambda code: deck.counts[code])
    codes = [code for code in deck.codes if code != rest]
    groups = []
    for bound in range(deck.size, deck.size - len(codes), -1):
        if groups and np.prod([*groups[-1], bound], dtype=object) <= 2**48:
            groups[-1].append(bound)
        else:
            groups.append([bound])
    place = list(range(deck.size))
    deals = []
    for _ in range(count):
        chosen = []
        for bounds in groups:
            product = int(np.prod(bounds, dtype=object))
            while True:
                word, numbers = int(bits.random_raw()), []
                for bound in bounds:
                    numbers.append(word * bound >> 64)
                    word = word * bound % 2**64
                if word >= 2**64 % product:
                    break
            chosen += numbers
        row = [rest] * deck.size
        for i, (code, number) in enumerate(zip(codes, chosen, strict=True)):
            place[i], place[i + number] = place[i + number], place[i]
            row[place[i]] = code
        deals.append(row)
    return np.array(deals, np.uint8)


@pytest.mark.parametrize("text", DECKS)
def test_a_block_is_what_its_definition_says(text):
    deck = camicia.dealing.as_deck(text)
    rows = np.empty((20, deck.size), np.uint8)
    deal_block(deck, 7, 3, rows)
    assert (rows == reference_block(deck, 7, 3, 20)).all()
    deal_block(deck, 7, 3, rows[5:], skip=5)
    assert (rows == reference_block(deck, 7, 3, 20)).all()


@pytest.mark.parametrize("independent", [True, False])
@pytest.mark.parametrize("text", DECKS)
def test_any_threads_and_any_start_give_the_same_deals(text, independent):
    deck = camicia.dealing.as_deck(text)
    size = camicia.dealing.block_size(deck, independent)
    n = min(2 * size + 7, 2_000_000 // deck.size)
    deals = random_deals(text, n, 5, independent=independent)
    assert (np.sort(deals[[0, n // 2, n - 1]]) == np.frombuffer(deck.codes, np.uint8)).all()
    assert (random_deals(deck, n, 5, independent=independent, threads=3) == deals).all()
    assert (random_deals(deck, n // 2, 5, independent=independent) == deals[: n // 2]).all()
    for start in (1, n // 3, min(n - 4, size - 2), n):
        part = random_deals(deck, min(n - start, 4), 5, start=start, independent=independent)
        assert (part == deals[start : start + 4]).all()


@pytest.mark.parametrize("independent", [True, False])
@pytest.mark.parametrize("text", [*DECKS[:8], "300:2:0:1:1"])
def test_games_are_those_of_the_deals(text, independent):
    deck = camicia.dealing.as_deck(text)
    n = min(20_000, 400_000 // deck.size)
    deals = random_deals(text, n + 3, 6, independent=independent)
    right = simulate_many(deals, kernel="ring")
    for threads in (1, 2):
        rows = play_random(text, n, 6, independent=independent, threads=threads, start=3)
        assert (rows == right[3:]).all()
    rows = play_random(text, 30, 6, independent=independent, kernel="reference")
    assert (rows == right[:30]).all()


def test_golden_values():
    """The deals of a seed; what changes them must be told in the list of changes."""
    deals = random_deals(STANDARD, 20_000, seed=1)
    assert [str(Deal.from_array(deals[i])) for i in (0, 1, 16_384)] == GOLDEN
    assert str(Deal.from_array(random_deals(STANDARD, 1, seed=1, independent=False)[0])) == GOLDEN_SHUFFLED


@pytest.mark.parametrize(
    ("text", "limit"),
    # The 99.9% points of chi-square with 11, 29, 119, 69 and 23 degrees of freedom.
    [
        ("2:1:0:0:1", 31.3),
        ("4:1:1:0:0", 58.3),
        ("1:1:1:1:1", 172.7),
        ("4:4:0:0:0", 111.1),
        ("0:1:1:1:1", 49.7),
    ],
)
def test_every_deal_of_a_small_deck_is_as_likely(text, limit):
    deck = Deck.parse(text)
    # More than one block, so that a block's first deals, dealt from places in order, count too.
    counts = np.zeros(deck.deal_count, np.int64)
    for seed in range(200):
        rows = random_deals(deck, 500, seed)
        for row, count in zip(*np.unique(rows, axis=0, return_counts=True), strict=True):
            counts[deck.rank(Deal.from_array(row))] += count
    expected = counts.sum() / len(counts)
    assert ((counts - expected) ** 2 / expected).sum() < limit


def test_deals_next_to_each_other_are_independent():
    """The 144 pairs of successive deals of 2:1:0:0:1: each deal starts from the places of the one before."""
    deck = Deck(2, 1, 0, 0, 1)
    rows = random_deals(deck, 200_001, seed=3)
    numbers = rows @ np.array([125, 25, 5, 1])
    _, rank = np.unique(numbers, return_inverse=True)
    pairs = np.bincount(12 * rank[:-1] + rank[1:], minlength=144)
    expected = 200_000 / 144
    # The 99.9% point of chi-square with 143 degrees of freedom.
    assert ((pairs - expected) ** 2 / expected).sum() < 201.0


@pytest.mark.parametrize("independent", [True, False])
def test_random_games_have_the_known_means(independent):
    """254.69 cards and 35.247 tricks, to four standard errors of independent games."""
    rows = play_random("standard", 400_000, seed=9, independent=independent)
    for name, mean in (("cards", 254.69), ("tricks", 35.247)):
        # Those of one shuffle are alike: their mean varies more.
        error = rows[name].std() / 400_000**0.5 * (1 if independent else 3)
        assert abs(rows[name].mean() - mean) < 4 * error


def test_without_a_seed_deals_differ():
    assert (random_deals("standard", 3) != random_deals("standard", 3)).any()
    assert len(play_random("standard", 10)) == 10


def test_no_deals():
    assert random_deals("standard", 0, 1, threads=4).shape == (0, 52)
    assert play_random("italian", 0, 1, start=10**18).shape == (0,)


def test_blocks_have_an_end():
    deck = Deck(2, 1, 0, 0, 1)
    for count, skip in ((1, block_deals(deck)), (block_deals(deck) + 1, 0), (1, -1)):
        with pytest.raises(ValueError, match="not within a block"):
            deal_block(deck, 1, 0, np.empty((count, 4), np.uint8), skip=skip)
    with pytest.raises(ValueError, match="of 5 cards"):
        deal_block(deck, 1, 0, np.empty((1, 5), np.uint8))
    with pytest.raises(ValueError, match="rows of 5 cards"):
        DealStream(deck, 1, 0).write(np.empty((1, 5), np.uint8))


@pytest.mark.parametrize("call", [random_deals, play_random])
@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        (("nonsense", 1), DeckError, "'nonsense'"),
        ((52, 1), DeckError, "deck 52"),
        ((None, 1), DeckError, "deck None"),
        (("standard", -1), CamiciaError, "-1"),
        (("standard", 10**30), CamiciaError, "number of deals"),
        (("standard", 1, -1), CamiciaError, "seed -1"),
    ],
)
def test_bad_values_are_quoted(call, arguments, error, said):
    with pytest.raises(error, match=said):
        call(*arguments)


@pytest.mark.parametrize("call", [random_deals, play_random])
def test_bad_options_are_quoted(call):
    for option, value in (("start", -1), ("start", 2**63), ("threads", 0), ("threads", 1.5)):
        with pytest.raises(CamiciaError, match=f"{option} {value}"):
            call("standard", 1, 1, **{option: value})
