"""The commands war and eights: what they print, their JSON, what they refuse, and how they end early."""

import contextlib
import io
import json
import re
import signal
import subprocess
import sys

import pytest
from hunting import command, environment
from places import ROOT
from running import on_a_terminal, read_until

from camicia.guests.crazy_eights import SUITS, card_name, rank_of
from camicia.guests.eights_game import EightsGame
from camicia.guests.war_cards import WarDeal
from camicia.guests.war_dealing import BLOCK
from camicia.guests.war_random import random_war_deals
from camicia.guests.war_rules import play
from search.cli import main
from search.commands.war import histogram_lines


def run(capsys, *words):
    """Run the command line; return its exit code, stdout and stderr."""
    try:
        code = main(words)
    except SystemExit as end:
        code = end.code
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def answered(monkeypatch, capsys, answers, *words):
    """Run the command with lines to read."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
    return run(capsys, *words)


def test_nothing_else_knows_the_guests():
    own = {ROOT / "search" / "commands" / name for name in ("war.py", "eights.py")}
    for package in ("camicia", "search"):
        for path in (ROOT / package).rglob("*.p*"):
            if path.suffix in (".py", ".pyi", ".pyx", ".pxd", ".pxi") and path not in own:
                is_guest = (ROOT / "camicia" / "guests") in path.parents
                assert is_guest or "guests" not in path.read_text(encoding="utf-8"), path


def test_war_plays_deals(capsys):
    assert run(capsys, "war", "34/5") == (0, "Player B wins after 4 tricks, with 3 cards in hand.\n", "")
    code, out, _ = run(capsys, "war", "34/5", "2T/3J", "--collect", "winner-first")
    assert code == 0 and [line.split("  ")[0] for line in out.splitlines()] == ["34/5", "2T/3J"]
    assert "after 2 tricks" in out.splitlines()[0]


def test_war_json_is_the_result(capsys):
    code, out, _ = run(capsys, "war", "23/32", "--json", "--table")
    document = json.loads(out)
    table = document.pop("table")
    assert code == 0 and document == {
        "deal": "23/32",
        "collect": "as-laid",
        "status": "loop",
        "winner": None,
        "tricks": 4,
        "cards": 2,
        "transient_tricks": 2,
        "cycle_tricks": 2,
        "reason": "The game never ends: after 2 tricks it repeats the same 2 tricks, "
        "and player A holds 2 cards then.",
    }
    assert table[0] == {"trick": 1, "hand_a": "23", "hand_b": "32", "table": "23", "taken_by": "B"}
    assert [row["taken_by"] for row in table] == ["B", "A", "A", "B"]


def test_the_table_shows_a_war_as_it_was_laid(capsys):
    code, out, _ = run(capsys, "war", "5234T/56789J", "--table")
    assert code == 0
    assert out.splitlines()[1].split() == ["1", "5234T", "56789J", "55263748T9", "A"]
    assert out.splitlines()[-1] == "Player A wins after 2 tricks, with 11 cards in hand."


def test_war_reads_deals_from_standard_input(monkeypatch, capsys):
    code, out, _ = answered(monkeypatch, capsys, ["34/5", "", " 2T/3J "], "war", "-", "--json")
    assert code == 0 and [game["deal"] for game in json.loads(out)["games"]] == ["34/5", "2T/3J"]
    code, out, err = answered(monkeypatch, capsys, ["34/5", "", "2x/3"], "war", "-")
    assert (code, out) == (2, "")
    assert err == (
        "camicia: standard input, line 3: hand A: unknown card 'x' at place 2, "
        "expected 2 to 9, T (ten), J, Q, K or A\n"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("war",), "no deal to play"),
        (("war", "2"), "deal '2': no slash"),
        (("war", "2/3/4"), "deal '2/3/4': 2 slashes"),
        (("war", "/"), "both hands are empty"),
        (("war", "--A/J"), "unknown card '-' at place 1"),
        (("war", "2/3", "--random", "5"), "give one or the other"),
        (("war", "--random", "5", "--table"), "a table of given deals only"),
        (("war", "2/3", "--seed", "1"), "add --random N"),
        (("war", "2/3", "--threads", "1"), "add --random N"),
        (("war", "--random", "0"), "number '0'"),
        (("war", "--random", "5", "--seed", "-1"), "seed '-1'"),
        (("war", "2/3", "--collect", "sometimes"), "'sometimes'"),
        (("eights", "--json"), "add --auto"),
        (("eights", "--seed", "x"), "seed 'x'"),
        (("eights", "8"), "8"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(capsys, words, message):
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1 and err.startswith("camicia") and message in err


def test_random_games_are_told_of(capsys):
    code, out, err = run(capsys, "war", "--random", "20_000", "--seed", "3", "--json", "--threads", "2")
    document = json.loads(out)
    deals = [WarDeal(row[:26].tobytes(), row[26:].tobytes()) for row in random_war_deals(20_000, 3)]
    assert code == 0 and "20,000 deals" in err
    assert (document["games"], document["seed"], document["interrupted"]) == ("20000", "3", False)
    finished, loops = int(document["finished"]), int(document["loops"])
    assert finished + loops == 20_000 and loops > 150
    assert int(document["won_by_a"]) + int(document["won_by_b"]) == finished
    assert document["loop_share"] == loops / 20_000 and 0.0005 < document["loop_share_error"] < 0.001
    histogram = {int(tricks): int(games) for tricks, games in document["histogram"].items()}
    assert sum(histogram.values()) == finished
    longest = document["longest"]
    assert WarDeal.parse(longest["deal"]) in deals and longest["tricks"] == max(histogram)
    assert play(WarDeal.parse(longest["deal"])).tricks == longest["tricks"]


def test_random_games_for_people(capsys):
    code, out, err = run(capsys, "war", "--random", "2000", "--seed", "3", "--quiet")
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0] == "2,000 games of 52 cards, seed 3, collected as laid"
    assert re.fullmatch(r"finished   1,9\d\d: A won \d+, B won [\d,]+", lines[1])
    assert re.fullmatch(r"loops      \d+: \d\.\d+ ± 0\.\d+% of all games", lines[2])
    assert all(len(line) < 80 for line in lines)
    assert run(capsys, "war", "--random", "2000", "--seed", "3", "--quiet", "--threads", "1")[1] == out


def test_no_loop_among_random_games_is_no_share_of_none(capsys):
    out = run(capsys, "war", "--random", "300", "--seed", "1", "--collect", "winner-first", "--quiet")[1]
    assert "loops      0: fewer than 1 in 100 games, with 95% confidence" in out


def test_a_seed_is_drawn_and_printed(capsys):
    seeds = {
        json.loads(run(capsys, "war", "--random", "1", "--json", "--quiet")[1])["seed"] for _ in range(3)
    }
    assert len(seeds) == 3


def test_a_histogram_shows_every_game():
    lines = list(histogram_lines({0: 1, 5: 10**6, 3199: 1}))
    assert [line.split()[-1] for line in lines] == ["1,000,001", "1"] and "#" in lines[-1]
    assert len(list(histogram_lines(dict.fromkeys(range(16), 1)))) == 16
    assert len(list(histogram_lines({7: 2}))) == 1


def test_ctrl_c_prints_what_was_played_and_exits_130(tmp_path):
    process = subprocess.Popen(
        command("war", "--random", "1e15", "--seed", "3", "--json", "--threads", "1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        cwd=tmp_path,
    )
    first = process.stderr.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130 and "65,536 deals" in first
    document = json.loads(out)
    assert document["interrupted"] and int(document["games"]) % BLOCK == 0 < int(document["games"])
    assert err.splitlines()[-1].startswith("camicia: interrupted after ") and "Traceback" not in err


def test_eights_by_rule(capsys):
    code, out, err = run(capsys, "eights", "--seed", "1", "--auto")
    assert (code, err) == (0, "")
    assert out.splitlines()[:5] == [
        "Crazy Eights, both sides by rule, seed 1.",
        "The player holds: 9 of Spades, 2 of Clubs, 3 of Hearts, 7 of Hearts, 10 of Spades, 10 of Diamonds, "
        "3 of Diamonds.",
        "The dealer holds: 9 of Clubs, 4 of Diamonds, 8 of Diamonds, 2 of Spades, 7 of Clubs, 10 of Hearts, "
        "2 of Hearts.",
        "Top card: 6 of Hearts.",
        "The player lays the 3 of Hearts.",
    ]
    assert "The dealer lays the 8 of Diamonds. Suit to follow: Diamonds." in out
    assert out.splitlines()[-1] == "The player wins."


@pytest.mark.parametrize("seed", range(20))
def test_eights_by_rule_as_json(capsys, seed):
    document = json.loads(run(capsys, "eights", "--seed", str(seed), "--auto", "--json")[1])
    game = EightsGame(seed)
    assert document["hands"]["player"] == [card_name(card) for card in game.hands[0]]
    moves = []
    while not game.over:
        moves += game.play_by_rule()
    assert [(move["player"], move["action"]) for move in document["moves"]] == [
        (("player", "dealer")[move.side], move.action) for move in moves
    ]
    assert document["winner"] == {0: "player", 1: "dealer", None: None}[game.winner]


def user_move(game, answers):
    """Play side 0 by the rule, and add to the answers what a user would type for it."""
    before = list(game.hand)
    moves = game.play_by_rule()
    last = moves[-1]
    if last.action == "play":
        held = before + [move.card for move in moves if move.action == "draw"]
        answers.append(str(held.index(last.card) + 1))
        if last.suit is not None:
            # By its letter or by its name.
            name = SUITS[last.suit]
            answers.append(name if len(answers) % 2 else name[0].lower())


@pytest.mark.parametrize("seed", range(20))
def test_a_game_of_eights_is_played_to_its_end(monkeypatch, capsys, seed):
    game, answers = EightsGame(seed), []
    while not game.over:
        if game.side == 0:
            user_move(game, answers)
        else:
            game.play_by_rule()
    code, out, err = answered(monkeypatch, capsys, answers, "eights", "--seed", str(seed))
    assert (code, err) == (0, "")
    assert (
        out.splitlines()[-1]
        == {0: "You win.", 1: "The dealer wins.", None: "The game is a draw."}[game.winner]
    )
    # What the dealer draws is the dealer's secret; what you draw is told.
    assert not re.search(r"The dealer draws .*: ", out)
    assert "does not fit" not in out and "is not a" not in out


def test_answers_that_will_not_do_are_asked_again(monkeypatch, capsys):
    answers = ["", "0", "9", "-1", "x" * 1000, "²", "1", "?", "q"]
    code, out, err = answered(monkeypatch, capsys, answers, "eights", "--seed", "1")
    assert (code, err) == (0, "")
    assert out.count("Card to lay, 1 to 7: ") == len(answers)
    assert out.count("is not a number from 1 to 7") == 6 and max(map(len, out.splitlines())) < 500
    assert "The 9 of Spades does not fit. Top card: 6 of Hearts." in out
    assert "Whoever has no card left wins." in out and out.endswith("You leave the game.\n")


def test_a_suit_is_asked_until_there_is_one(monkeypatch, capsys):
    # A seed whose first hand has an eight, so that it can be laid at once.
    seed = next(seed for seed in range(100) if any(rank_of(card) == 8 for card in EightsGame(seed).hand))
    place = next(place for place, card in enumerate(EightsGame(seed).hand) if rank_of(card) == 8)
    answers = [str(place + 1), "x", "", "Spades", "q"]
    code, out, _ = answered(monkeypatch, capsys, answers, "eights", "--seed", str(seed))
    assert code == 0 and out.count("is not a suit") == 2
    assert re.search(r"You lay the 8 of \w+\. Suit to follow: Spades\.", out)


def test_the_end_of_the_input_leaves_the_game(monkeypatch, capsys):
    code, out, err = answered(monkeypatch, capsys, [], "eights", "--seed", "1")
    assert (code, err) == (0, "") and out.endswith("\nYou leave the game.\n")


def test_bytes_that_are_no_text_are_no_choice(tmp_path):
    done = subprocess.run(
        command("eights", "--seed", "1"),
        input=b"\xff\n",
        capture_output=True,
        env=environment() | {"PYTHONIOENCODING": "utf-8:strict"},
        cwd=tmp_path,
    )
    assert done.returncode == 0 and b"is not a number" in done.stdout and done.stderr == b""
    done = subprocess.run(
        command("war", "-"),
        input=b"2/3\n\xff\n",
        capture_output=True,
        env=environment() | {"PYTHONIOENCODING": "utf-8:strict"},
        cwd=tmp_path,
    )
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1


def test_eights_on_a_terminal_ends_with_ctrl_c(tmp_path):
    process, master = on_a_terminal("eights", "--seed", "1", cwd=tmp_path)
    shown = read_until(master, "Card to lay, 1 to 7: ")
    assert "3: 3 of Hearts, fits" in shown and "\x1b" not in shown
    code = None
    while code is None:
        # One that comes between the question and the wait for an answer is noticed with the answer only.
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = process.wait(timeout=5)
    assert code == 130
    assert "Traceback" not in read_until(master, "never", seconds=1)


@pytest.mark.parametrize("name", ["war", "eights"])
def test_help_teaches_with_examples(capsys, name):
    code, out, _ = run(capsys, name, "--help")
    assert code == 0 and "examples:" in out and f"camicia {name}" in out


def test_the_benchmark_runs(tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "benchmarks/war.py", "--repeats", "1", "--games", "2000", "--plain", "5"],
        capture_output=True,
        text=True,
        env=environment(),
        cwd=tmp_path,
    )
    assert done.returncode == 0 and [line.split()[0] for line in done.stdout.splitlines()] == [
        "collect", "as-laid", "winner-first",
    ]  # fmt: skip
