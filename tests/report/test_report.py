"""The commands report and plot: ledgers young, empty and large, and names with markup in them."""

import builtins
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from browser import NEEDED, Browser, chromium
from hunting import SMALL, small_campaign

from camicia import STANDARD, Deal, Deck, Status
from camicia.known_cycles import catalogue
from camicia.records import records
from camicia.rules import play
from search.campaign import Campaign, UnitReport
from search.cli import main
from search.finds import Find
from search.ledger import Ledger
from search.report import report_page
from search.report.figures import cycles_found, origins
from search.strategies import Request, strategy_named
from search.workers import run_unit

HOSTILE = "<img src=x onerror=alert(1)>&amp;.db"

RECORD = Deal.parse("---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---")
LOOP = Deal.parse("---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA")


def find_of(deal, tree=0):
    result = play(deal)
    return Find(deal.hand_a + deal.hand_b, result.cards, result.tricks, tree)


def empty_ledger(path):
    with Ledger(path, "create"):
        pass
    return path


def young_ledger(path):
    """Three small units of a small deck, with loops."""
    campaign = small_campaign()
    with Ledger(path, "create") as ledger:
        entry = ledger.enter(campaign)
        ledger.commit(entry, [run_unit(campaign, unit) for unit in range(3)])
    return path


def large_ledger(path, deals=10**10):
    """Ten thousand million deals: the law itself as histogram, the records and a loop as finds."""
    shares = 2.0 ** (-np.arange(0, 660) / 20)
    running = np.round(deals * shares).astype(np.int64)
    histogram = {n: int(k) for n, k in enumerate(running[:-1] - running[1:], start=1) if k}
    campaign = Campaign("climb", STANDARD, seed=7, unit_size=sum(histogram.values()) + 1, settings={
        "least_tricks": 350, "from_end": 340, "max_states": 10**6
    })  # fmt: skip
    with Ledger(path, "create") as ledger:
        entry = ledger.enter(campaign)
        finds = tuple(
            find_of(record.deal, 1 + tree)
            for tree, record in enumerate(records())
            if record.deal.deck == STANDARD and record.result.status is Status.FINISHED
        )
        run = ledger.begin_run(entry, 4, "mill")
        games, tricks = sum(histogram.values()), sum(n * k for n, k in histogram.items())
        report = UnitReport(
            0, games + 1, 1, 255 * games, tricks, histogram, checksum=5,
            finds=finds, loop_finds=(find_of(LOOP),),
            seconds=4000.0, kernel="avx2", host="mill",
        )  # fmt: skip
        ledger.commit(entry, [report], run=(run, 1000.0))
    return path


#: The published cycle of the standard deck, one that only the catalogue has, and a name that it has not.
PUBLISHED, OURS, NEW = (
    next(cycle for cycle in catalogue(STANDARD) if cycle.deals and not cycle.new),
    next(cycle for cycle in catalogue(STANDARD) if cycle.deals and cycle.new),
    f"JJJJQQQQKKKKAAAA{10 * '-'}/{26 * '-'}",
)


def loops_ledger(path, deck=STANDARD, met=((30, PUBLISHED.name), (34, OURS.name), (0, NEW))):
    """A walk among loops that met some cycles; of those of the standard deck it lists a deal each."""
    campaign = Campaign(
        "loops", deck, seed=7, unit_size=10**6, loops_kept=100, settings={"starts": "J--/-J-"}
    )
    deals = [Deal.parse(cycle.deal) for cycle in (PUBLISHED, OURS)] if deck == STANDARD else []
    with Ledger(path, "create") as ledger:
        entry = ledger.enter(campaign)
        report = UnitReport(
            0, 10**6, 10**4, 10**8, 9_900_000, {10: 10**6 - 10**4}, checksum=5,
            loop_finds=tuple(find_of(deal) for deal in deals),
            counters={f"cycle {number} {name}": 1 for number, name in met} | {"stepping_stones": 99},
            seconds=4.0, kernel="walker", host="mill",
        )  # fmt: skip
        ledger.commit(entry, [report])
    return path


LEDGERS = {"empty": empty_ledger, "young": young_ledger, "loops": loops_ledger, "large": large_ledger}


@pytest.fixture(params=LEDGERS)
def any_ledger(request, tmp_path):
    return LEDGERS[request.param](tmp_path / HOSTILE)


def page_of(path):
    with Ledger(path) as ledger:
        return report_page(ledger)


def test_a_path_with_markup_in_it_stays_text(any_ledger):
    text = page_of(any_ledger)
    assert "<img" not in text and "&lt;img src=x onerror=alert(1)&gt;&amp;amp;.db" in text
    assert "{{" not in text and not re.search(r"(?:src|href|url)\s*[=(]\s*\"(?!data:)", text)


def test_an_empty_ledger_says_so(tmp_path):
    text = page_of(empty_ledger(tmp_path / "empty.db"))
    assert "The ledger is empty" in text and "nan" not in text and "Expected times" not in text


