"""The commands report and plot: ledgers young, empty and large, and names with markup in them."""

import builtins
import html
import json
import re
from dataclasses import replace

import pytest
from hunting import SMALL, small_campaign
from reports import (
    LEDGERS,
    LOOP,
    OURS,
    PUBLISHED,
    RECORD,
    empty_ledger,
    find_of,
    large_ledger,
    loops_ledger,
    page_of,
    report_of,
    young_ledger,
)

from camicia import ITALIAN, STANDARD, Deck, Status
from camicia.ancestry.ancestors import Cycle
from camicia.records import records
from camicia.rules import play
from search.campaign import Campaign, UnitReport
from search.cli import main
from search.ledger import Ledger, Run
from search.report import CHARTS
from search.report.charts import best_chart, known_records, rate_chart
from search.report.figures import cycles_found, figures, origins
from search.report.forecast import forecasts
from search.report.survival import Halving
from search.strategies import Request, strategy_named
from search.workers import run_unit

HOSTILE = "<img src=x onerror=alert(1)>&amp;.db"


@pytest.fixture(params=LEDGERS)
def any_ledger(request, tmp_path):
    return LEDGERS[request.param](tmp_path / HOSTILE)


def test_a_path_with_markup_in_it_stays_text(any_ledger):
    text = page_of(any_ledger)
    assert "<img" not in text and "&lt;img src=x onerror=alert(1)&gt;&amp;amp;.db" in text
    assert "{{" not in text and not re.search(r"(?:src|href|url)\s*[=(]\s*\"(?!data:|#)", text)


def test_an_empty_ledger_says_so(tmp_path):
    text = page_of(empty_ledger(tmp_path / "empty.db"))
    assert "The ledger is empty" in text and "nan" not in text and "Expected times" not in text


def test_a_young_ledger_tells_what_it_has(tmp_path):
    path = young_ledger(tmp_path / "young.db")
    text = report_of(path)
    with Ledger(path) as ledger:
        (entry,) = ledger.campaigns()
        totals = ledger.totals(entry)
    assert f"<dd>{totals.games:,}<small>" in text and f"<dd>{totals.loops:,}<small>" in text
    assert "Games that never end" in text and "Longest by " in text


def test_a_large_ledger_has_law_times_and_finds(tmp_path):
    text = report_of(large_ledger(tmp_path / "large.db"))
    fitted = re.search(r"fitted: halves every ([\d.]+) ± ([\d.]+) tricks", text)
    assert float(fitted[1]) == pytest.approx(20, abs=0.02) and float(fitted[2]) < 0.02
    assert "10,000,000,00" in text and str(RECORD) in text and str(LOOP) in text
    assert "A game longer than any known" in text and "1,165 tricks or more: about " in text
    assert '<td data-name="cards">440</td><td data-name="tricks">62</td>' in text
    assert "the rate of the last run" in text and "10 million deals a second" in text
    assert (
        "standard deck" in page_of(tmp_path / "large.db") and "36:4:4:4:4" not in text.split("campaign {")[0]
    )


def test_it_answers_the_questions_of_a_hunter_in_their_order(tmp_path):
    text = report_of(large_ledger(tmp_path / "large.db"))
    assert re.findall("<h2>(.*?)</h2>", text) == [
        "How long until something new?", "What was found?", "Is all well?", "How did it go?",
        "Where it comes from",
    ]  # fmt: skip


def test_times_are_told_for_this_machine_and_for_many_cores(tmp_path):
    text = report_of(large_ledger(tmp_path / "large.db"))
    # The ledger's four workers play ten million deals a second: 200 cores are 50 times as many.
    here, many = re.search(
        r"1,165 tricks or more: about ([\d.,]+) years on this machine at this rate; ([\d.]+) years? on 200",
        text,
    ).groups()
    assert float(here.replace(",", "")) / float(many) == pytest.approx(50, rel=0.1)


def test_every_deal_leads_to_its_game_in_the_player_which_is_there_once(tmp_path):
    text = page_of(large_ledger(tmp_path / "large.db"))
    main = report_of(tmp_path / "large.db")
    deals = re.findall(r'class="deal">([^<]*)<', main)
    links = re.findall(r'class="game" href="#deal=([^"&]*)', main)
    assert deals == links and len(set(deals)) == 10 and text.count('id="place"') == 1
    assert main.count('<svg class="spark"') == len(links)
    # A loop opens where its cycle begins, and is beside a link to the cycle itself.
    assert f'#deal={LOOP}&card={play(LOOP).transient_cards}"' in main.replace("&amp;", "&")
    assert f'href="#deal={Cycle.of(LOOP).name}">see the cycle' in main


def test_the_survival_curve_reaches_the_known_records_and_marks_them(tmp_path):
    text = report_of(large_ledger(tmp_path / "large.db"))
    chart = json.loads(html.unescape(re.search(r'data-chart="(.*?)"', text)[1]))
    curve, law = chart["lines"]
    assert curve["points"][0] == [0, 1] and law["points"][-1][0] == 1164 == chart["right"]
    marks = dict(chart["marks"])
    assert marks[1164] == "the record of Nessler, 2022: 8,344 cards, 1,164 tricks"
    assert len(chart["marks"]) == len(known_records(STANDARD))


def test_the_means_are_compared_with_those_that_others_have_measured(tmp_path):
    path = tmp_path / "sample.db"
    campaign = Campaign("sample", STANDARD, seed=5, unit_size=10**5)
    with Ledger(path, "create") as ledger:
        ledger.commit(ledger.enter(campaign), [run_unit(campaign, unit) for unit in range(2)])
    assert report_of(path).count("agrees with the") == 2 and "is far from" not in report_of(path)


