"""The player in a real browser, used as a person would use it."""

import random

import pytest
from browser import NEEDED, chromium
from known_deals import random_deal
from playing import RECORD, choose, click, enter, shown

from camicia import ITALIAN, STANDARD, Deal, simulate
from camicia.known_cycles import catalogue
from camicia.records import records
from search.report.traces import trace

pytestmark = pytest.mark.skipif(not chromium() and not NEEDED, reason="there is no chromium")

ANOTHER = str(next(record.deal for record in records() if record.year == 2014))
LOOP = "---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA"


def fragment(page):
    return page.value("location.hash")


def test_a_person_pastes_a_record_plays_it_and_sends_a_link(opened):
    page = opened()
    assert shown(page) == (0, 0, RECORD)
    enter(page, "deal", ANOTHER)
    assert shown(page) == (0, 0, ANOTHER)
    assert (
        page.text("title") == page.value("document.title") == "A game of Camicia: 7,959 cards, 1,122 tricks"
    )
    click(page, "play")
    page.value(
        "new Promise((done) => { const f = () => step > 20 ? done() : requestAnimationFrame(f); f(); })"
    )
    click(page, "play")
    click(page, "last")
    assert shown(page) == (7959, 1122, ANOTHER)
    click(page, "trick-back")
    before = shown(page)
    assert before[1] == 1121
    click(page, "copy")
    page.value("new Promise((done) => setTimeout(done))")
    link = page.clipboard()
    assert page.text("copy") == "Link copied" and link.startswith("file://")
    again = opened(None, link[link.index("#") :])
    assert shown(again) == before


def test_a_person_finds_the_cycle_of_a_known_loop(opened):
    page = opened()
    assert page.value("byId('to-cycle').hidden")
    cycle = next(cycle for cycle in catalogue(STANDARD) if cycle.deal)
    choose(page, "known", cycle.deal)
    assert page.text("reason").endswith(f"the same {cycle.cards} cards and {cycle.tricks} tricks.")
    click(page, "to-cycle")
    result = simulate(cycle.deal)
    assert shown(page) == (result.transient_cards, result.transient_tricks, cycle.deal)
    state = "replay.go(step).state()"
    first = page.value(state)
    page.press("End")
    assert page.value(state) == first
    page.press("c")
    assert shown(page)[0] == result.transient_cards
    # The cycle is marked in the curve and in the list.
    assert page.value("document.querySelectorAll('#chart .cycle').length") == 1
    assert page.value("document.querySelectorAll('.trick.in-cycle').length") > 0


def test_random_deals_are_of_the_deck_that_is_chosen(opened):
    page = opened()
    click(page, "random")
    standard = shown(page)[2]
    assert Deal.parse(standard).deck == STANDARD and standard != RECORD
    choose(page, "deck", str(ITALIAN))
    assert Deal.parse(shown(page)[2]).deck == ITALIAN
    page.press("r")
    deal = Deal.parse(shown(page)[2])
    assert deal.deck == ITALIAN and len(deal.hand_a) == 20
    # Each place is as likely to hold each card.
    tops = page.value("Array.from({ length: 6000 }, () => randomDeal([2, 1, 0, 0, 0]).join(''))")
    assert all(1800 < sum(top[place] == "J" for top in tops) < 2200 for place in range(3))


def test_the_address_is_true_whatever_is_done(opened):
    page = opened()
    assert fragment(page) == f"#deal={RECORD}&card=0"
    page.press("End")
    assert fragment(page) == f"#deal={RECORD}&card=8344"
    enter(page, "deal", LOOP)
    page.value("document.activeElement.blur()")
    page.press("End")
    page.value("on(3 * (replay.steps - replay.loop.step) + 5)")
    page.value("addressNow()")
    place = shown(page)
    assert place[0] == 474 + 3 * 440 + 5
    assert fragment(page) == f"#deal={LOOP}&card={place[0]}"
    assert shown(opened(None, fragment(page))) == place


def test_every_step_of_a_game_has_an_address_of_its_own(opened):
    # The last trick of the first is collected for want of a card, so that two steps have as many cards.
    for text in ("--/J-", "-J--QA-K-Q-J/--K-J-A-Q---", "J--/-J-"):
        page = opened(Deal.parse(text))
        steps = page.value("replay.steps")
        addresses = page.value(f"Array.from({{ length: {steps} + 1 }}, (_, i) => (goTo(i), fragment()))")
        assert len(set(addresses)) == steps + 1
        for step, address in enumerate(addresses):
            page.value(f"(history.replaceState(null, '', {address!r}), readAddress())")
            assert page.value("step") == step, address


