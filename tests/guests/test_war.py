"""War: small games by hand, the kernel beside the rules in plain Python, and the random deals."""

import os
import random
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from camicia import CamiciaError, DealError, Status
from camicia.guests.war import simulate_war, simulate_war_many
from camicia.guests.war_cards import CODES, DECK, VALID_CODES, VALUE_BITS, WarDeal, hand_text
from camicia.guests.war_dealing import BLOCK, deal_rows
from camicia.guests.war_random import WarTally, play_random, random_war_deals
from camicia.guests.war_rules import COLLECT, WarGame, play, play_by_play

#: Random deals for each comparison with the rules; raise it for a thorough run by hand.
RANDOM_DEALS = int(os.environ.get("CAMICIA_TEST_DEALS", "3000"))

#: Games played by hand: deal, how it is collected, winner, tricks, cards.
FINISHED = [
    ("3/2", "as-laid", "A", 1, 2),
    ("2/3", "as-laid", "B", 1, 2),
    ("T/A", "as-laid", "A", 1, 2),
    ("5/A", "as-laid", "A", 1, 2),
    # 3 5 goes to B, 4 3 to A, 4 5 to B, 3 4 to B; B's own first: 5 3 and 5 4.
    ("34/5", "as-laid", "B", 4, 3),
    ("34/5", "winner-first", "B", 2, 3),
    # Ties by value, and nobody can pay for a war: A is looked at first.
    ("A/4", "as-laid", "B", 1, 2),
    ("J2345/J2345", "winner-first", "B", 1, 10),
    ("K222/3AAAAA", "as-laid", "B", 1, 10),
    ("3AAAAA/K222", "as-laid", "A", 1, 10),
    # A war that is fought, and one after another: five and nine cards each.
    ("5234T/56789", "as-laid", "A", 1, 10),
    ("56789/5234T", "winner-first", "B", 1, 10),
    ("23453678T/26783AAA9", "as-laid", "A", 1, 18),
    ("23453678T/26783AAAT", "as-laid", "B", 1, 18),
    # Nobody plays against an empty hand.
    ("J/", "as-laid", "A", 0, 1),
    ("/J2", "winner-first", "B", 0, 2),
]

#: Loops followed by hand: deal, how it is collected, transient, cycle, cards of A when it returns.
LOOPS = [
    ("23/32", "as-laid", 2, 2, 2),
    ("2T/3J", "as-laid", 2, 4, 2),
]

FACES = [face for face in CODES if len(face) == 1]
HANDS = st.text(st.sampled_from(FACES), max_size=30)
DEALS = (
    st.tuples(HANDS, HANDS).filter(lambda hands: hands[0] + hands[1]).map(lambda hands: WarDeal.of(*hands))
)
WAYS = st.sampled_from(COLLECT)


