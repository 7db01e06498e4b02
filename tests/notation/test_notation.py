"""The notations of other programs: read, written, told apart, refused where they could be several deals."""

import random
import re

import pytest
from examples_of_deals import CONTEST, LOOP_OF_40, RECORD
from hypothesis import given, settings
from hypothesis import strategies as st
from known_deals import random_deal
from places import ROOT

from camicia import STANDARD, CamiciaError, Deal, DealError
from camicia.notation import NOTATIONS, read_deal, read_deals, write_deal
from camicia.notation.faces import FACES
from camicia.notation.layouts import LAYOUTS
from camicia.notation.table import EXAMPLE

PAIRS = [f"{faces}+{layout}" for faces in FACES for layout in LAYOUTS]
FEW = settings(max_examples=60, deadline=None)
HANDS = st.lists(st.sampled_from("-JQKA"), max_size=30).map("".join)


def refusal(text, **options):
    """Why a text is refused, in one line."""
    with pytest.raises(DealError) as error:
        read_deal(text, **options)
    message = str(error.value)
    assert message and "\n" not in message and len(message) < 700
    return message


# The table of the documentation


def rows_of_the_table():
    page = (ROOT / "docs" / "notations.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| `([\w+-]+)` \| `(.+?)` \| (.+) \| (yes|no|52 or 40 cards) \|$", page, re.MULTILINE
    )
    return [(name, text.replace(" ⏎ ", "\n").replace("\\|", "|"), *rest) for name, text, *rest in rows]


@pytest.mark.parametrize(("name", "text", "looks", "told"), rows_of_the_table(), ids=lambda part: part[:20])
def test_every_row_of_the_table_is_read_and_written(name, text, looks, told):
    assert read_deal(text, notation=name) == EXAMPLE
    assert write_deal(EXAMPLE, "digits+hyphen" if name == "hyphen" else name) == text
    assert told == "yes" or "no mark between the hands" in refusal(text)
    if told == "yes":
        assert read_deal(text) == EXAMPLE
    if name in NOTATIONS:
        notation = NOTATIONS[name]
        assert notation.example == text and notation.description == looks
        assert notation.told == (told != "no")


def test_the_table_and_the_registry_agree():
    names = [name for name, *_ in rows_of_the_table()]
    assert [name for name in names if "+" not in name] == list(NOTATIONS)
    assert set(NOTATIONS) == {*FACES, *LAYOUTS}
    assert {notation.kind for notation in NOTATIONS.values()} == {"cards", "hands"}
    assert all(NOTATIONS[name].kind == "cards" for name in FACES)


# There and back


@pytest.mark.parametrize("name", [*NOTATIONS, *PAIRS])
def test_what_is_written_is_read_back(name):
    generator = random.Random(name)
    deals = [random_deal(generator, 60) for _ in range(12)]
    deals += [Deal.parse(RECORD), Deal.parse(LOOP_OF_40), Deal.parse("J-K/A-")]
    written = 0
    for deal in deals:
        try:
            text = write_deal(deal, name)
        except DealError as error:
            assert f"cannot be written in notation {name}" in str(error)
            continue
        assert read_deal(text, notation=name) == deal
        written += 1
    # Hyphens between hands of hyphens are refused, but for deals that have no number card.
    assert written >= 2 or name in ("hyphen", "symbols+hyphen", "lower+hyphen")


@pytest.mark.parametrize("name", [name for name in NOTATIONS if NOTATIONS[name].told and name != "hyphen"])
@pytest.mark.parametrize("text", [RECORD, LOOP_OF_40])
def test_whole_decks_are_told_without_the_name(name, text):
    deal = Deal.parse(text)
    assert read_deal(write_deal(deal, name)) == deal


@FEW
@given(HANDS, HANDS, st.sampled_from([*NOTATIONS, *PAIRS]))
def test_any_deal_is_written_readably_or_refused(hand_a, hand_b, name):
    if not hand_a + hand_b:
        return
    deal = Deal.parse(f"{hand_a}/{hand_b}")
    try:
        text = write_deal(deal, name)
    except DealError as error:
        assert "cannot be written" in str(error)
        return
    assert read_deal(text, notation=name) == deal
    # Without the name it is the same deal, or refused: never another one.
    try:
        told = read_deal(text)
    except DealError:
        return
    # But for decks that are dealt in their own way and look like those that are cut.
    assert told == deal or name.split("+")[-1] in ("alternate", "judge")