def test_a_young_ledger_tells_what_it_has(tmp_path):
    path = young_ledger(tmp_path / "young.db")
    text = page_of(path)
    with Ledger(path) as ledger:
        (entry,) = ledger.campaigns()
        totals = ledger.totals(entry)
    assert f"<dd>{totals.games:,}<small>" in text and f"<dd>{totals.loops:,}<small>" in text
    assert "Games that never end" in text and "Longest games" in text


def test_a_large_ledger_has_law_times_and_finds(tmp_path):
    text = page_of(large_ledger(tmp_path / "large.db"))
    fitted = re.search(r"fitted: halves every ([\d.]+) ± ([\d.]+) tricks", text)
    assert float(fitted[1]) == pytest.approx(20, abs=0.02) and float(fitted[2]) < 0.02
    assert "10,000,000,00" in text and "1,165: longer than any known" not in text.split("Expected")[0]
    assert "1,165: longer than any known" in text and str(RECORD) in text and str(LOOP) in text
    assert '<td class="number">440</td><td class="number">62</td>' in text
    assert "the rate of the last run" in text and "10 million deals a second" in text


def test_the_law_is_told_by_one_figure_the_fitted_one(tmp_path):
    text = page_of(large_ledger(tmp_path / "large.db"))
    said = re.findall(r"halves every ([\d.]+)(?: ± [\d.]+)? tricks", text)
    assert len(said) >= 3 and len({round(float(tricks), 2) for tricks in said}) == 1
    assert "known to halve" not in text and "known: halves" not in text


def test_a_ledger_of_loops_is_about_cycles_and_claims_nothing_of_deals(tmp_path):
    text = page_of(loops_ledger(tmp_path / "loops.db"))
    assert "<dt>edited states</dt><dd>1,000,000<small>1 walk</small>" in text
    assert "<dt>edited states a second</dt>" in text
    assert "of all<" not in text and "mean cards" not in text and "as many as there are" not in text
    assert "Longest games" not in text and "Games still running" not in text and "<svg" not in text
    assert (
        "The walks met 3 cycles of exactly the deck: 1 published, 1 found before by this program, 1 new."
        in text
    )
    assert "fall into 2 of them, 64 in all" in text
    published, ours = (
        text.index(f"known: {PUBLISHED.source}"),
        text.index("known: found before by this program"),
    )
    assert (
        published < text.index(PUBLISHED.deal) and ours < text.index(OURS.deal) and "a new cycle" not in text
    )


def test_the_status_of_a_ledger_of_loops_claims_nothing_of_deals_either(capsys, tmp_path):
    assert main(["status", str(loops_ledger(tmp_path / "loops.db"))]) == 0
    lines = dict(re.findall(r"^(.{12}) (.*)$", capsys.readouterr().out, re.MULTILINE))
    assert lines["played      "] == "1,000,000 edited states in 1 walk, 10,000 loops"
    assert not {"deals       ", "mean cards  ", "mean tricks "} & set(lines)


def test_a_cycle_that_is_in_no_catalogue_is_called_new_only_where_there_is_one(tmp_path):
    # Of the Italian deck all cycles with deals are known: another deck's name stands for one that is not.
    small = loops_ledger(tmp_path / "small.db", Deck(14, 2, 2, 2, 0), [(15, "-----K-K-Q-J-/Q----J-")])
    assert "The walks met 1 cycle of exactly the deck. Balanced" in page_of(small)
    assert "new" not in page_of(small).split("<main>")[1].split("<script>")[0]
    assert set(origins(STANDARD).values()) == {PUBLISHED.source, "this program"} and not origins(
        Deck(4, 2, 0, 0, 0)
    )
    listed = cycles_found(loops_of(young_ledger(tmp_path / "young.db")), STANDARD)
    assert listed and {cycle.origin for cycle in listed} == {"new"}


def loops_of(path):
    with Ledger(path) as ledger:
        return ledger.finds(ledger.campaigns()[0], Status.LOOP)


def test_of_each_tree_the_longest_game_is_shown_and_the_others_are_folded(tmp_path):
    campaign = Campaign("climb", STANDARD, seed=7, unit_size=10**4, settings={
        "least_tricks": 350, "from_end": 340, "max_states": 10**6
    })  # fmt: skip
    deals = [record.deal for record in records() if record.deal.deck == STANDARD]
    finds = sorted(
        (find_of(deal, 1) for deal in deals if play(deal).cards > 6000), key=lambda find: -find.cards
    )
    finds = [*finds[:3], *(find._replace(tree=2) for find in finds[3:5]), finds[5]._replace(tree=0)]
    with Ledger(tmp_path / "trees.db", "create") as ledger:
        report = UnitReport(
            0, 10**4, 0, 10**4, 10**4, {1: 10**4}, checksum=5, finds=tuple(finds), kernel="avx2", host="mill"
        )  # fmt: skip
        ledger.commit(ledger.enter(campaign), [report])
    text = page_of(tmp_path / "trees.db")
    by_cards = text[text.index("By cards") : text.index("By tricks")]
    rows = by_cards.split("<tr>")[2:]
    assert len(rows) == 3
    for row, shown, more in zip(rows, (finds[0], finds[3], finds[5]), (2, 1, 0), strict=True):
        before, _, folded = row.partition("<details>")
        assert f"{shown.cards:,}" in before and before.count('class="deal"') == 1
        assert folded.count('class="deal"') == more and (f"{more} more of its tree" in folded) == bool(more)
    assert "folded below" in text