def random_deals(seed, number):
    """Deals of many sizes, few or many different cards, cut anywhere."""
    generator = random.Random(seed)
    for _ in range(number):
        faces = generator.sample(FACES, generator.randint(1, len(FACES)))
        cards = [generator.choice(faces) for _ in range(generator.randint(1, 60))]
        cut = generator.choice((len(cards) // 2, len(cards) // 2, generator.randint(0, len(cards))))
        yield WarDeal.of(cards[:cut], cards[cut:])


def row_of(deal, collect):
    """What `simulate_war_many` should say of a deal, by the rules."""
    result = play(deal, collect)
    winner = {"A": 0, "B": 1, None: 255}[result.winner]
    is_loop = result.status is Status.LOOP
    return (
        int(is_loop), winner, result.tricks, result.cards,
        result.transient_tricks or 0, result.cycle_tricks or 0,
    )  # fmt: skip


@pytest.mark.parametrize(("deal", "collect", "winner", "tricks", "cards"), FINISHED)
def test_games_played_by_hand(deal, collect, winner, tricks, cards):
    result = simulate_war(*deal.split("/"), collect=collect)
    assert result == (Status.FINISHED, winner, tricks, cards, None, None)
    assert result == play(WarDeal.parse(deal), collect)


@pytest.mark.parametrize(("deal", "collect", "transient", "cycle", "cards"), LOOPS)
def test_loops_followed_by_hand(deal, collect, transient, cycle, cards):
    result = simulate_war(*deal.split("/"), collect=collect)
    assert result == (Status.LOOP, None, transient + cycle, cards, transient, cycle)
    assert result == play(WarDeal.parse(deal), collect)


@pytest.mark.parametrize(("collect", "hand"), [("as-laid", "5526374KT9"), ("winner-first", "5234T567K9")])
def test_the_order_in_which_a_war_is_collected(collect, hand):
    game = WarGame(WarDeal.parse("5234T/567K9J"), collect)
    trick = game.play_trick()
    assert (trick.winner, hand_text(trick.table)) == ("A", "5526374KT9")
    assert (hand_text(game.hands[0]), hand_text(game.hands[1])) == (hand, "J")


def test_both_forms_of_input():
    assert simulate_war("2TJ", "3QKA") == simulate_war(["2", "10", "J"], ("3", "Q", "K", "A"))
    assert simulate_war(iter(["2", "T"]), "3") == simulate_war("2T", ["3"])
    deal = WarDeal.parse(" 2TJ/3QKA\n")
    assert (str(deal), deal) == ("2TJ/3QKA", WarDeal.of("2TJ", "3QKA"))


@pytest.mark.parametrize(
    ("hand_a", "hand_b", "message"),
    [
        ("2x", "3", "hand A: unknown card 'x' at place 2, expected 2 to 9, T (ten), J, Q, K or A"),
        ("2", "310", "hand B: unknown card '1' at place 2, expected 2 to 9, T (ten), J, Q, K or A"),
        (["2", 3], "3", "hand A: unknown card 3 at place 2, expected '2' to '10', 'T', 'J', 'Q', 'K' or 'A'"),
        (["2"], ["10", "11"], "hand B: unknown card '11' at place 2"),
        ("", "", "deal '/': both hands are empty"),
        (7, "3", "hand A: 7: expected a string such as '2TJ' or a list of faces"),
        ("2" * 65_000, "3" * 536, "deal of 65,536 cards: expected at most 65,535"),
    ],
)
def test_bad_hands_are_refused_by_place(hand_a, hand_b, message):
    with pytest.raises(DealError) as caught:
        simulate_war(hand_a, hand_b)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("collect", ["winner", "", None, "AS-LAID"])
def test_an_unknown_way_of_collecting_is_refused(collect):
    for call in (
        lambda: simulate_war("2", "3", collect=collect),
        lambda: simulate_war_many(np.full((1, 2), 2, np.uint8), collect=collect),
        lambda: play(WarDeal.parse("2/3"), collect),
        lambda: play_random(1, 1, collect=collect),
    ):
        with pytest.raises(CamiciaError, match="expected 'as-laid' or 'winner-first'"):
            call()


@pytest.mark.parametrize("collect", COLLECT)
def test_random_deals_of_many_sizes_as_by_the_rules(collect):
    loops = 0
    for deal in random_deals(2024, RANDOM_DEALS):
        result = simulate_war(hand_text(deal.hand_a), hand_text(deal.hand_b), collect=collect)
        assert result == play(deal, collect), deal
        loops += result.status is Status.LOOP
    assert loops, "loops are among the deals compared"


@pytest.mark.parametrize("collect", COLLECT)
def test_standard_deals_as_by_the_rules(collect):
    deals = random_war_deals(RANDOM_DEALS // 10, seed=52)
    rows = simulate_war_many(deals, collect=collect)
    right = [row_of(WarDeal(row[:26].tobytes(), row[26:].tobytes()), collect) for row in deals]
    assert rows.tolist() == right


@pytest.mark.parametrize(("size", "cut"), [(2, 1), (65, 33), (128, 64), (129, 2), (400, 370), (400, 3)])
def test_large_and_uneven_hands(size, cut):
    generator = np.random.default_rng(size)
    # Of few values, so that there are long wars; a loop of many cards would take the plain version for ever.
    deals = generator.choice(np.frombuffer(VALID_CODES, np.uint8)[:6], (6, size))
    for collect in COLLECT:
        rows = simulate_war_many(deals, cut=cut, collect=collect)
        right = [row_of(WarDeal(row[:cut].tobytes(), row[cut:].tobytes()), collect) for row in deals]
        assert rows.tolist() == right


def test_the_longest_war_that_the_memory_must_hold():
    # All cards but the last pair tie: one war of all there are.
    rest = 5 * 4
    for last, winner in (("23", 1), ("32", 0), ("22", 1)):
        deal = ("2" * rest + last[0], "2" * rest + last[1])
        assert simulate_war(*deal) == (Status.FINISHED, "AB"[winner], 1, 2 * rest + 2, None, None)
    hand = "2" * 32_764
    assert simulate_war(hand + "3", hand + "2")[:4] == (Status.FINISHED, "A", 1, 65_530)


@given(DEALS, WAYS)
@settings(max_examples=max(100, RANDOM_DEALS // 20), deadline=None)
def test_no_card_is_lost_or_doubled(deal, collect):
    cards = sorted(deal.hand_a + deal.hand_b)
    game = WarGame(deal, collect)
    for trick in islice(play_by_play(deal, collect), 300):
        assert sorted(trick.hand_a + trick.hand_b) == cards
        assert (trick.hand_a, trick.hand_b) == (bytes(game.hands[0]), bytes(game.hands[1]))
        assert game.play_trick() == trick
        assert sorted([*game.hands[0], *game.hands[1]]) == cards


@given(DEALS, WAYS)
@settings(max_examples=max(100, RANDOM_DEALS // 20), deadline=None)
def test_faces_of_one_value_are_alike_in_everything(deal, collect):
    result = simulate_war(hand_text(deal.hand_a), hand_text(deal.hand_b), collect=collect)
    assert result == play(deal, collect)
    values = WarDeal(*(bytes(card & VALUE_BITS for card in hand) for hand in deal))
    assert result == play(values, collect)
    if result.status is Status.FINISHED:
        assert result.cards == len(deal.hand_a + deal.hand_b)
    else:
        assert result.tricks == result.transient_tricks + result.cycle_tricks


def test_arrays_of_any_strides_and_cut():
    deals = random_war_deals(200, seed=3)
    rows = simulate_war_many(deals)
    assert (simulate_war_many(np.asfortranarray(deals)) == rows).all()
    assert (simulate_war_many(deals[::-1])[::-1] == rows).all()
    assert (simulate_war_many(deals, cut=26, threads=3) == rows).all()
    assert (simulate_war_many(deals & VALUE_BITS) == rows).all()
    backwards = np.ascontiguousarray(deals[:, ::-1])[:, ::-1]
    assert backwards.strides[1] == -1 and (simulate_war_many(backwards) == rows).all()
    assert simulate_war_many(deals[:, :1])["tricks"].tolist() == [0] * 200
    assert len(simulate_war_many(deals[:0], threads=4)) == 0


@pytest.mark.parametrize(
    ("array", "options", "message"),
    [
        (np.zeros((1, 4), np.int64), {}, "array of dtype int64"),
        (np.zeros(4, np.uint8), {}, "array of dtype uint8 and shape (4,)"),
        (np.zeros((2, 0), np.uint8), {}, "array of shape (2, 0): expected 1 to 65,535 cards"),
        (np.array([[2, 3], [4, 16]], np.uint8), {}, "array of deals: code 16 in row 1 at place 1"),
        (np.array([[2, 3]], np.uint8), {"cut": 3}, "cut 3: expected a whole number from 0 to 2"),
        (np.array([[2, 3]], np.uint8), {"threads": 0}, "threads 0: expected a whole number from 1 up"),
    ],
)
def test_bad_arrays_are_refused(array, options, message):
    with pytest.raises(CamiciaError) as caught:
        simulate_war_many(array, **options)
    assert str(caught.value).startswith(message)


def dealt_in_plain_python(seed, block, number):
    """The random stream as its definition says."""
    words = iter(np.random.Philox(key=seed, counter=block << 128).random_raw(number * 60).tolist())
    deck = list(DECK)
    for _ in range(number):
        for last in range(len(deck) - 1, 0, -1):
            product = next(words) * (last + 1)
            while product % 2**64 < 2**64 % (last + 1):
                product = next(words) * (last + 1)
            other = product >> 64
            deck[last], deck[other] = deck[other], deck[last]
        yield bytes(deck)


@pytest.mark.parametrize(("seed", "block"), [(1, 0), (2**64 - 1, 3)])
def test_the_random_stream_is_as_defined(seed, block):
    deals = np.empty((40, len(DECK)), np.uint8)
    deal_rows(DECK, seed, block, deals)
    assert [row.tobytes() for row in deals] == list(dealt_in_plain_python(seed, block, 40))


def test_random_deals_are_whole_decks_and_begin_alike():
    deals = random_war_deals(BLOCK + 5, seed=9)
    assert (np.sort(deals, axis=1) == np.sort(np.frombuffer(DECK, np.uint8))).all()
    assert (random_war_deals(100, seed=9) == deals[:100]).all()
    assert (deals[BLOCK:] != deals[:5]).any() and (random_war_deals(100, seed=8) != deals[:100]).any()
    # Every face lies everywhere equally often: chi-squared with 51 degrees of freedom each, 13 faces.
    for code in set(DECK):
        seen = (deals == code).sum(axis=0)
        expected = len(deals) / 13
        assert ((seen - expected) ** 2 / expected).sum() < 110


@pytest.mark.parametrize(("n", "seed"), [(-1, 1), (1.5, 1), (True, 1), (1, -1), (1, 2**64), (1, "x")])
def test_impossible_numbers_of_deals_and_seeds_are_refused(n, seed):
    for make in (random_war_deals, play_random):
        with pytest.raises(CamiciaError):
            make(n, seed)


@pytest.mark.parametrize("collect", COLLECT)
def test_a_tally_counts_what_was_played(collect):
    number = BLOCK + 1000
    tally = WarTally()
    for block in play_random(number, 5, collect=collect, threads=3):
        tally.merge(block)
    rows = simulate_war_many(deals := random_war_deals(number, 5), collect=collect)
    ended = rows[rows["status"] == 0]
    assert tally.games == number and tally.finished == len(ended)
    assert tally.wins == tuple((rows["winner"] == player).sum() for player in (0, 1))
    assert sum(tricks * games for tricks, games in tally.tricks.items()) == ended["tricks"].sum()
    loops = rows[rows["status"] == 1]
    assert sum(tricks * games for tricks, games in tally.cycles.items()) == loops["cycle_tricks"].sum()
    assert sum(tally.transients.values()) == tally.loops == len(loops)
    longest = deals[np.where(rows["status"] == 0, rows["tricks"], -1).argmax()]
    assert tally.longest == WarDeal(longest[:26].tobytes(), longest[26:].tobytes())
    assert tally.longest_tricks == ended["tricks"].max() == play(tally.longest, collect).tricks


def test_blocks_do_not_depend_on_threads():
    one, many = (list(play_random(3 * BLOCK // 2, 4, threads=threads)) for threads in (1, 4))
    assert one == many and [block.games for block in one] == [BLOCK, BLOCK // 2]