def test_back_and_forward_lead_through_games_and_places(opened):
    page = opened()
    enter(page, "deal", LOOP)
    page.value("document.activeElement.blur()")
    page.press("End")
    page.press("ArrowLeft")
    page.value("addressNow()")
    places = [(0, 0, RECORD), (0, 0, LOOP), shown(page)]
    page.back()
    assert shown(page) == places[1]
    page.back()
    assert shown(page) == places[0] and page.value("document.title").endswith("1,164 tricks")
    page.back(2)
    assert shown(page) == places[2] and page.value("document.title").endswith("62 tricks")


@pytest.mark.parametrize(
    ("fragment", "place", "said"),
    [
        ("#deal=J--/-J-&card=5", (5, "J--/-J-"), ""),
        ("#card=5&deal=J--%2F-J-", (5, "J--/-J-"), ""),
        ("#deal=04103/20040&trick=1", (None, "-AJ-K/Q--A-"), ""),
        ("#deal=J--/-J-&card=99999999999999999999", (0, "J--/-J-"), ""),
        ("#card=100000", (8344, RECORD), ""),
        ("#deal=<b>&card=3", (3, RECORD), "cannot be read: “<” is no card"),
        ("#deal=%E0%A4%A&end", (8344, RECORD), "cannot be read"),
        ("#nonsense", (0, RECORD), ""),
    ],
)
def test_addresses_that_people_write(opened, fragment, place, said):
    page = opened(None, fragment)
    cards, _, deal = shown(page)
    assert deal == place[1] and (cards == place[0] or place[0] is None)
    assert said in page.text("problem") and page.value("byId('problem').hidden") == (not said)


def test_a_game_too_long_for_the_page_is_refused_with_a_word(opened):
    page = opened(Deal.parse("J--/-JA"))
    page.value("PAGE.limits.cards = 100")
    enter(page, "deal", RECORD)
    assert shown(page)[2] == "J--/-JA"
    assert "cannot be shown: its game has more than 1" in page.text("problem")
    enter(page, "deal", "J--/-J-")
    assert shown(page)[2] == "J--/-J-" and page.value("byId('problem').hidden")


@pytest.mark.parametrize(
    ("deal", "speed"),
    [(RECORD, "70 cards a second (1 min 59 s)"), (LOOP, "5 cards a second (1 min 35 s)"),
     ("J--/-JA", "3 cards a second (4 s)"), ("/J", "3 cards a second (1 s)")],
)  # fmt: skip
def test_the_speed_suits_the_length(opened, deal, speed):
    assert opened(Deal.parse(deal)).text("speed-text") == speed


def test_words_say_what_has_just_happened(opened):
    page = opened(Deal.parse("K-J--/--Q----"))
    said = [page.text("said")]
    for _ in range(7):
        page.press("ArrowRight")
        said.append(page.text("said"))
    assert said == [
        "The deal. A leads.",
        "A lays a King: B owes 3.",
        "B pays 1 of 3 for the King: -.",
        "B pays 2 of 3 for the King: --.",
        "B pays 3 for the King: --Q, now A owes 2.",
        "A pays 1 of 2 for the Queen: -.",
        "A pays 2 for the Queen: -J, now B owes 1.",
        "B pays 1 for the Jack: -. A takes 7 cards.",
    ]
    assert page.text("live").startswith(said[-1]) and page.text("count-pile") == "empty; A took 7 cards"
    last = opened(Deal.parse("--/J-"), "#end")
    assert last.text("said") == (
        "A pays 1 for the Jack: -. B takes 3 cards. Player B wins after 3 cards and 1 trick."
    )


def test_closest_calls_are_those_of_the_library(opened):
    page = opened()
    generator = random.Random(2)
    for deal in [Deal.parse(RECORD), Deal.parse(LOOP), *(random_deal(generator) for _ in range(40))]:
        a, b = str(deal).split("/")
        calls = page.value(f"new Replay({a!r}, {b!r}).calls.map((call) => call && [call.held, call.cards])")
        assert calls == [call and list(call) for call in trace(deal).calls], deal
    assert page.value("document.querySelectorAll('#chart .call').length") == 2
    page.value("document.querySelector('#calls button').click()")
    assert page.text("count-a") == "1 card" and shown(page)[0] == trace(Deal.parse(RECORD)).calls[0].cards


