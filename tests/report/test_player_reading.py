"""The fields of the player in a real browser: deals in any notation, and ranks."""

import json
import random

import pytest
from browser import NEEDED, chromium
from known_deals import random_deal
from playing import RECORD, choose, click, enter, shown

from camicia import ITALIAN, STANDARD, Deal, notation

pytestmark = pytest.mark.skipif(not chromium() and not NEEDED, reason="there is no chromium")


def test_deal_and_rank_fill_each_other(opened):
    page = opened()
    generator = random.Random(5)
    value = "byId({!r}).value"
    assert page.value(value.format("rank")) == str(STANDARD.rank(RECORD))
    for deck in (STANDARD, ITALIAN):
        choose(page, "deck", str(deck))
        for _ in range(3):
            rank = generator.randrange(deck.deal_count)
            enter(page, "rank", f"{rank:,}")
            assert page.value(value.format("deal")) == str(deck.unrank(rank)) == shown(page)[2]
            enter(page, "deal", str(deck.unrank(rank // 2)))
            assert page.value(value.format("rank")) == str(rank // 2)
    before = shown(page)
    enter(page, "rank", str(ITALIAN.deal_count))
    assert page.text("field-problem") == (
        f"Not shown: deck 28:4:4:4:0 has ranks up to {ITALIAN.deal_count - 1}."
    )
    enter(page, "rank", "12a")
    assert page.text("field-problem") == "Not shown: a rank is a whole number." and shown(page) == before
    enter(page, "deal", "J/-JA")
    assert page.value(value.format("rank")) == "" and page.text("field-problem") == ""
    assert "uneven" in page.value("byId('rank').placeholder")


def test_ranks_are_those_of_the_library_for_any_deck(opened):
    page = opened()
    generator = random.Random(11)
    deals = []
    while len(deals) < 150:
        deal = random_deal(generator)
        if len(deal.hand_a) == deal.deck.cut:
            deals.append(str(deal))
    found = page.value(
        f"{json.dumps(deals)}.map((deal) => {{ const rank = rankOf(...deal.split('/'));"
        "return [String(rank), unranked(countsOf(deal), rank).join('/')]; })"
    )
    assert found == [[str(Deal.parse(deal).deck.rank(deal)), deal] for deal in deals]


#: Texts that can only mean one deal, with the deal; one for each way of writing cards and hands.
WRITTEN = {
    "-aj-k/q--a-": "-AJ-K/Q--A-",
    " -AJ-K | Q--A- ": "-AJ-K/Q--A-",
    ".AJ.K/Q..A.": "-AJ-K/Q--A-",
    "XAJXK/QXXAX": "-AJ-K/Q--A-",
    "04103/20040": "-AJ-K/Q--A-",
    "04103-20040": "-AJ-K/Q--A-",
    "2 A J 3 K / Q 4 5 A 10": "-AJ-K/Q--A-",
    "2AJ3K/Q45AT": "-AJ-K/Q--A-",
    "2S AS JS 3S KS / QS 4S 5S AH 10H": "-AJ-K/Q--A-",
    "2♠ A♠ J♠ 3♠ K♠ | Q♠️ 4♠ 5♠ A♥ 6♦": "-AJ-K/Q--A-",
    "S2 SA SJ S3 SK / SQ S4 S5 HA S6": "-AJ-K/Q--A-",
    "🂢🂡🂫🂣🂮/🂭🂤🂥🂱🂦": "-AJ-K/Q--A-",
    "-AJ-K Q--A-": "-AJ-K/Q--A-",
    "-AJ-K\nQ--A-": "-AJ-K/Q--A-",
    "1: -AJ-K\n2: Q--A-": "-AJ-K/Q--A-",
    "Player A: -AJ-K, Player B: Q--A-": "-AJ-K/Q--A-",
    "Starting hands: -AJ-K/Q--A-": "-AJ-K/Q--A-",
    '("-AJ-K", "Q--A-")': "-AJ-K/Q--A-",
    "[2, 'A'], ['J', 3]": "-A/J-",
    '{"playerA": ["2", "A", "J"], "playerB": ["Q", "4", "10"]}': "-AJ/Q--",
    "{'input': {'hand_a': 'J-', 'hand_b': '-J'}}": "J-/-J",
    RECORD.replace("/", ""): RECORD,
}

#: Texts that are no deal, or could be several, with what is said of them.
REFUSED = {
    "234/432": "it may be ---/--- or QKA/AKQ",
    "J--Z/-J": "“Z” is no card",
    "J---J": "put a slash between",
    "JJ-QQ": "the hyphen may be a card",
    "J/-/A": "it has 3 hands",
    "1: J--": "no second hand",
    '{"a": 1}': "it is JSON without",
    "{a:": "starts like JSON but is none",
    "/": "it has no card",
}


def read(page, text):
    return page.value(
        f"(() => {{ try {{ return readDeal({json.dumps(text)}).join('/'); }}"
        "catch (error) { return error.name + ': ' + error.message; } })()"
    )


def test_a_deal_may_be_written_in_any_notation_that_can_only_mean_one(opened):
    page = opened()
    assert {text: read(page, text) for text in WRITTEN} == WRITTEN
    for text, fault in REFUSED.items():
        found = read(page, text)
        assert found.startswith("SyntaxError: ") and fault in found, text


def test_the_page_reads_what_the_library_reads(opened):
    page = opened()
    deals = [Deal.parse(RECORD), Deal.parse("-AJ-K/Q--A-"), ITALIAN.unrank(10**12)]
    texts = [*WRITTEN, *REFUSED, "J-", "--/--", "10 2/3", "0/0", "J -", "22/33", "A/", "1/2", "12 34"]
    for name in notation.NOTATIONS:
        for deal in deals:
            try:
                texts.append(notation.write_deal(deal, name))
            except ValueError:
                continue
    for text in texts:
        try:
            ours = str(notation.read_deal(text))
        except ValueError:
            ours = None
        theirs = read(page, text)
        assert theirs == ours or (ours is None and theirs.startswith("SyntaxError: ")), text


def test_what_is_typed_wrongly_is_said_and_the_game_stays(opened):
    page = opened(Deal.parse("J--/-JA"))
    enter(page, "deal", "J--/-JZ")
    assert shown(page) == (0, 0, "J--/-JA")
    assert page.text("field-problem") == "Not shown: “Z” is no card that can be told here."
    assert page.value("byId('deal').getAttribute('aria-invalid')") == "true"
    page.value("byId('deal').blur()")
    assert page.value("byId('deal').value") == "J--/-JA"
    assert page.text("field-problem") == ""


def test_keys_typed_into_a_field_do_not_move_the_game(opened):
    page = opened(Deal.parse("J--/-JA"))
    click(page, "deal")
    for key in ("r", "c", "End", "ArrowRight", " "):
        page.press(key)
    assert shown(page)[:2] == (0, 0) and page.text("play") == "Play"