def test_every_card_of_the_standard_deck_is_written_once():
    for name in ("suits", "suit-signs", "suit-first", "playing-cards"):
        cards = FACES[name].write(Deal.parse(RECORD).hand_a + Deal.parse(RECORD).hand_b)
        assert len(set(cards)) == 52
    # In order: spades first, 2 to 10, then hearts.
    assert write_deal(Deal(bytes(10), b"\1\1"), "suits") == "2S 3S 4S 5S 6S 7S 8S 9S 10S 2H / JS JH"
    assert write_deal(Deal(bytes(37), b"\1" * 5), "suits").endswith("10C 2S / JS JH JD JC JS")


def test_what_a_notation_cannot_hold_is_refused():
    for text, name in (
        ("J-/-", "deck"),
        ("-/J-", "alternate"),
        ("-/J-", "judge"),
        ("J-/-", "hyphen"),
        ("/J", "space"),
    ):
        with pytest.raises(DealError, match=f"{text}.*cannot be written in notation {name}"):
            write_deal(Deal.parse(text), name)


# What the field writes


@pytest.mark.parametrize(
    ("text", "deal"),
    [
        (RECORD, RECORD),
        (f"Starting hands: {RECORD}", RECORD),
        (RECORD.replace("/", ""), RECORD),
        (RECORD.replace("/", " "), RECORD),
        (RECORD.lower(), RECORD),
        (RECORD.replace("-", "."), RECORD),
        (RECORD.replace("-", "x"), RECORD),
        ("1: " + RECORD.replace("/", "\n2: "), RECORD),
        ("p1: " + RECORD.replace("/", "\r\np2: "), RECORD),
        ("1: " + RECORD.replace("/", " 2: "), RECORD),
        ("Player A: " + RECORD.replace("/", "; Player B: "), RECORD),
        ("('" + RECORD.replace("/", "', '") + "')", RECORD),
        ("'" + RECORD.replace("/", "','") + "'", RECORD),
        (f'{{"deal": "{RECORD}", "tricks": 1164}}', RECORD),
        (f"\ufeff {RECORD}\r\n", RECORD),
        (RECORD.replace("-", "\u2212"), RECORD),
        ("00302020303100000310-00100200002000000010", LOOP_OF_40),
        ("00302020303100000310 | 00100200002000000010", LOOP_OF_40),
        ("0030202030310000031000100200002000000010", LOOP_OF_40),
        ("{" + ", ".join("0030202030310000031000100200002000000010") + "}", LOOP_OF_40),
        ("[" + "\n".join("0030202030310000031000100200002000000010") + "]", LOOP_OF_40),
        ("00302 02030 31000 00310 00100 20000 20000 00010", LOOP_OF_40),
        ("2, A, 10, J\tQ, K, 9", "-A-J/QK-"),
        ("2 A 10 J  Q K 9", "-A-J/QK-"),
        ("2ATJ/QK9", "-A-J/QK-"),
        ("2AXJ / Q,K;9", "-A-J/QK-"),
        ("HA XH|10S A♠", "A-/-A"),
        ("HA HX|S10 S0", "A-/--"),
        ("AH,XH|10S,0c", "A-/--"),
        ("A♠️10♥️/Q♦️", "A-/Q"),
        ("A♤ 10♡ / Q♢ K♧", "A-/QK"),
        ("🂡🂪/🂻 🃍🃞", "A-/JQK"),
        ('{"playerA": ["2", "A"], "playerB": ["10", "K"]}', "-A/-K"),
        ('{"player_a": ["2", "A"], "player_b": []}', "-A/"),
        ('{"input": {"playerA": ["2", "A"], "playerB": ["10"]}}', "-A/-"),
        ('{"playerA": [0, 4], "playerB": [1, 0]}', "-A/J-"),
        ("{'playerA': ['2', 'A'], 'playerB': ['J']}", "-A/J"),
        ("[['2', 'A'], ['J', '10']]", "-A/J-"),
        ("(['2', 'A'], ['J', '10'])", "-A/J-"),
        ("[0, 1], [2, 0]", "-J/Q-"),
        ("['2S', 'AH'] ['JC']", "-A/J"),
        ("J2-3K", "J-/-K"),
        ("[2 A / J]", "-A/J"),
        ("--J // Q".replace("//", "||"), "--J/Q"),
    ],
)  # fmt: skip
def test_what_others_write_is_told(text, deal):
    if "HA XH" in text:
        # Suits before and after the rank in one text: nobody writes so.
        refusal(text)
        return
    assert str(read_deal(text)) == deal