def test_the_list_of_tricks_is_clicked_scrolled_and_moved_in(opened):
    page = opened(None, "#trick=600")
    selected = "document.querySelector('.trick[aria-selected=true]')"
    assert page.value(f"{selected}.dataset.trick") == "600"
    assert page.value("document.querySelectorAll('.trick').length") < 30
    page.value("byId('tricks-list').scrollTop = 28 * 1000")
    page.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.value("byId('trick-1003').scrollIntoView({ block: 'nearest' })")
    # The list draws its rows anew after it has scrolled.
    page.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    click(page, "trick-1003")
    assert shown(page)[1] == 1003 and page.value(f"{selected}.dataset.trick") == "1003"
    page.value("byId('tricks-list').focus()")
    page.press("ArrowDown")
    page.press("ArrowDown")
    page.press("ArrowUp")
    assert shown(page)[1] == 1004
    pile = page.value("replay.tricks[1004].pile")
    label = page.value(f"{selected}.getAttribute('aria-label')")
    assert f"takes {len(pile)} cards" in label and pile in page.value(f"{selected}.textContent")


def test_the_curve_is_clicked_and_dragged(opened):
    page = opened()
    x, y, width = page.value(
        "(() => { const b = byId('chart').getBoundingClientRect();"
        "return [b.x, b.y + b.height / 2, b.width]; })()"
    )
    page.click(x + width * (34 + 558 / 2) / 600, y)
    assert shown(page)[0] == pytest.approx(8344 / 2, abs=30)
    assert page.value("document.querySelectorAll('#chart .curve').length") == 2
    assert page.value("document.querySelectorAll('#chart .payments').length") == 1
    small = opened(Deal.parse("J--/-JA"))
    assert small.value(
        "[...document.querySelectorAll('#chart .payment')].map((e) => e.classList[1]).join('')"
    ) == ("JJAJJA")


def test_swipes_and_taps_on_the_table(opened, browser):
    browser.window(390, 844)
    page = opened(None, "#card=4000")
    x, y = page.value(
        "(() => { const b = byId('pile').getBoundingClientRect(); return [b.x + 180, b.y + 8]; })()"
    )
    page.swipe((x, y), (x - 30, y), (x - 60, y + 4))
    assert shown(page)[0] == 4001
    page.swipe((x, y), (x + 30, y), (x + 60, y + 4))
    assert shown(page)[0] == 4000
    tricks = shown(page)[1]
    page.swipe((x + 120, y), (x, y), (x - 120, y))
    assert shown(page)[1] == tricks + 1 and page.value("replay.go(step).pile.length") == 0
    page.swipe((x, y), (x + 5, y + 60))
    assert shown(page)[1] == tricks + 1
    page.swipe((x, y))
    assert page.text("play") == "Pause"
    page.swipe((x, y))
    assert page.text("play") == "Play"


@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640), (320, 568)])
def test_on_a_phone_the_controls_take_a_fifth_of_the_screen_at_most(opened, browser, width, height):
    browser.window(width, height)
    page = opened(Deal.parse(LOOP), "#end")
    page.value("byId('choice').open = true")
    box = page.value(
        "(() => { const b = document.querySelector('.controls').getBoundingClientRect();"
        "return [b.height, b.bottom]; })()"
    )
    assert box[0] <= height / 5 and box[1] <= height
    assert page.value("document.documentElement.scrollWidth") <= width


def test_cards_move_at_slow_speeds_for_those_who_do_not_mind(opened, browser):
    moved = "(goTo(100), on(1), document.getAnimations().length)"
    assert opened().value(moved) > 0
    browser.media(**{"prefers-reduced-motion": "reduce"})
    assert opened().value(moved) == 0
    browser.media(**{"prefers-reduced-motion": "no-preference"})
    page = opened()
    assert (
        page.value(
            "(timer = -1, byId('speed').value = 10, goTo(100), on(1), document.getAnimations().length)"
        )
        == 0
    )
    assert (
        page.value(
            "(byId('speed').value = 3, goTo(100), on(1), timer = null, document.getAnimations().length)"
        )
        > 0
    )


def test_printing_says_which_card_it_is(opened, browser):
    page = opened(None, "#card=4000")
    browser.media("print")
    seen = "getComputedStyle(byId({!r})).display"
    assert page.value(seen.format("printed")) == "block" and page.value(seen.format("deal-shown")) == "block"
    assert page.value("getComputedStyle(document.querySelector('.controls')).display") == "none"
    text = page.text("printed")
    assert text.startswith("Card 4,000 of 8,344, trick 550 of 1,164: file:") and text.endswith("&card=4000")
    assert page.text("deal-shown") == RECORD
    browser.media("")
