"""The page about a ledger in a real browser, used as a person would use it."""

import pytest
from browser import NEEDED, chromium
from playing import click, shown
from reports import LEDGERS, LOOP, RECORD, large_ledger, page_of

from camicia.rules import play

pytestmark = pytest.mark.skipif(not chromium() and not NEEDED, reason="there is no chromium")

#: Whether the report is shown, and whether the player.
IN_SIGHT = "['report', 'player'].map((id) => !byId(id).hidden)"

#: The chart of games still running, by its place, its words and its cursor.
CHART = "document.querySelector('.plot .frame')"


@pytest.fixture
def large(browser, tmp_path):
    """The page of a large ledger, in a browser in which nothing may go wrong."""
    path = tmp_path / "report.html"
    path.write_text(page_of(large_ledger(tmp_path / "large.db")), encoding="utf-8")
    browser.window(1280, 900)
    browser.open(path)
    yield browser
    assert browser.problems == []


def click_on(page, expression):
    """Click where the middle of an element is seen."""
    page.value(f"({expression}).id ||= 'clicked'")
    id_ = page.value(f"({expression}).id")
    click(page, id_)


def link_to(deal):
    return f"document.querySelector('#report a[href^=\"#deal={deal}\"]')"


def heard(page):
    """Wait until the page has heard of its address."""
    page.value("new Promise((done) => setTimeout(done))")


def test_a_person_clicks_a_find_plays_its_game_and_sends_a_link(large):
    assert large.value(IN_SIGHT) == [True, False]
    title = large.value("document.title")
    click_on(large, link_to(RECORD))
    heard(large)
    assert large.value(IN_SIGHT) == [False, True] and shown(large) == (0, 0, str(RECORD))
    assert large.value("document.title") == "A game of Camicia: 8,344 cards, 1,164 tricks"
    # What is there to be printed only is not seen.
    assert large.value("getComputedStyle(byId('deal-shown')).display") == "none"
    click(large, "play")
    large.value(
        "new Promise((done) => { const f = () => step > 20 ? done() : requestAnimationFrame(f); f(); })"
    )
    click(large, "play")
    click(large, "last")
    assert shown(large) == (8344, 1164, str(RECORD))
    click(large, "copy")
    heard(large)
    link = large.clipboard()
    assert link == large.value("location.href") and link.endswith(f"report.html#deal={RECORD}&card=8344")
    # Who gets the link and the file sees the same card, without having seen the report.
    large.navigate("about:blank")
    large.navigate(link)
    assert large.value(IN_SIGHT) == [False, True] and shown(large) == (8344, 1164, str(RECORD))
    click_on(large, "document.querySelector('.back a')")
    heard(large)
    assert large.value(IN_SIGHT) == [True, False] and large.value("document.title") == title


def test_back_leads_to_the_report_and_to_the_line_that_one_left(large):
    click_on(large, link_to(LOOP))
    heard(large)
    assert shown(large) == (play(LOOP).transient_cards, play(LOOP).transient_tricks, str(LOOP))
    large.press(" ")
    assert large.text("play") == "Pause"
    large.back()
    assert large.value(IN_SIGHT) == [True, False] and large.text("play") == "Play"
    assert large.value(f"document.activeElement === {link_to(LOOP)}")
    # In the report the player's keys do nothing, and the address stays that of the report.
    where = large.value("step")
    large.press("End")
    large.press(" ")
    heard(large)
    assert large.value("step") == where and large.text("play") == "Play"
    assert large.value(IN_SIGHT) == [True, False] and large.value("location.hash") == ""
    large.back(1)
    assert large.value(IN_SIGHT) == [False, True] and shown(large)[2] == str(LOOP)
    # A deal that is chosen in the player is a place of its own on the way back.
    click(large, "random")
    large.back()
    assert shown(large)[2] == str(LOOP)


def test_the_survival_curve_is_read_with_the_keyboard(large):
    said = "document.querySelector('.plot .reading').textContent"
    large.value(f"({CHART}.scrollIntoView(), {CHART}.focus())")
    assert large.value(f"{CHART}.getAttribute('role')") == "slider"
    assert large.value(said) == "After 0 tricks: all games still running"
    for _ in range(20):
        large.press("ArrowRight")
    # The ledger's games halve every 20 tricks.
    assert large.value(said) == "After 20 tricks: 1 in 2 games still running"
    large.press("m")
    assert "After 670 tricks: 1 in " in large.value(said) and "the record of " in large.value(said)
    large.press("End")
    text = large.value(said)
    assert text.startswith("After 1,164 tricks: 1 in ") and "(fitted); " in text
    assert text.endswith("the record of Nessler, 2022: 8,344 cards, 1,164 tricks")
    assert large.value(f"{CHART}.getAttribute('aria-valuetext')") == text
    large.press("Home")
    assert large.value(said).startswith("After 0 tricks")


def test_the_survival_curve_is_read_with_the_mouse(large):
    x, y, width = large.value(
        f"(() => {{ {CHART}.scrollIntoView({{block: 'center'}}); const b = {CHART}.getBoundingClientRect();"
        "return [b.x, b.y + b.height / 2, b.width]; })()"
    )
    large.click(x + width * 200 / 1164, y)
    assert large.text("report-live") == ""
    said = large.value("document.querySelector('.plot .reading').textContent")
    assert said.startswith("After 200 tricks: 1 in 1,0")
    # A mark is a hair wide: beside it is on it.
    large.click(x + width - 2, y)
    said = large.value("document.querySelector('.plot .reading').textContent")
    assert said.startswith("After 1,164 tricks") and "Nessler" in said
    # It is as wide as the page.
    assert width > 0.9 * large.value("document.querySelector('main').clientWidth")


def test_what_the_copy_button_hands_to_the_clipboard_is_the_deal(large):
    large.value("navigator.clipboard.writeText = (text) => { window.got = text; return Promise.resolve(); }")
    large.value("document.querySelector('.copy').click()")
    heard(large)
    assert large.value("window.got") == str(RECORD) and large.text("report-live") == "Copied."


@pytest.mark.parametrize("name", LEDGERS)
def test_nothing_is_fetched_cut_or_wider_than_the_window(browser, tmp_path, name):
    page = tmp_path / "report.html"
    page.write_text(page_of(LEDGERS[name](tmp_path / f"{name} <b>&.db")), encoding="utf-8")
    for width in (320, 390, 700, 1280):
        for dark in (False, True):
            browser.window(width, 800, dark)
            browser.open(page)
            browser.value("document.querySelectorAll('details').forEach((part) => (part.open = true))")
            assert browser.value("document.documentElement.scrollWidth") <= width
            assert browser.value("document.images.length") == 0
            # No text stands over the edge of the box that it is in.
            assert (
                browser.value(
                    "Array.from(document.querySelectorAll('#report :is(p, td, th, dd, dt, h1, h2, h3, li)'))"
                    ".filter((e) => e.scrollWidth > e.clientWidth + 1 && e.clientWidth)"
                    ".map((e) => e.textContent)"
                )
                == []
            )
    assert browser.problems == []


def test_all_that_is_folded_is_printed(large):
    large.value("dispatchEvent(new Event('beforeprint'))")
    assert large.value("document.querySelectorAll('#report details:not([open])').length") == 0
    large.value("dispatchEvent(new Event('afterprint'))")
    assert large.value("document.querySelectorAll('#report details:not([open])').length") > 1
    large.media("print")
    assert large.value("getComputedStyle(document.querySelector('.copy')).display") == "none"
    large.media()
