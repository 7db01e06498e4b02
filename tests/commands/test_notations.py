"""Every command that takes a deal takes it in every notation that can be told for certain, or is named."""

import io
import json
import sys

import pytest
from examples_of_deals import CONTEST, LOOP_OF_40
from running import run

from camicia import Deal, simulate
from camicia.notation import read_deal

#: A deal as others write it, and what it is.
OTHERS = {
    "digits, slash": ("001/010", "--J/-J-"),
    "digits, bar": ("001 | 010", "--J/-J-"),
    "digits, hyphen": (LOOP_OF_40.translate(str.maketrans("-JQK/", "0123-")), LOOP_OF_40),
    "digits, no mark": (LOOP_OF_40.replace("/", "").translate(str.maketrans("-JQK", "0123")), LOOP_OF_40),
    "faces and suits": ("2S JH | 10D QC", "-J/-Q"),
    "suits first": ("S2 HJ | D10 CQ", "-J/-Q"),
    "a ten as X": ("XH JS | 10D QC", "-J/-Q"),
    "suits as signs": ("2♠ J♥ | 10♦ Q♣", "-J/-Q"),
    "playing cards": ("\U0001f0a2\U0001f0bb | \U0001f0ca\U0001f0dd", "-J/-Q"),
    "lower case": ("--j/-j-", "--J/-J-"),
    "dots": ("..J/.J.", "--J/-J-"),
    "X": ("XXJ/XJX", "--J/-J-"),
    "spaces": ("- - J / - J -", "--J/-J-"),
    "commas": ("-,-,J/-,J,-", "--J/-J-"),
    "tabs": ("2\t10\tJ|3\tJ\t4", "--J/-J-"),
    "labels": ("1: --J 2: -J-", "--J/-J-"),
    "JSON": ('{"playerA": ["2", "10", "J"], "playerB": ["3", "J", "4"]}', "--J/-J-"),
}

#: Options that name what cannot be told.
NAMED = {
    "a deck that is cut": ("J-Q-", ("--notation", "deck"), "J-/Q-"),
    "a deck that is dealt": ("J-Q-", ("--deal", "alternately"), "JQ/--"),
    "bottom first": ("J-/Q-", ("--bottom-first",), "-J/-Q"),
    "faces": ("234/432", ("--notation", "faces"), "---/---"),
    "digits": ("234/432", ("--notation", "digits"), "QKA/AKQ"),
}


def typed(monkeypatch, text):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))


def played(deal):
    return {"deal": deal, "cards": simulate(deal).cards}


def same(document, deal):
    return {name: document[name] for name in ("deal", "cards")} == played(deal)


@pytest.mark.parametrize(("text", "deal"), OTHERS.values(), ids=OTHERS)
def test_play_takes_it_as_a_word_and_as_a_line(text, deal, capsys, monkeypatch):
    code, out, _ = run(capsys, "play", text, "--json")
    assert code == 0 and same(json.loads(out), deal)
    # A file of JSON is JSON to its end.
    second = text if text.startswith("{") else deal
    typed(monkeypatch, f"{text}\n{second}\n")
    code, out, _ = run(capsys, "play", "-", "--json")
    games = json.loads(out)["games"]
    assert code == 0 and [game["deal"] for game in games] == [deal, deal]


@pytest.mark.parametrize(("text", "options", "deal"), NAMED.values(), ids=NAMED)
def test_what_cannot_be_told_is_refused_until_it_is_named(text, options, deal, capsys, monkeypatch):
    if options[0] != "--bottom-first":
        code, _, err = run(capsys, "play", text)
        assert code == 2 and err.count("\n") == 1 and ("notation" in err or "alternately" in err)
    code, out, _ = run(capsys, "play", text, *options, "--json")
    assert code == 0 and same(json.loads(out), deal)
    typed(monkeypatch, f"{text}\n")
    code, out, _ = run(capsys, "play", "-", *options, "--json")
    assert code == 0 and same(json.loads(out)["games"][0], deal)


@pytest.mark.parametrize("command", ["rank", "ancestors", "improve", "view"])
def test_the_other_commands_take_it_too(command, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ("--out", "-") if command == "view" else ("--json",)
    # A finished game of two equal hands, as all of them can use.
    code, native, _ = run(capsys, command, "-J/-Q", *words)
    assert code == 0
    assert run(capsys, command, "2S JH | 10D QC", *words)[:2] == (0, native)
    assert run(capsys, command, "J-/Q-", "--bottom-first", *words)[:2] == (0, native)


def test_an_import_takes_files_of_others(capsys, tmp_path):
    ledger = str(tmp_path / "hunt.db")
    assert (
        run(capsys, "search", "enumerate", "--deck", "4:1:1:0:0", "--ledger", ledger, "--workers", "1")[0]
        == 0
    )
    file = tmp_path / "others.txt"
    file.write_text('1: -J\n2: -Q\n\n{"playerA": ["2"], "playerB": ["J"]}\n10 K | Q 2\n')
    code, out, _ = run(capsys, "import", ledger, str(file), "--json")
    assert code == 0 and json.loads(out)["deals"] == 3
    file.write_text(CONTEST)
    code, out, _ = run(capsys, "import", ledger, str(file), "--notation", "judge", "--json")
    assert code == 0 and json.loads(out)["new"] == 1
    assert Deal.parse(json.loads(out)["longest"]["deal"]) == read_deal(CONTEST, notation="judge")


def test_json_lists_of_others_are_read(capsys, monkeypatch):
    typed(
        monkeypatch, '[{"playerA": ["2", "J"], "playerB": ["3"]},\n {"player_a": ["K"], "player_b": ["3"]}]'
    )
    code, out, _ = run(capsys, "play", "-", "--json")
    assert code == 0 and [game["deal"] for game in json.loads(out)["games"]] == ["-J/-", "K/-"]


def test_a_bad_line_in_a_named_notation_has_its_number(capsys, monkeypatch):
    typed(monkeypatch, "12/21\n\n19/21\n")
    code, _, err = run(capsys, "play", "-", "--notation", "digits")
    assert code == 2 and err.count("\n") == 1 and "standard input, line 3" in err and "'9'" in err
