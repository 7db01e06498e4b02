"""Ranks: rank and unrank are inverse for every deck, in the order of the field; so is the step onward."""

import contextlib
import io
import itertools
import json
import pickle
import random
import re

import numpy as np
import pytest
from known_deals import read_known_deals

from camicia import ITALIAN, STANDARD, CamiciaError, Deal, DealError, Deck, RankError, unrank_many
from camicia.deals import ranking
from camicia.deals.ranks import parse_rank, rank_text
from search import cli

#: Small enough to go through whole, payment cards alone and number cards alone among them.
SMALL = [
    Deck(1, 0, 0, 0, 0),
    Deck(7, 0, 0, 0, 0),
    Deck(0, 0, 0, 0, 3),
    Deck(0, 1, 1, 1, 1),
    Deck(2, 0, 3, 0, 1),
    Deck(3, 1, 1, 1, 1),
    Deck(4, 2, 0, 2, 0),
    Deck(0, 2, 2, 2, 1),
]

#: Up to what 128 bits hold and beyond: 88:8:8:8:8 needs 190 bits, 4000:100:0:7:1 about a thousand.
LARGE = [
    Deck(18, 2, 2, 2, 2),
    ITALIAN,
    STANDARD,
    Deck(36, 4, 4, 4, 5),
    Deck(61, 1, 0, 0, 1),
    Deck(0, 10, 10, 10, 10),
    Deck(20, 10, 10, 10, 10),
    Deck(88, 8, 8, 8, 8),
    Deck(320, 12, 12, 12, 14),
    Deck(4000, 100, 0, 7, 1),
]

#: Decks on both sides of the switch from C to Python's integers, at 2**128 deals times cards.
EDGE = [Deck(n, 9, 9, 9, 9) for n in range(26, 45)]


def arrangements(deck):
    """All deals of a deck as tuples of codes, in lexicographic order."""
    return sorted(set(itertools.permutations(deck.codes)))