def test_a_contest_is_dealt_as_its_problem_says():
    cards = CONTEST.split()
    hands = [["-JQKA"["JQKA".find(card[1]) + 1] for card in cards[first::2]][::-1] for first in (0, 1)]
    deal = Deal.parse("/".join("".join(hand) for hand in hands))
    # The text of the problem: the one who does not deal begins with the two of hearts.
    assert cards[-2] == "H2" and deal.deck == STANDARD
    assert read_deal(CONTEST, notation="judge") == read_deal(CONTEST + "#\n", notation="judge") == deal
    assert read_deal(CONTEST, deal="alternately", bottom_first=True) == deal
    assert read_deal(CONTEST, notation="judge", deal="alternately", bottom_first=True) == deal


# Order


@pytest.mark.parametrize(
    ("text", "options", "deal"),
    [
        ("JQKA-", {"deal": "cut"}, "JQ/KA-"),
        ("JQKA-", {"notation": "deck"}, "JQ/KA-"),
        ("JQKA-", {"deal": "alternately"}, "JK-/QA"),
        ("JQKA-", {"notation": "alternate"}, "JK-/QA"),
        ("JQKA-", {"deal": "cut", "bottom_first": True}, "QJ/-AK"),
        ("JQKA-", {"deal": "cut", "bottom_first": "deck"}, "-A/KQJ"),
        ("JQKA-", {"deal": "alternately", "bottom_first": True}, "-KJ/AQ"),
        ("JQKA-", {"deal": "alternately", "bottom_first": "deck"}, "-KJ/AQ"),
        ("JQKA", {"deal": "alternately", "bottom_first": "deck"}, "AQ/KJ"),
        ("JQ/KA-", {"bottom_first": True}, "QJ/-AK"),
        ("JQ KA", {"deal": "cut"}, "JQ/KA"),
        ("J QKA", {"deal": "cut"}, "JQ/KA"),
    ],
)
def test_order_of_cards(text, options, deal):
    assert str(read_deal(text, **options)) == deal


@pytest.mark.parametrize(
    "text", ["JQ/KA", "JQ | KA", "1: JQ 2: KA", '{"a": "JQ", "b": "KA"}', "['J'], ['Q']"]
)
def test_two_hands_are_not_dealt_again(text):
    assert "two hands" in refusal(text, deal="alternately")
    assert "is for one deck" in refusal(text, notation="slash", deal="cut")


# What is ambiguous


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("234/432", {"---/---": "faces", "QKA/AKQ": "digits"}),
        ("10 2 | 3 10", {"--/--": "faces", "J-Q/KJ-": "digits"}),
        (
            RECORD.replace("/", "").replace("K", "K ", 1),
            {"---AJ--Q---------QAK/QJJ-QK-----A----KJ-K--------A---": "space", RECORD: "deck"},
        ),
        (
            # A letterless deck whose mark may be a space: both halves of the name are needed.
            "2" * 25 + " " + "2" * 27,
            {
                f"{'-' * 25}/{'-' * 27}": "faces+space",
                f"{'-' * 26}/{'-' * 26}": "faces+deck",
                f"{'Q' * 25}/{'Q' * 27}": "digits+space",
                f"{'Q' * 26}/{'Q' * 26}": "digits+deck",
            },
        ),
    ],
)
def test_what_could_be_several_deals_is_refused_with_the_names(text, choices):
    message = refusal(text)
    named = dict(re.findall(r"([-JQKA/]+) \(notation ([\w+-]+)\)", message))
    assert named == choices
    for deal, name in choices.items():
        assert str(read_deal(text, notation=name)) == deal


