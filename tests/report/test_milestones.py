"""Finds longer than any known: which they are, and the command that is run for them."""

from hunting import contents, documented

from camicia import STANDARD, Deck, Result, Status
from search import cli
from search.ledger import StoredFind
from search.report import milestones


def find(cards, tricks, status=Status.FINISHED):
    return StoredFind("-/-", 0, Result(status, "A", cards, tricks), 0, 0, 0)


def test_what_is_longer_by_either_length_is_a_record_and_raises_the_bar():
    known = milestones.LongestKnown(STANDARD)
    assert str(known) == "8,344 cards, 1,164 tricks"
    assert known.broken_by([find(8344, 1164), find(9000, 1200, Status.LOOP)]) == []
    longer, more_tricks = find(8345, 1100), find(8000, 1165)
    assert known.broken_by([longer, more_tricks, find(100, 10)]) == [more_tricks, longer]
    assert known.broken_by([longer, more_tricks]) == []
    assert str(known) == "8,345 cards, 1,165 tricks"


def test_a_deck_without_known_games_has_no_records():
    known = milestones.LongestKnown(Deck(12, 2, 2, 0, 0))
    assert known.broken_by([find(10**6, 10**5)]) == []


def test_a_record_is_announced_and_its_command_run(tmp_path, monkeypatch, capfd):
    """The known length is lowered, so that one is found."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        milestones, "longest_known", lambda deck, length: {"cards": 100, "tricks": 20}[length]
    )
    on_record = 'echo "$CAMICIA_CARDS $CAMICIA_TRICKS $CAMICIA_DECK $CAMICIA_DEAL" >> told.txt'
    words = ["search", "sample", "--deck", "12:2:2:0:0", "--deals", "1000", "--workers", "1", "--json"]
    assert cli.main([*words, "--on-record", on_record]) == 0
    output, errors = capfd.readouterr()
    assert "LONGER THAN ANY KNOWN" in errors and output.startswith("{")
    told = [line.split() for line in (tmp_path / "told.txt").read_text().splitlines()]
    (best,) = documented("best", "sample-12-2-2-0-0.db", "--top", "1", cwd=tmp_path)["finds"]
    assert [str(best["cards"]), str(best["tricks"]), "12:2:2:0:0", best["deal"]] in told
    assert best["deal"] in errors
    assert all(int(cards) > 100 or int(tricks) > 20 for cards, tricks, *_ in told)
    assert contents(tmp_path / "sample-12-2-2-0-0.db")[0][1]["units"] >= 1
