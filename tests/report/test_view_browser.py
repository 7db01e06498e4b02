"""The page of `camicia view` in a real browser: it plays the very game by itself."""

import os
import random

import pytest
from browser import NEEDED, chromium
from known_deals import random_deal, read_known_deals

from camicia import Deal
from camicia.codes import hand_text
from camicia.known_cycles import catalogue
from camicia.rules import play, play_by_play
from camicia.simulate import simulate_many

pytestmark = pytest.mark.skipif(not chromium() and not NEEDED, reason="there is no chromium")

#: Random deals that the page plays; each batch takes about a second.
RANDOM_DEALS = int(os.environ.get("CAMICIA_BROWSER_DEALS", 1000))
BATCH = 500

#: Plays deals on the page: of each its cards, tricks and winner, and of a loop the lengths of its parts.
PLAY = """(deals) => deals.map((deal) => {
  const { end, loop } = new Replay(...deal.split("/"));
  const parts = loop ? ["transientCards", "transientTricks", "cycleCards", "cycleTricks"] : [];
  return [end.cards, end.tricks, end.winner, ...parts.map((part) => loop[part])];
})"""

RECORD = Deal.parse("---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---")
LOOP = Deal.parse("---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA")


def counts(browser):
    return tuple(int(browser.text(name).replace(",", "")) for name in ("cards", "tricks"))


def hands(browser):
    return browser.value(
        "replay.go(step).hands.map((hand) => hand.map((c) => SYMBOLS[c]).join('')).join('/')"
    )


def lengths_of_loop(result):
    return [result.transient_cards, result.transient_tricks, result.cycle_cards, result.cycle_tricks]


@pytest.mark.parametrize("known", read_known_deals(), ids=lambda known: known.name)
def test_the_counts_at_the_end_are_ours(opened, known):
    page = opened(known.deal, "#end")
    cards, tricks, *cycle = known.lengths
    assert counts(page) == (cards, tricks)
    loop = page.value("replay.loop") or {}
    names = ("transientCards", "transientTricks", "cycleCards", "cycleTricks")
    assert [loop.get(name) for name in names] == cycle
    assert page.value("document.getElementById('problem').hidden")


def test_the_record_is_replayed_to_its_end(opened):
    page = opened(RECORD)
    assert counts(page) == (0, 0)
    page.press("End")
    assert counts(page) == (8344, 1164)
    assert page.text("said").endswith("Player B wins after 8,344 cards and 1,164 tricks.")
    assert page.text("count-a") == "0 cards" and page.text("count-b") == "52 cards"
    assert page.text("live").endswith("8,344 cards, 1,164 tricks.")


def test_the_page_plays_random_deals_of_many_decks_as_the_rules_do(opened):
    page = opened(RECORD)
    generator = random.Random(7)
    for start in range(0, RANDOM_DEALS, BATCH):
        deals = [random_deal(generator) for _ in range(min(BATCH, RANDOM_DEALS - start))]
        theirs = page.value(f"({PLAY})({[str(deal) for deal in deals]!r})")
        for deal, found, ours in zip(deals, theirs, simulate_many(deals), strict=True):
            winner = None if ours["winner"] == 255 else ours["winner"]
            assert found[:3] == [ours["cards"], ours["tricks"], winner], deal
            if winner is None:
                assert found[3:] == lengths_of_loop(play(deal)), deal


def test_the_page_plays_every_known_loop_as_the_rules_do(opened):
    page = opened(RECORD)
    cycles = [cycle for cycle in catalogue() if cycle.deal] + [c for c in catalogue() if not c.deal][::25]
    deals = [cycle.deal or cycle.name for cycle in cycles]
    for cycle, deal, found in zip(cycles, deals, page.value(f"({PLAY})({deals!r})"), strict=True):
        assert found[2] is None and found[3:] == lengths_of_loop(play(Deal.parse(deal)))
        assert found[5:] == [cycle.cards, cycle.tricks]


def test_every_step_shows_both_hands_the_pile_and_the_penalty(opened):
    deal = Deal.parse("J--/-JA")
    page = opened(deal)
    for step, game in enumerate(play_by_play(deal)):
        if step:
            page.press("ArrowRight")
        pile = page.value("document.querySelectorAll('#pile .card:not(.gone)').length")
        assert hands(page) == "/".join(hand_text(bytes(hand)) for hand in game.hands)
        assert pile == len(game.pile) and counts(page) == (game.cards, game.tricks)
        turn = page.value("document.querySelector('.to-play .turn').textContent")
        assert (turn == f"owes {game.penalty}") == (game.penalty > 0)