def some_ranks(deck, count):
    """The extreme ranks of a deck and random ones between them."""
    generator = random.Random(str(deck))
    total = deck.deal_count
    ends = {rank for rank in (0, 1, total // 2, total - 2, total - 1) if 0 <= rank < total}
    return sorted(ends) + [generator.randrange(total) for _ in range(count)]


@pytest.mark.parametrize("deck", SMALL, ids=str)
def test_the_order_is_that_of_itertools(deck):
    rows = arrangements(deck)
    assert deck.deal_count == len(rows)
    assert [tuple(deal.hand_a + deal.hand_b) for deal in deck.deals()] == rows
    for rank, row in enumerate(rows):
        deal = deck.unrank(rank)
        assert tuple(deal.hand_a + deal.hand_b) == row
        assert len(deal.hand_a) == deck.size // 2
        assert deck.rank(deal) == rank


def test_a_number_card_comes_first_and_an_ace_last():
    deck = Deck(1, 1, 1, 1, 1)
    assert str(deck.unrank(0)) == "-J/QKA"
    assert str(deck.unrank(deck.deal_count - 1)) == "AK/QJ-"


@pytest.mark.parametrize("deck", [Deck(8, 1, 1, 1, 1), Deck(6, 2, 2, 2, 0)], ids=str)
def test_the_whole_range_of_a_small_deck(deck):
    total = deck.deal_count
    stepped = unrank_many(deck, range(total))
    one_by_one = unrank_many(deck, np.arange(total))
    assert np.array_equal(stepped, one_by_one)
    as_bytes = [row.tobytes() for row in stepped]
    assert as_bytes == sorted(set(as_bytes))
    assert [ranking.rank(deck.counts, row) for row in as_bytes] == list(range(total))


@pytest.mark.parametrize("deck", LARGE + EDGE, ids=str)
def test_inverse_on_random_and_extreme_ranks(deck):
    ranks = some_ranks(deck, 200 if deck.size < 100 else 10)
    deals = [deck.unrank(rank) for rank in ranks]
    assert [deck.rank(deal) for deal in deals] == ranks
    assert all(deal.deck == deck for deal in deals)
    rows = unrank_many(deck, ranks)
    assert [Deal.from_array(row) for row in rows] == deals
    # The order of ranks is the order of the rows.
    ordered = [row for _, row in sorted(zip(ranks, (row.tobytes() for row in rows), strict=True))]
    assert ordered == sorted(ordered)


@pytest.mark.parametrize("deck", LARGE, ids=str)
def test_the_two_ends_and_the_step_between_ranks(deck):
    total = deck.deal_count
    assert deck.unrank(0).to_array().tobytes() == deck.codes
    assert deck.unrank(total - 1).to_array().tobytes() == deck.codes[::-1]
    for start in some_ranks(deck, 5):
        stop = min(start + 50, total)
        block = list(deck.deals(start, stop))
        assert len(block) == stop - start
        assert block[0] == deck.unrank(start)
        assert block[-1] == deck.unrank(stop - 1)
        assert np.array_equal(unrank_many(deck, range(start, stop)), [deal.to_array() for deal in block])


def test_both_sides_of_128_bits_are_among_the_decks():
    needed = [deck.deal_count * deck.size for deck in EDGE]
    assert min(needed) < 2**128 < max(needed)
    assert any(2**124 < need < 2**128 for need in needed)


@pytest.mark.parametrize("deck", LARGE + EDGE, ids=str)
def test_the_decks_left_after_a_first_card_add_up(deck):
    parts = 0
    for code, count in enumerate(deck.counts):
        if count:
            left = list(deck.counts)
            left[code] -= 1
            parts += Deck(*left).deal_count
    assert parts == deck.deal_count


def test_known_counts():
    assert STANDARD.deal_count == 653_534_134_886_878_245_000
    assert ITALIAN.deal_count == 193_584_473_082_000


def test_the_ranks_of_the_known_deals():
    ranked = [known for known in read_known_deals() if re.search(r"rank \d+", known.name)]
    assert len(ranked) >= 8
    for known in ranked:
        rank = int(re.search(r"rank (\d+)", known.name)[1])
        deck = Deck.parse(known.deck)
        assert deck.rank(known.deal) == rank
        assert deck.unrank(rank) == known.deal


def test_the_largest_deck():
    deck = Deck(59_535, 1500, 1500, 1500, 1500)
    total = deck.deal_count
    assert len(rank_text(total)) > 4300
    rank = total // 3
    deal = deck.unrank(rank)
    assert deck.rank(deal) == rank
    assert parse_rank(rank_text(rank)) == rank
    with pytest.raises(RankError, match="expected a whole number from 0 to") as error:
        deck.unrank(total)
    assert len(str(error.value)) < 300
    assert list(deck.deals(rank, rank + 1)) == [deal]


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        ("J/-J-Q", "deal 'J/-J-Q': is of deck 2:2:1:0:0, expected deck 2:2:0:0:1"),
        ("J/-J-A", "deal 'J/-J-A': hand A has 1 card, expected 2 of 5"),
        ("-J-/JA", "deal '-J-/JA': hand A has 3 cards, expected 2 of 5"),
        ("J", "deal 'J': no slash"),
    ],
)
def test_deals_without_a_rank(deal, message):
    with pytest.raises(DealError, match=re.escape(message)):
        Deck(2, 2, 0, 0, 1).rank(deal)


@pytest.mark.parametrize(
    "rank",
    [-1, 30, 2**64, 10**40, -(10**5000), 10**5000, 1.0, "3", None, True],
    # A number of 5,000 digits is more than Python writes out.
    ids=lambda rank: hex(rank)[:9] if isinstance(rank, int) else repr(rank),
)
def test_ranks_that_are_none(rank):
    deck = Deck(2, 2, 0, 0, 1)
    for call in (deck.unrank, lambda rank: unrank_many(deck, [0, rank])):
        with pytest.raises(RankError, match="expected a whole number from 0 to 29 for deck") as error:
            call(rank)
        assert isinstance(error.value, CamiciaError) and isinstance(error.value, ValueError)
        assert "\n" not in str(error.value) and len(str(error.value)) < 200


def test_ranges_that_are_none():
    deck = Deck(2, 2, 0, 0, 1)
    for start, stop in [(-1, 5), (5, 4), (0, 31), (31, None), (0.0, 3), ("0", 3), (0, 10**5000)]:
        with pytest.raises(RankError, match="expected whole numbers in order from 0 to 30"):
            deck.deals(start, stop)


def test_empty_ranges():
    deck = Deck(2, 2, 0, 0, 1)
    assert list(deck.deals(7, 7)) == []
    assert list(deck.deals(30)) == []
    for nothing in ([], range(0), np.array([], np.int64), range(5, 5)):
        assert unrank_many(deck, nothing).shape == (0, 5)


