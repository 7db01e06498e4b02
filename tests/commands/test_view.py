"""The pages' templates, and the command view."""

import json
import re

import pytest

from camicia import Deal
from camicia.known_cycles import catalogue
from camicia.records import records
from search.cli import main
from search.cli_support.output import write_file
from search.errors import CampaignError, HuntError
from search.report.pages import Markup, filled, page, script_data
from search.report.player import view_page

HOSTILE = "</script><script>alert(1)</script>&amp;<!--"


def test_text_put_into_a_page_stays_text():
    done = filled("<p>{{text}}</p>{{markup}}", {"text": HOSTILE, "markup": Markup("<b>")})
    assert done == ("<p>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;&lt;!--</p><b>")


def test_what_is_filled_in_is_not_filled_again():
    assert filled("{{a}}", {"a": "{{b}}", "b": "no"}) == "{{b}}"


def test_data_in_a_script_cannot_end_it():
    written = script_data({"text": HOSTILE})
    assert "<" not in written and json.loads(written) == {"text": HOSTILE}


def test_a_place_without_a_value_is_an_error():
    with pytest.raises(KeyError):
        page("view.html", {})


def test_the_page_is_whole_and_asks_for_nothing(known):
    text = view_page(known.deal)
    assert text.startswith("<!doctype html>") and str(known.deal) in text
    assert "{{" not in text and not re.search(r'(?:src|href|url)\s*[=(]\s*"(?!data:)', text)
    assert "default-src 'none'" in text


def test_without_a_deal_the_page_begins_with_the_record_and_lists_what_is_known():
    text = view_page()
    data = json.loads(re.search(r"^const PAGE = (.*);$", text, re.MULTILINE)[1])
    assert data["deal"].startswith("---AJ--Q") and data["result"] == [8344, 1164, None, None]
    listed = {deal for _, games in data["known"] for deal, _ in games}
    assert listed >= {str(record.deal) for record in records()}
    assert listed >= {cycle.deal or cycle.name for cycle in catalogue()}


def test_a_link_to_the_page_has_a_preview():
    text = view_page(Deal.parse("J--/-J-"))
    described = re.findall(r'<meta (?:name|property)="(?:og:)?description" content="(.*)">', text)
    assert len(described) == 2 and all("never ends" in each and "J--/-J-" in each for each in described)
    assert '<meta property="og:title" content="A game of Camicia without end:' in text


def test_the_command_writes_the_page(capsys, tmp_path):
    out = tmp_path / "game.html"
    assert main(["view", "--A/-K-", "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"{out}\n"
    assert out.read_text(encoding="utf-8") == view_page(Deal.parse("--A/-K-"))
    assert [path.name for path in tmp_path.iterdir()] == ["game.html"]


def test_without_a_deal_the_command_writes_the_player(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["view"]) == 0
    assert capsys.readouterr().out == "player.html\n"
    assert (tmp_path / "player.html").read_text(encoding="utf-8") == view_page()


@pytest.mark.parametrize("started", [True, False])
def test_the_page_is_opened_in_the_browser(started, capsys, tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr("webbrowser.open", lambda url: asked.append(url) or started)
    out = tmp_path / "a game.html"
    assert main(["view", "J/-", "--open", "--out", str(out)]) == (0 if started else 1)
    assert asked == [out.as_uri()] and out.exists()
    assert ("no browser could be started" in capsys.readouterr().err) != started


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["--open", "--out", "-"], "expected the name of a file for --open"),
        (["J/-", "--tricks", "3"], "--tricks 3: expected --picture with it"),
        (["J/-", "--tricks", "all", "--picture", "a.png"], "a file ending in .gif"),
        (["J/-", "--picture", "a.jpg"], "'a.jpg': expected a name ending in .png or .svg or .gif"),
        (["J/-", "--picture", "-"], "'-': expected a name ending in"),
        (["J/-", "--picture", "a.gif", "--tricks", "0"], "expected a whole number from 1 up"),
    ],
)
def test_what_does_not_go_together_is_refused(words, fault, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    try:
        code = main(["view", *words])
    except SystemExit as end:
        code = end.code
    assert code == 2 and fault in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_a_deal_with_markup_in_it_is_refused(capsys, tmp_path):
    assert main(["view", "<b>/J", "--out", str(tmp_path / "game.html")]) == 2
    assert not list(tmp_path.iterdir())
    assert "unknown card '<' at place 1" in capsys.readouterr().err


def test_a_game_too_long_for_a_page_is_refused(monkeypatch):
    monkeypatch.setattr("search.report.player.MOST_CARDS", 7)
    with pytest.raises(CampaignError, match=r"8 cards and 3 tricks, expected at most 7 cards"):
        view_page(Deal.parse("J--/-J-"))


def test_a_file_that_cannot_be_written_is_an_error_of_ours(tmp_path):
    with pytest.raises(HuntError, match="cannot be written"):
        write_file(tmp_path / "none" / "game.html", "x")


def test_what_stood_there_is_replaced_only_by_a_whole_file(tmp_path):
    path = tmp_path / "page.html"
    write_file(path, "old")
    write_file(path, "new")
    assert path.read_text() == "new" and len(list(tmp_path.iterdir())) == 1
