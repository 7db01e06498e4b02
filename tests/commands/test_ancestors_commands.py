"""The commands `ancestors` and `improve`: what they print, and what they refuse."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from known_deals import cards_and_tricks

from camicia import Deal
from camicia.ancestry.improving import improve
from camicia.rules import play
from search.cli import main

COLLINS = "A-QK------Q----KA-----J---/-JAK----A--Q----J---QJ--K-"
KLEBER = "---JQ---K-A----A-J-K---QK-/-J-----------AJQA----K---Q"
NESSLER = "---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---"
LOOP = "--Q------QJ----JK---/---Q---J-Q-KJ--K-K--"


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(words) == 0
    captured = capsys.readouterr()
    assert not captured.err
    return captured.out


def document(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(printed(capsys, *words, "--json"))
    return found


def test_tree_of_a_long_game(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "ancestors", COLLINS, "--from-end", "300", "--top", "3")
    assert (found["states"], found["balanced"], found["truncated"]) == (35_106, 1_201, False)
    assert (found["status"], found["tricks"], found["from_end"]) == ("finished", 960, 300)
    assert [len(found[name]) for name in ("by_cards", "by_tricks")] == [3, 3]
    assert (found["by_cards"][0]["cards"], found["by_cards"][0]["tricks"]) == (7544, 1048)
    assert sum(found["depths"]) == found["states"]
    for name in ("by_cards", "by_tricks"):
        for one in found[name]:
            deal = Deal.parse(one["deal"])
            assert cards_and_tricks(play(deal)) == (one["cards"], one["tricks"])
            assert one["rank"] == str(deal.deck.rank(deal))


def test_tree_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "ancestors", COLLINS, "--from-end", "300", "--top", "1")
    assert "states    35,106\n" in text
    assert "balanced  1,201\n" in text
    assert "  7,544   1,048  --J--Q--A---KQ-A-----AQJQ-/--K---------------JJAK--K-\n" in text
    assert "722 to 748" in text


def test_the_usual_root_is_the_last_state(capsys: pytest.CaptureFixture[str]) -> None:
    assert document(capsys, "ancestors", NESSLER)["from_end"] == 1
    assert document(capsys, "ancestors", NESSLER)["by_cards"][0]["deal"] == NESSLER


def test_a_deal_that_starts_with_a_number_card_is_no_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert document(capsys, "ancestors", "-/-")["states"] == 1


def test_basin_of_a_loop(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "ancestors", LOOP)
    assert found["status"] == "loop"
    assert found["balanced"] == len(found["by_cards"]) == 26
    assert LOOP in [one["deal"] for one in found["by_cards"]]
    assert (found["cycle_cards"], found["cycle_tricks"]) == (188, 36)
    assert found["cycle"] == min(found["cycle_states"], key=lambda state: Deal.parse(state).hand_a)
    for one in found["by_tricks"]:
        result = play(Deal.parse(one["deal"]))
        assert (result.status, result.cards, result.tricks) == ("loop", one["cards"], one["tricks"])
    assert len(document(capsys, "ancestors", LOOP, "--top", "5")["by_cards"]) == 5
    text = printed(capsys, "ancestors", LOOP)
    assert text.count("/") == 27


def test_a_walk_that_is_cut_off_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert document(capsys, "ancestors", COLLINS, "--max-states", "100")["truncated"] is True
    assert "or more" in printed(capsys, "ancestors", COLLINS, "--max-states", "100")


def test_improve_finds_the_longest_of_the_tree(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "improve", KLEBER, NESSLER)["improvements"]
    assert [one["improved"] for one in found] == [True, False]
    assert found[0]["by_tricks"]["tricks"] == 822
    assert found[1]["by_cards"]["deal"] == NESSLER
    for one in found:
        assert cards_and_tricks(play(Deal.parse(one["by_cards"]["deal"]))) == (
            one["by_cards"]["cards"],
            one["by_cards"]["tricks"],
        )


def test_improve_reads_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for words in (("improve",), ("improve", "-")):
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{KLEBER}\n\n{NESSLER}\n"))
        text = printed(capsys, *words)
        assert text.count("longer") == 2
        assert f"  5,790     805  {KLEBER}\n  5,914     822  " in text
        assert f"  8,344   1,164  {NESSLER}\n                 nothing longer in " in text


def test_improve_below_a_limit_still_climbs() -> None:
    # The tree above the last state does not fit; those further up do, and hold the longest all the same.
    found = improve(Deal.parse(KLEBER), max_states=30_000)
    assert found.truncated
    assert found.trees > 1
    assert found.by_tricks.tricks == 822


def test_improve_never_ends_below_what_it_was_given() -> None:
    for text in ("-/J", "J-/-J", "J--/-JA", "---/QA"):
        found = improve(Deal.parse(text))
        assert found.by_cards.cards >= found.result.cards
        assert found.by_tricks.tricks >= found.result.tricks
        assert not found.truncated


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("ancestors", COLLINS, "--from-end", "961"), "has 960 tricks, expected at least 961"),
        (("ancestors", LOOP, "--from-end", "3"), "never ends"),
        (("ancestors", "/J"), "a hand is empty"),
        (("ancestors", "J"), "no mark between the hands"),
        (("ancestors", COLLINS, "--from-end", "0"), "expected a whole number from 1 up"),
        (("improve", LOOP), "never ends"),
        (("improve", "J/"), "a hand is empty"),
        (("improve", "?/J"), "unknown card '?'"),
    ],
)
def test_what_is_refused(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str) -> None:
    try:
        code = main(words)
    except SystemExit as ending:
        code = int(str(ending.code))
    captured = capsys.readouterr()
    assert code == 2
    assert not captured.out
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_a_bad_line_is_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("-/J\n??\n"))
    assert main(["improve"]) == 2
    assert "line 2" in capsys.readouterr().err


def test_improve_tells_the_line_of_a_game_that_never_ends(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("J/-J\nJ--/-J-\n"))
    assert main(["improve", "-"]) == 2
    assert "line 2: deal 'J--/-J-': its game never ends" in capsys.readouterr().err