@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.int64, np.uint64, object])
def test_arrays_of_ranks_of_any_integer_type(dtype):
    deck = Deck(3, 1, 1, 1, 0)
    ranks = np.array([119, 0, 7, 7, 64], dtype)
    expected = [deck.unrank(int(rank)).to_array() for rank in ranks]
    assert np.array_equal(unrank_many(deck, ranks), expected)
    assert np.array_equal(unrank_many(deck, ranks[::-1]), expected[::-1])
    assert deck.rank(deck.unrank(ranks[0])) == 119


def test_arrays_that_are_not_ranks():
    deck = Deck(3, 1, 1, 1, 0)
    for ranks in (np.zeros((2, 2), np.int64), np.array([0.0]), np.array([-1]), np.array([2**63], np.uint64)):
        with pytest.raises(RankError):
            unrank_many(deck, ranks)


def test_ranges_with_steps():
    deck = Deck(3, 1, 1, 1, 0)
    for ranks in (range(0, 120, 7), range(119, -1, -1), range(5, 60, 1)):
        assert np.array_equal(unrank_many(deck, ranks), [deck.unrank(rank).to_array() for rank in ranks])
    with pytest.raises(RankError):
        unrank_many(deck, range(100, 121))


def test_decks_still_pickle_and_deals_are_lazy():
    assert pickle.loads(pickle.dumps(STANDARD)) == STANDARD
    deals = STANDARD.deals()
    assert str(next(deals)) == "--------------------------/----------JJJJQQQQKKKKAAAA"
    assert str(next(deals)) == "--------------------------/----------JJJJQQQQKKKAKAAA"


@pytest.mark.parametrize("text", ["", "-1", "1e5", "1.0", "x", "1__0", "_1", "٣", "NaN", "1 2"])
def test_texts_that_are_no_rank(text):
    with pytest.raises(RankError, match="expected a whole number"):
        parse_rank(text)


def test_texts_of_ranks():
    assert parse_rank(" 12,345_678 ") == 12345678
    assert parse_rank("0") == 0
    assert rank_text(0) == "0"
    assert rank_text(10**40) == "1" + "0" * 40


def run(*words):
    """Run `camicia` with these words, and return what it printed."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert cli.main(words) == 0
    return printed.getvalue()


def test_the_commands_rank_and_unrank():
    deal = "-JK--QKK-QQ---K--J--/------J-----------QJ"
    assert run("rank", deal) == "106954227391669\n"
    assert run("unrank", "italian", "106954227391669") == f"{deal}\n"
    document = {
        "deal": deal,
        "deck": "28:4:4:4:0",
        "rank": "106954227391669",
        "deal_count": "193584473082000",
    }
    assert json.loads(run("rank", deal, "--json")) == document
    assert json.loads(run("unrank", "28:4:4:4:0", "106954227391669", "--json")) == document


def test_ranks_of_deals_on_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("A-/-J\n\nA-/J-\n"))
    assert run("rank", "-") == "9\n10\n"
    monkeypatch.setattr("sys.stdin", io.StringIO("A-/-J\n"))
    assert [item["rank"] for item in json.loads(run("rank", "-", "--json"))["deals"]] == ["9"]


def test_ranks_of_thousands_of_digits_on_the_command_line():
    deck = Deck(59_535, 1500, 1500, 1500, 1500)
    rank = rank_text(deck.deal_count // 3)
    deal = run("unrank", str(deck), rank).strip()
    assert run("rank", deal).strip() == rank


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("rank", "--A/J"), "hand A has 3 cards, expected 2 of 4"),
        (("rank", "-x/J"), "unknown card 'x'"),
        (("unrank", "1:1:0:0:0", "2"), "rank 2: expected a whole number from 0 to 1"),
        (("unrank", "1:1:0:0:0", "-1"), "rank '-1': expected a whole number from 0 up"),
        (("unrank", "1:1:0:0:0", "one"), "rank 'one': expected a whole number from 0 up"),
        (("unrank", "1:1:0:0", "1"), "deck '1:1:0:0': expected five counts"),
    ],
)
def test_bad_input_of_the_commands(words, message, capsys):
    try:
        code = cli.main(words)
    except SystemExit as end:
        code = end.code
    printed = capsys.readouterr()
    assert code == 2 and printed.out == ""
    assert message in printed.err and printed.err.count("\n") == 1