def test_a_complete_search_foretells_its_own_end(tmp_path):
    campaign = strategy_named("enumerate").plan(Request(SMALL))
    units = strategy_named("enumerate").unit_count(campaign)
    path = tmp_path / "all.db"
    with Ledger(path, "create") as ledger:
        entry = ledger.enter(campaign)
        # A unit of so small a deck may take no measurable time; then there is no rate to foretell by.
        reports = [replace(run_unit(campaign, unit), seconds=0.25) for unit in range(units - 1)]
        ledger.commit(entry, reports)
    assert "deals are left to play" in page_of(path)
    with Ledger(path, "write") as ledger:
        ledger.commit(entry, [run_unit(campaign, units - 1)])
    text = page_of(path)
    assert "The search is complete" in text and "as many as there are" in text and "no law is fitted" in text


def test_the_command_writes_the_page(capsys, tmp_path):
    ledger, out = young_ledger(tmp_path / "young.db"), tmp_path / "report.html"
    assert main(["report", str(ledger), "--out", str(out), "--top", "3"]) == 0
    assert capsys.readouterr().out == f"{out}\n"
    assert out.read_text(encoding="utf-8").count('<td class="number">3</td>') >= 2
    assert main(["report", str(tmp_path / "none.db"), "--out", str(out)]) == 2
    assert "none.db" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["survival", "rate", "finds"])
def test_plots_are_written_as_png_and_svg(capsys, any_ledger, tmp_path, kind):
    pytest.importorskip("matplotlib", reason="the extra report is not installed")
    assert main(["plot", str(any_ledger), "--kind", kind, "--out", str(tmp_path / "a.picture")]) == 0
    png, svg = tmp_path / "a.picture.png", tmp_path / "a.picture.svg"
    assert capsys.readouterr().out == f"{png}\n{svg}\n"
    assert png.read_bytes().startswith(b"\x89PNG") and b"<svg" in svg.read_bytes()
    assert main(["plot", str(any_ledger), "--kind", kind, "--out", str(tmp_path / "one.svg")]) == 0
    assert (tmp_path / "one.svg").read_bytes() == svg.read_bytes()


def test_without_matplotlib_the_error_names_the_extra(capsys, monkeypatch, tmp_path):
    real = builtins.__import__

    def without(name, *rest):
        if name.startswith("matplotlib"):
            raise ImportError("No module named 'matplotlib'")
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    ledger = young_ledger(tmp_path / "young.db")
    assert main(["plot", str(ledger), "--out", str(tmp_path / "x")]) == 2
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1 and "pip install 'camicia[report]'" in error
    assert not list(tmp_path.glob("*x*"))


@pytest.mark.skipif(not chromium() and not NEEDED, reason="there is no chromium")
def test_in_a_browser_nothing_goes_wrong_and_deals_are_copied(tmp_path):
    assert chromium(), "CAMICIA_NEED_BROWSER is set, and there is no chromium"
    (tmp_path / "browser").mkdir()
    browser = Browser(tmp_path / "browser")
    try:
        for name, make in LEDGERS.items():
            page = tmp_path / f"{name}.html"
            page.write_text(page_of(make(tmp_path / f"{name}{HOSTILE}")), encoding="utf-8")
            for width in (320, 1280):
                browser.window(width, 800)
                browser.open(page)
                assert browser.value("document.documentElement.scrollWidth") <= width
                assert browser.value("document.images.length") == 0
            assert browser.problems == [], name
        # The last page is the large one's: what the button hands to the clipboard is the deal.
        browser.value(
            "navigator.clipboard.writeText = (text) => { window.got = text; return Promise.resolve(); }"
        )
        browser.value("document.querySelector('.copy').click()")
        assert browser.value("new Promise((done) => setTimeout(() => done(window.got), 50))") == str(RECORD)
        assert browser.text("live") == "Copied."
        assert json.loads(browser.value("JSON.stringify([...document.querySelectorAll('h2')].map((h) => "
                                        "h.textContent))")) == [
            "Games still running", "Expected times", "Longest games", "Games that never end",
            "Where it comes from",
        ]  # fmt: skip
        assert browser.problems == []
    finally:
        browser.close()
