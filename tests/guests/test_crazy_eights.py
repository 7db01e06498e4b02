"""Crazy Eights: cards, hands of fixed memory and the discard pile, and whole games with no card lost."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from camicia import CamiciaError
from camicia.guests.crazy_eights import (
    DECK_SIZE,
    HAND_SIZE,
    SUITS,
    DiscardPile,
    Hand,
    can_play,
    card_name,
    points_of,
    rank_of,
    show,
    shuffled_deck,
    suit_of,
)
from camicia.guests.eights_game import EightsGame, Move

#: Random games of each property; raise it for a thorough run by hand.
GAMES = max(100, int(os.environ.get("CAMICIA_TEST_DEALS", "0")))

SEEDS = st.integers(0, 2**64 - 1)


def hand_of(*cards, size=HAND_SIZE):
    hand = Hand(size)
    for card in cards:
        hand.draw(card)
    return hand


def cards_of(game):
    """Every card of a game, wherever it is."""
    return sorted([*game.stock, *game.pile, *(card for hand in game.hands for card in hand)])


def test_the_examples_of_the_documents():
    assert card_name(34) == "8 of Clubs"
    hand, pile = hand_of(2, 3, 4, 5, 6), DiscardPile()
    assert hand.discard(list(hand).index(3), pile) == 3
    assert list(hand) == [2, 6, 4, 5] and list(pile) == [3]
    assert hand.memory.tobytes() == bytes([2, 6, 4, 5]) + bytes(8)
    assert show(Hand()) == "Empty Hand"


def test_every_card_has_its_name():
    names = [card_name(card) for card in range(1, DECK_SIZE + 1)]
    assert len(set(names)) == 52
    assert [names[number - 1] for number in (1, 11, 12, 13, 14, 26, 27, 40, 52)] == [
        "Ace of Diamonds", "Jack of Diamonds", "Queen of Diamonds", "King of Diamonds", "Ace of Hearts",
        "King of Hearts", "Ace of Clubs", "Ace of Spades", "King of Spades",
    ]  # fmt: skip


def test_points():
    assert [points_of(card) for card in (1, 7, 8, 10, 11, 12, 13, 47)] == [1, 7, 50, 10, 10, 10, 10, 50]


def test_what_may_be_played_by_the_rule_written_out():
    for top in range(1, 53):
        for card in range(1, 53):
            rank, suit = (card - 1) % 13 + 1, "DHCS"[(card - 1) // 13]
            top_rank, top_suit = (top - 1) % 13 + 1, "DHCS"[(top - 1) // 13]
            if top_rank == 8:
                assert can_play(card, top) == (rank == 8 or suit == top_suit)
                for named in range(4):
                    assert can_play(card, top, named) == (rank == 8 or suit == "DHCS"[named])
            else:
                assert can_play(card, top) == (rank == 8 or rank == top_rank or suit == top_suit)


def test_eights_are_told_by_their_rank_not_their_number():
    # The program that this came from compared the number of the card, so that only the 8 of Diamonds was one.
    assert [card for card in range(1, 53) if rank_of(card) == 8] == [8, 21, 34, 47]
    assert all(can_play(card, top=1) for card in (8, 21, 34, 47))


@pytest.mark.parametrize("card", [0, 53, -1, 1.0, True, "8", None])
def test_what_is_no_card_is_refused(card):
    for call in (card_name, rank_of, suit_of, points_of, lambda card: can_play(card, 1), Hand().draw):
        with pytest.raises(CamiciaError, match="expected a whole number from 1 to 52"):
            call(card)


@pytest.mark.parametrize("suit", [-1, 4, 1.0, True, "Hearts"])
def test_what_is_no_suit_is_refused(suit):
    with pytest.raises(CamiciaError, match=r"suit .*expected a whole number from 0 to 3"):
        can_play(1, 34, suit)
    with pytest.raises(CamiciaError, match="suit"):
        DiscardPile().put(34, suit)


def test_a_full_hand_refuses_and_says_so():
    hand = hand_of(*range(1, 13))
    assert len(hand) == 12 and hand.is_full
    with pytest.raises(CamiciaError) as caught:
        hand.draw(13)
    assert str(caught.value) == "King of Diamonds: the hand is full, with 12 cards; discard one first"
    assert list(hand) == list(range(1, 13))


def test_hands_share_one_memory_and_keep_to_their_part():
    block = bytearray(b"\xff" * 24)
    view = memoryview(block)
    first, second = Hand(12, view[:12]), Hand(12, view[12:])
    assert block == bytes(24)
    for card in range(1, 13):
        first.draw(card)
    second.draw(52)
    assert block == bytes([*range(1, 13), 52]) + bytes(11)
    first.discard(11, DiscardPile())
    assert block == bytes([*range(1, 12), 0, 52]) + bytes(11)


@pytest.mark.parametrize(
    ("size", "memory"),
    [
        (12, bytes(12)), (12, bytearray(11)), (12, memoryview(bytearray(13))), (12, [0] * 12), (0, None),
        (True, None), ("12", None), (3, memoryview(bytearray(12)).cast("I")),
    ],
)  # fmt: skip
def test_memory_that_is_no_hand_is_refused(size, memory):
    with pytest.raises(CamiciaError, match="expected"):
        Hand(size, memory)


@pytest.mark.parametrize("place", [-1, 2, 12, 1.0, True, None])
def test_a_place_without_a_card_is_refused(place):
    hand, pile = hand_of(5, 6), DiscardPile()
    with pytest.raises(CamiciaError, match="expected 0 to 1"):
        hand.discard(place, pile)
    assert list(hand) == [5, 6] and not len(pile)
    with pytest.raises(CamiciaError, match="the hand is empty"):
        Hand().discard(0, pile)


def test_the_pile_keeps_its_top_and_the_suit_that_was_named():
    pile = DiscardPile([5])
    with pytest.raises(CamiciaError, match="a suit may be named for an eight only"):
        pile.put(6, suit=1)
    pile.put(8, suit=3)
    assert (pile.top, pile.suit, pile.takes(40), pile.takes(1)) == (8, 3, True, False)
    assert pile.take_under() == [5] and (list(pile), pile.suit) == ([8], 3)
    pile.put(52)
    assert pile.suit is None
    with pytest.raises(CamiciaError, match="empty"):
        _ = DiscardPile().top


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 11), st.integers(1, 52)), max_size=60))
@settings(max_examples=GAMES, deadline=None)
def test_a_hand_is_as_a_list_of_cards_whatever_is_done(steps):
    block = memoryview(bytearray(36))
    hand, pile, like, laid = Hand(12, block[12:24]), DiscardPile(), [], []
    for is_draw, place, card in steps:
        if is_draw and len(like) < 12:
            hand.draw(card)
            like.append(card)
        elif not is_draw and place < len(like):
            laid.append(hand.discard(place, pile))
            assert laid[-1] == like[place]
            like[place] = like[-1]
            like.pop()
        assert list(hand) == like and len(hand) == len(like) and list(pile) == laid
        assert block.tobytes() == bytes(12) + bytes(like).ljust(12, b"\0") + bytes(12)


def test_the_shuffle_is_the_same_for_ever():
    assert shuffled_deck(1)[:8] == [48, 35, 28, 4, 16, 8, 20, 41]
    assert sorted(shuffled_deck(2**64 - 1)) == list(range(1, 53))
    with pytest.raises(CamiciaError, match="seed"):
        shuffled_deck(-1)


def test_a_small_game_by_hand():
    # Dealt in turn: side 0 has 1 and 9 (ace and 9 of diamonds), side 1 has 15 and 34 (2 of hearts, 8 of
    # clubs); the 2 of diamonds lies open, and the king of spades and the 9 of spades can be drawn.
    game = EightsGame(1, deck=[1, 15, 9, 34, 2, 52, 48], dealt=2)
    assert ([list(hand) for hand in game.hands], game.pile.top) == ([[1, 9], [15, 34]], 2)
    assert game.fitting() == [0, 1]
    assert game.play(1) == Move(0, "play", 9)
    # Nothing but the eight fits, and spades are named, of which side 0 has none.
    assert game.fitting() == [1]
    with pytest.raises(CamiciaError, match="2 of Hearts does not fit 9 of Diamonds"):
        game.play(0)
    assert game.play(1, suit=3) == Move(1, "play", 34, 3)
    assert game.top_text() == "8 of Clubs, suit to follow: Spades"
    assert game.draw() == [Move(0, "draw", 52)]
    with pytest.raises(CamiciaError, match="a card in hand fits"):
        game.draw()
    assert game.play(1) == Move(0, "play", 52)
    assert game.draw() == [Move(1, "draw", 48)]
    assert game.play(1) == Move(1, "play", 48)
    # The stock is empty: all discards but the 9 of spades are shuffled, and an eight or a 9 is there to draw.
    moves = game.draw()
    assert moves[0] == Move(0, "reshuffle") and len(game.pile) == 1
    assert all(move.action == "draw" for move in moves[1:]) and game.pile.takes(moves[-1].card)
    assert cards_of(game) == [1, 2, 9, 15, 34, 48, 52]


def test_both_sides_pass_and_the_lower_hand_wins():
    # Nothing fits the 2 of spades, and there is no card to draw: 5 points against 4, or 10 each.
    for deck, winner in (([1, 27, 17, 16, 41], 1), ([13, 26, 41], None)):
        game = EightsGame(1, deck=deck, dealt=len(deck) // 2)
        while not game.over:
            moves = game.play_by_rule()
            assert [move.action for move in moves] == ["pass"]
        assert game.winner == winner
        with pytest.raises(CamiciaError, match="over"):
            game.draw()


def test_a_full_hand_passes():
    # Side 0 has three hearts in a hand of three, and the 2 of spades lies open; side 1 can play.
    game = EightsGame(1, deck=[14, 42, 16, 43, 17, 44, 41, 45, 46], dealt=3, hand_size=3)
    assert game.draw() == [Move(0, "pass")] and not game.over
    assert game.play_by_rule() == [Move(1, "play", 42)]
    assert len(game.stock) == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": -1}, "seed -1"),
        ({"deck": [1, 2, 1], "dealt": 1}, "deck: Ace of Diamonds is there twice"),
        ({"deck": [1, 2, 99], "dealt": 1}, "card 99"),
        ({"deck": [1, 2], "dealt": 1}, "deck of 2 cards: expected more than 2"),
        ({"dealt": 13}, "the hand is full"),
    ],
)
def test_impossible_games_are_refused(options, message):
    with pytest.raises(CamiciaError, match=message):
        EightsGame(**{"seed": 1} | options)


@given(SEEDS, st.integers(2, 5), st.integers(1, 7), st.integers(7, 12))
@settings(max_examples=GAMES, deadline=None)
def test_no_card_is_lost_or_doubled_and_no_hand_outgrows_its_memory(seed, sides, dealt, hand_size):
    game = EightsGame(seed, sides=sides, dealt=dealt, hand_size=hand_size)
    whole = list(range(1, 53))
    while not game.over:
        side, held, top, suit = game.side, list(game.hand), game.pile.top, game.pile.suit
        moves = game.play_by_rule()
        assert cards_of(game) == whole
        for hand in game.hands:
            memory = hand.memory.tobytes()
            assert len(memory) == hand_size and memory.rstrip(b"\0") == bytes(hand)
        # Whoever can play does; whoever draws does so until a card fits, the hand is full or none is left.
        could = any(can_play(card, top, suit) for card in held)
        drawn = [move.card for move in moves if move.action == "draw"]
        assert {move.side for move in moves} == {side} and could == (not drawn and moves[-1].action == "play")
        assert [can_play(card, top, suit) for card in drawn[:-1]] == [False] * len(drawn[:-1])
        if moves[-1].action == "pass":
            assert len(game.hands[side]) == hand_size or not game.stock
            assert not any(can_play(card, top, suit) for card in game.hands[side])
        else:
            assert can_play(moves[-1].card, top, suit)
            assert (moves[-1].suit is None) == (rank_of(moves[-1].card) != 8)
    points = game.points()
    empty = [side for side, hand in enumerate(game.hands) if not len(hand)]
    assert [game.winner] == empty if empty else points.count(min(points)) > 1 or game.winner is not None


def test_the_rule_keeps_its_eights_and_names_the_suit_it_has_most_of():
    game = EightsGame(1, deck=[8, 2, 3, 15, 29, 16, 30, 17, 4], dealt=4)
    # Hand 8, 3 of diamonds, 3 and 4 of clubs; the 4 of diamonds lies open.
    assert game.play_by_rule() == [Move(0, "play", 3)]
    game = EightsGame(1, deck=[8, 2, 29, 15, 30, 16, 41], dealt=3)
    assert game.play_by_rule() == [Move(0, "play", 8, SUITS.index("Clubs"))]