def test_what_is_not_well_is_said(tmp_path):
    path = young_ledger(tmp_path / "young.db")
    assert "set aside: the totals lack nothing" in report_of(path)
    with Ledger(path, "write") as ledger:
        ledger.set_aside(ledger.campaigns()[0], 7, "out of <memory>")
    text = report_of(path)
    assert '<li class="bad"><b>!</b> Units set aside' in text and "7 (out of &lt;memory&gt;)" in text


def test_of_a_deck_that_others_have_searched_nothing_longer_is_foretold(tmp_path):
    law = Halving(17.6, 0.01, start=80, share=1 / 16, games=10**6)
    found = forecasts(law, 1e9, 740, 757, ITALIAN.deal_count, searched=True)
    assert [item.exists for item in found] == [item.tricks <= 757 for item in found]
    assert [item.tricks for item in found][:3] == [750, 758, 800]


def test_the_time_of_hunting_has_no_pauses_and_counts_no_moment_twice(tmp_path):
    path = tmp_path / "paused.db"
    campaign = small_campaign()
    reports = [run_unit(campaign, unit) for unit in range(3)]
    with Ledger(path, "create") as ledger:
        entry = ledger.enter(campaign)
        for report in reports:
            run = ledger.begin_run(entry, 1, "mill")
            ledger.commit(entry, [report], run=Run(run, 600.0))
        found = figures(ledger, 20)
        chart = rate_chart(ledger, found)
        assert chart.lines[0].points[-1][0] == 10 and chart.across == "minutes of hunting"
        (best,) = best_chart(ledger, found).lines
        assert best.points[-1] == (10, max(max(report.histogram) for report in reports))


def test_the_law_is_told_by_one_figure_the_fitted_one(tmp_path):
    text = report_of(large_ledger(tmp_path / "large.db"))
    said = re.findall(r"halves every ([\d.]+)(?: ± [\d.]+)? tricks", text)
    assert len(said) >= 3 and len({round(float(tricks), 2) for tricks in said}) == 1
    assert "known to halve" not in text and "known: halves" not in text


def test_a_ledger_of_loops_is_about_cycles_and_claims_nothing_of_deals(tmp_path):
    text = report_of(loops_ledger(tmp_path / "loops.db"))
    assert "<dt>edited states</dt><dd>1,000,000<small>1 walk</small>" in text
    assert "<dt>edited states a second</dt>" in text
    assert "of all<" not in text and "mean cards" not in text and "as many as there are" not in text
    assert (
        "Longest by" not in text
        and "Games still running" not in text
        and "about " not in text.split("What was")[0]
    )
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
        published < text.index(PUBLISHED.deal) and ours < text.index(OURS.deal) and ">a new cycle" not in text
    )


def test_the_status_of_a_ledger_of_loops_claims_nothing_of_deals_either(capsys, tmp_path):
    assert main(["status", str(loops_ledger(tmp_path / "loops.db"))]) == 0
    lines = dict(re.findall(r"^(.{12}) (.*)$", capsys.readouterr().out, re.MULTILINE))
    assert lines["played      "] == "1,000,000 edited states in 1 walk, 10,000 loops"
    assert not {"deals       ", "mean cards  ", "mean tricks "} & set(lines)


def test_a_cycle_that_is_in_no_catalogue_is_called_new_only_where_there_is_one(tmp_path):
    # Of the Italian deck all cycles with deals are known: another deck's name stands for one that is not.
    small = loops_ledger(tmp_path / "small.db", Deck(14, 2, 2, 2, 0), [(15, "-----K-K-Q-J-/Q----J-")])
    text = report_of(small).split("What was found?")[1]
    assert "The walks met 1 cycle of exactly the deck. Balanced" in text and "new" not in text
    assert set(origins(STANDARD).values()) == {PUBLISHED.source, "this program"} and not origins(
        Deck(4, 2, 0, 0, 0)
    )
    listed = cycles_found(loops_of(young_ledger(tmp_path / "young.db")), STANDARD, {})
    assert listed and {cycle.origin for cycle in listed} == {"new"}


def test_a_new_cycle_is_listed_first_even_where_no_deal_falls_into_it(monkeypatch, tmp_path):
    monkeypatch.setattr("search.report.figures.origins", lambda deck: {PUBLISHED.name: PUBLISHED.source})
    path = loops_ledger(tmp_path / "loops.db", met=((30, PUBLISHED.name), (0, OURS.name)))
    table = report_of(path).split('<table class="games">')[1].split("</table>")[0]
    assert table.index("a new cycle") < table.index(f"known: {PUBLISHED.source}")
    assert f'href="#deal={OURS.name}"' in table and table.count("<tr>") == 3


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
    text = report_of(tmp_path / "trees.db")
    by_cards = text[text.index("By cards") : text.index("By tricks")]
    rows = by_cards.split("<tr>")[2:]
    assert len(rows) == 3
    for row, shown, more in zip(rows, (finds[0], finds[3], finds[5]), (2, 1, 0), strict=True):
        before, _, folded = row.partition("<details>")
        assert f"{shown.cards:,}" in before and before.count('class="deal"') == 1
        assert folded.count('class="deal"') == more and (f"{more} more of its tree" in folded) == bool(more)
    assert "that the ledger keeps are folded" in text


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
    assert out.read_text(encoding="utf-8").count('<td data-name="#">3</td>') >= 2
    assert main(["report", str(tmp_path / "none.db"), "--out", str(out)]) == 2
    assert "none.db" in capsys.readouterr().err


@pytest.mark.parametrize("kind", CHARTS)
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
