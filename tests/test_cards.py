"""Decks and deals: notation in and out, what is refused and what the refusal says."""

import math
import pickle

import numpy as np
import pytest

from camicia import ITALIAN, STANDARD, CamiciaError, Deal, DealError, Deck, DeckError

RECORD = "---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---"


def test_facts_of_the_decks():
    assert Deck.parse("36:4:4:4:4") == STANDARD and STANDARD.size == 52
    assert STANDARD.deal_count == 653_534_134_886_878_245_000
    assert Deck.parse("28:4:4:4:0") == ITALIAN and ITALIAN.size == 40
    assert ITALIAN.deal_count == 193_584_473_082_000
    assert STANDARD.payment_cards == 16 and STANDARD.cut == 26 and Deck.parse("2:1:0:0:0").cut == 1
    assert Deck.parse("0:0:0:0:1").deal_count == 1
    assert Deck.parse(" 3:1:0:0:0 ") == Deck(3, 1, 0, 0, 0)


def test_deal_count_is_a_multinomial():
    assert Deck(3, 2, 1, 1, 0).deal_count == math.factorial(7) // (math.factorial(3) * math.factorial(2))


@pytest.mark.parametrize(
    "text",
    [
        "", "36", "36:4:4:4", "36:4:4:4:4:4", "-1:4:4:4:4", "a:4:4:4:4", "36;4;4;4;4", "1.5:4:4:4:4",
        "0:0:0:0:0", "99999999:0:0:0:0", "65536:0:0:0:0", "٣:4:4:4:4", "9999999999999999999:1:1:1:1",
    ],
)  # fmt: skip
def test_impossible_decks_are_refused_with_the_value(text):
    with pytest.raises(DeckError) as refusal:
        Deck.parse(text)
    assert text in str(refusal.value) and "\n" not in str(refusal.value)
    assert isinstance(refusal.value, ValueError) and isinstance(refusal.value, CamiciaError)


@pytest.mark.parametrize(
    "counts", [(-1, 1, 1, 1, 1), (1.0, 1, 1, 1, 1), (True, 1, 1, 1, 1), ("1", 1, 1, 1, 1)]
)
def test_impossible_counts_are_refused(counts):
    with pytest.raises(DeckError, match="whole number"):
        Deck(*counts)


def test_notation_there_and_back(known):
    assert str(known.deal) == known.text
    assert str(known.deal.deck) == known.deck
    assert Deal.from_array(known.deal.to_array(), len(known.deal.hand_a)) == known.deal


def test_deals_are_values():
    deal = Deal.parse(RECORD)
    again = Deal.parse(f"  {RECORD}\n")
    assert deal == again and hash(deal) == hash(again) and len({deal, again}) == 1
    assert pickle.loads(pickle.dumps(deal)) == deal
    assert deal.swapped != deal and deal.swapped.swapped == deal
    assert deal.balanced and not Deal.parse("-/J-").balanced
    with pytest.raises(AttributeError):
        deal.hand_a = b""
    deal.to_array()[0] = 4
    assert Deal.parse(RECORD) == deal, "the array is a copy"


def test_faces():
    assert str(Deal.from_cards(["2", "A", "10"], ("10", "K", "J", "Q"))) == "-A-/-KJQ"
    assert Deal.from_cards([], ["J"]) == Deal.parse("/J")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no slash"),
        ("J--", "no slash"),
        ("J/J/J", "2 slashes"),
        ("/", "both hands are empty"),
        ("J-x/--", "unknown card 'x' at place 3"),
        ("j/-", "unknown card 'j' at place 1"),
        ("J é/-", "unknown card ' '"),
        ("\x00/-", "unknown card"),
        ("J" * 500, "…"),
    ],
)
def test_bad_notation_is_refused(text, said):
    with pytest.raises(DealError) as refusal:
        Deal.parse(text)
    assert said in str(refusal.value) and "\n" not in str(refusal.value) and len(str(refusal.value)) < 250


@pytest.mark.parametrize("face", ["1", "11", "j", "", "JJ", 7, None])
def test_unknown_faces_are_refused(face):
    with pytest.raises(DealError, match=r"hand B: unknown face .* at place 2"):
        Deal.from_cards(["2"], ["3", face])


@pytest.mark.parametrize("make", [lambda: Deal(b"", b""), lambda: Deal.from_cards([], [])])
def test_both_hands_empty_is_refused(make):
    with pytest.raises(DealError, match="both hands are empty"):
        make()


@pytest.mark.parametrize("hand", [b"\x05", [0, 1, 255], "J-", 3, None, [0.5], [-1], [256]])
def test_bad_codes_are_refused(hand):
    with pytest.raises(DealError, match="0 to 4"):
        Deal(hand, b"\0")


@pytest.mark.parametrize(
    "array",
    [
        np.zeros(4),
        np.full(4, 256),
        np.zeros((2, 4), np.uint8),
        np.zeros(0, np.uint8),
        np.full(4, 5, np.uint8),
        [0, "J"],
    ],
)
def test_bad_arrays_are_refused(array):
    with pytest.raises(DealError):
        Deal.from_array(array)


@pytest.mark.parametrize("cut", [-1, 5, 2.0, True, "2"])
def test_bad_cuts_are_refused(cut):
    with pytest.raises(DealError, match="cut"):
        Deal.from_array(np.zeros(4, np.uint8), cut)


def test_too_many_cards_are_refused():
    with pytest.raises(DealError, match="65,535"):
        Deal(bytes(40_000), bytes(40_000))