def test_steps_back_and_forth_by_card_and_by_trick(opened):
    page = opened(RECORD, "#card=4000")
    assert counts(page)[0] == 4000
    before = hands(page), counts(page)
    page.press("ArrowLeft")
    assert counts(page)[0] == 3999
    page.press("ArrowRight")
    assert (hands(page), counts(page)) == before
    tricks = counts(page)[1]
    page.press("ArrowRight", shift=True)
    assert counts(page)[1] == tricks + 1 and page.value("replay.go(step).pile.length") == 0
    page.press("ArrowLeft", shift=True)
    assert counts(page)[1] == tricks and page.value("replay.go(step).pile.length") == 0
    page.value("document.getElementById('trick-back').click()")
    assert counts(page)[1] == tricks - 1
    page.press("Home")
    assert counts(page) == (0, 0) and hands(page) == str(RECORD)
    assert page.value("document.getElementById('back').disabled")


def test_the_slider_goes_anywhere(opened):
    page = opened(RECORD)
    for share in (0.9, 0.1, 0.5):
        page.value(
            f"(() => {{ const place = document.getElementById('place');"
            f"place.value = Math.floor(place.max * {share}); place.dispatchEvent(new Event('input')); }})()"
        )
        assert counts(page)[0] == pytest.approx(8344 * share, abs=5)


def test_a_loop_goes_round_for_ever(opened):
    result = play(LOOP)
    page = opened(LOOP, "#end")
    assert counts(page) == (result.cards, result.tricks)
    assert page.text("said").endswith("and 4 tricks it repeats the same 440 cards and 62 tricks.")
    first = hands(page)
    page.value("on(2 * (replay.steps - replay.loop.step))")
    assert counts(page) == (result.cards + 2 * 440, result.tricks + 2 * 62) and hands(page) == first
    page.press("ArrowRight", shift=True)
    assert counts(page)[1] == result.tricks + 2 * 62 + 1
    for _ in range(4):
        page.press("ArrowLeft", shift=True)
    assert counts(page)[1] == result.tricks + 2 * 62 - 3
    page.value("on(-2 * (replay.steps - replay.loop.step))")
    assert counts(page)[1] == result.tricks - 3


def test_it_plays_and_pauses_with_the_space_bar(opened):
    page = opened(RECORD)
    page.press(" ")
    assert page.text("play") == "Pause"
    page.value("new Promise((done) => setTimeout(done, 700))")
    page.press(" ")
    assert page.text("play") == "Play" and counts(page)[0] > 0
    assert page.text("live").endswith(
        f"{counts(page)[0]:,} card{'s' * (counts(page)[0] != 1)}, "
        f"{counts(page)[1]} trick{'s' * (counts(page)[1] != 1)}."
    )
    page.press("+")
    assert page.text("speed-text") == "100 cards a second (1 min 23 s)"
    page.value("(document.getElementById('speed').value = 18, play())")
    page.value(
        "new Promise((done) => { const t = setInterval(() => "
        "{ if (step > 500) { clearInterval(t); pause(); done(); } }, 20); })"
    )
    assert counts(page)[0] > 400


def test_a_screen_reader_hears_hands_slider_and_curve(opened):
    page = opened(Deal.parse("J--/-QQ"))
    label = "document.getElementById({!r}).getAttribute({!r})"
    assert page.value(label.format("hand-a", "aria-label")) == "Hand A: Jack, 2 number cards"
    assert page.value(label.format("hand-b", "aria-label")) == "Hand B: number card, 2 Queens"
    assert page.value(label.format("pile", "aria-label")) == "Pile: empty"
    page.press("ArrowRight")
    assert page.text("live") == "A lays a Jack: B owes 1. 1 card, 0 tricks."
    assert page.value(label.format("place", "aria-valuetext")).startswith("1 card, 0 tricks of ")
    assert page.value(label.format("chart", "aria-label")).startswith("Hand A begins with 3 cards")


@pytest.mark.parametrize("deal", ["/J", "J/", "-/-", "-/" + "-" * 400])
def test_games_at_the_edge(opened, deal):
    result = play(Deal.parse(deal))
    page = opened(Deal.parse(deal), "#end")
    assert counts(page) == (result.cards, result.tricks)
    page.press("ArrowRight", shift=True)
    page.press("ArrowRight")
    assert counts(page) == (result.cards, result.tricks)


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_stands_over_the_edge_of_the_window(opened, browser, width):
    browser.window(width, 800)
    page = opened(RECORD, "#card=4000")
    assert page.value("document.documentElement.scrollWidth") <= width