def test_what_no_name_can_settle_asks_for_a_slash():
    assert "put a slash between the hands" in refusal("J,Q K", notation="symbols")
    assert str(read_deal("J,Q / K")) == "JQ/K"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no card"),
        (" \n", "has no card"),
        ("\ufeff", "has no card"),
        ("J--", "no mark between the hands of 3 cards; notation deck"),
        ("{0, 0, 4, 0}", "no mark between the hands of 4 cards"),
        ("JQ-KA", "the hyphen may be a card or the mark between the hands; notation hyphen or deck"),
        ("J/Q/K", "3 hands with '/' between, expected two"),
        ("J|Q|K", "3 hands with '|' between, expected two"),
        ("J-x/--", "unknown card 'x' at place 3"),
        ("100/01x", "unknown card 'x' at place 7 (notation digits)"),
        ("1: J-\n2: -?", "unknown card '?' at place 11"),
        ("J–/-", "a dash may be one hyphen or two"),
        ("2S KC / 3S QB", "unknown card 'Q' at place 12 (notation suits)"),
        ("🂬/🂭", "unknown card '🂬' at place 1"),
        ("1: J", "has '1:' but no second hand"),
        ("'J', 'Q', 'K' / '?'", "unknown card '?'"),
        ("/", "both hands are empty"),
        ("'' / ''", "0 cards, expected 1 to 65,535"),
        ("01/" + "0" * 70_000, "70,002 cards, expected 1 to 65,535"),
        ("{", "unknown card '{' at place 1"),
        ('{"a": 1', "starts like JSON but is none"),
        ('{"a":' * 5000, "starts like JSON but is none"),
        ('{"a": ' + "1" * 5000 + "}", "starts like JSON but is none"),
        ('{"cards": 3}', "JSON with 'cards': expected 'playerA' and 'playerB', or 'deal'"),
        ('{"playerA": ["2", "W"], "playerB": []}', "unknown card 'W' of hand A at place 2"),
        ('{"playerA": [], "playerB": ["2", true]}', "hand B: unknown card 'True' at place 2"),
        ('{"playerA": [], "playerB": 3}', "hand B: expected a list of cards"),
        ('{"playerA": [[]], "playerB": []}', "hand A: unknown card '[]' at place 1"),
        ("\x00\udcff/", "unknown card '\\x00' at place 1"),
    ],
)
def test_what_is_no_deal_is_refused_with_the_place(text, said):
    assert said in refusal(text)


@pytest.mark.parametrize("text", [None, b"J/-", 3, ["J", "-"]])
def test_what_is_no_text_is_refused(text):
    assert "expected text" in refusal(text)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"notation": "runes"}, "notation 'runes': expected symbols, lower"),
        ({"notation": "digits+faces"}, "two names for the cards"),
        ({"notation": "bar+deck"}, "two names for the hands"),
        ({"notation": ""}, "notation '': expected"),
        ({"deal": "twice"}, "deal 'twice': expected cut or alternately"),
        ({"bottom_first": "hand"}, "bottom_first 'hand'"),
        ({"notation": "bar"}, "not in notation bar"),
        ({"notation": "digits"}, "unknown card 'J' at place 1"),
        ({"notation": "deck"}, "two hands (notation slash), expected one deck"),
    ],
)
def test_options_that_cannot_be_are_refused(options, said):
    assert said in refusal("J-/-", **options)


HOSTILE = {
    "brackets": "[" * 300_000,
    "spaces": "J" + " " * 300_000 + "J" + " " * 300_000 + "?",
    "labels": "1: " + "2 " * 150_000,
    "quotes": "'" + '"' * 300_000,
    "escapes": "{:" + '\\"' * 150_000,
    "groups": "[a" * 150_000,
    "nested": '{"a":' * 60_000,
    "ones": "1" * 300_000,
    "commas": "J," * 150_000 + "?",
    "long": "-" * 1_000_001,
    "binary": "".join(map(chr, range(0x300))) * 100,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_refused_in_a_line(name):
    # A quadratic reader would take minutes for these, not less than a second.
    text = HOSTILE[name]
    refusal(text)
    for _, deal in read_deals([text, text]):
        assert isinstance(deal, DealError) and len(str(deal)) < 700


@FEW
@given(
    st.text("-JQKA/|10234 ,;:.\n\tSH♠🂡[]{}'\"xT", max_size=40) | st.text(max_size=30),
    st.sampled_from([None, *NOTATIONS, "digits+deck"]),
    st.sampled_from([None, "cut", "alternately"]),
    st.sampled_from([False, True, "deck"]),
)
def test_any_text_is_a_deal_or_refused(text, notation, deal, bottom_first):
    options = {"notation": notation, "deal": deal, "bottom_first": bottom_first}
    for each in (text, text.splitlines()):
        try:
            results = (
                [read_deal(each, **options)] if each is text else [d for _, d in read_deals(each, **options)]
            )
        except CamiciaError as error:
            results = [error]
        for result in results:
            assert isinstance(result, Deal) or (str(result) and "\n" not in str(result))


@FEW
@given(st.text("-JQKA/ \n\t", max_size=40))
def test_what_the_library_reads_itself_is_read_alike(text):
    try:
        deal = Deal.parse(text)
    except DealError:
        return
    assert read_deal(text) == deal
