"""The pages' templates, and the command view."""

import json
import re

import pytest

from camicia import Deal
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


def test_the_command_writes_the_page(capsys, tmp_path):
    out = tmp_path / "game.html"
    assert main(["view", "--A/-K-", "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"{out}\n"
    assert out.read_text(encoding="utf-8") == view_page(Deal.parse("--A/-K-"))
    assert [path.name for path in tmp_path.iterdir()] == ["game.html"]


def test_a_deal_with_markup_in_it_is_refused(capsys, tmp_path):
    with pytest.raises(SystemExit) as end:
        main(["view", "<b>/J", "--out", str(tmp_path / "game.html")])
    assert end.value.code == 2 and not list(tmp_path.iterdir())
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
