"""The commands play, records and info: what they print, their JSON, and what they refuse."""

import json
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise

import pytest
from examples_of_deals import RECORD
from known_deals import read_known_deals
from running import run

from camicia import known_cycles, records, simulate
from camicia.kernels.dispatch import available_kernels
from search.cli_support.game_table import tricks_of


def test_play_a_deal_that_begins_with_a_hyphen(capsys):
    assert run(capsys, "play", RECORD) == (
        0,
        "Player B wins after 8,344 cards and 1,164 tricks: player A has no card left.\n",
        "",
    )


def test_play_json(capsys, known):
    code, out, _ = run(capsys, "play", known.text, "--json")
    document = json.loads(out)
    assert code == 0
    assert (document["deal"], document["deck"]) == (known.text, known.deck)
    assert (document["status"], document["winner"]) == (known.status, known.winner)
    cards, tricks, *loop = known.lengths
    assert (document["cards"], document["tricks"]) == (cards, tricks)
    names = ("transient_cards", "transient_tricks", "cycle_cards", "cycle_tricks")
    assert [document.get(name) for name in names] == loop


def test_play_many_from_standard_input():
    deals = [known.text for known in read_known_deals()]
    text = "\n\n".join(deals)
    command = [sys.executable, "-m", "search", "play", "-", "--json"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    assert [game["deal"] for game in json.loads(done.stdout)["games"]] == deals


def test_a_bad_line_is_reported_with_its_number():
    command = [sys.executable, "-m", "search", "play", "-"]
    done = subprocess.run(command, input="J/-\n\nJ/!\n", capture_output=True, text=True)
    assert done.returncode == 2 and done.stdout.count("\n") == 1
    assert done.stderr.splitlines() == [
        "camicia: standard input, line 3: deal 'J/!': unknown card '!' at place 3, "
        "expected - (number card), J, Q, K or A, or the cards of another notation"
    ]


@pytest.mark.parametrize(
    "words",
    [
        ("play", "--AJ"),
        ("play", "J//-"),
        ("play", "/"),
        ("play", "J-/-x"),
        ("play",),
        ("bench", "--rounds", "0"),
        ("bench", "--rounds", "banana"),
        ("fly",),
        ("info", "--fast"),
        (),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(capsys, words):
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1 and err.startswith("camicia")


def test_the_table_shows_the_game_card_by_card(capsys):
    code, out, _ = run(capsys, "play", "J--/-J-", "--cards")
    lines = out.splitlines()
    assert code == 0
    assert lines[0].split("  ")[0] == "round" and lines[0].endswith("penalty due")
    assert lines[2] == "    1  --      -J-     J       Player B: 1"
    # The start, every card, every collection that is not the last card's; then the reason.
    assert len([line for line in lines if not line.startswith("---")]) == 1 + 9 + 1
    assert lines[3] == "--- the cycle of 2 tricks begins ---"
    assert lines[-2] == "--- trick 4 is trick 2 again ---"
    assert lines[-1].startswith("The game never ends")


def test_the_table_shows_a_trick_a_line(capsys):
    code, out, _ = run(capsys, "play", "J--/-J-", "--table")
    assert code == 0
    assert out.splitlines()[:-1] == [
        "trick   A's   B's  lead  won  cards laid",
        "    1     3     3  A     A    J-",
        "--- the cycle of 2 tricks begins ---",
        "    2     4     2  A     B    -J-",
        "    3     2     4  B     A    -J-",
        "--- trick 4 is trick 2 again ---",
    ]


def test_the_tricks_of_a_table_are_those_of_the_game(known):
    tricks = list(tricks_of(known.deal))
    assert len(tricks) == simulate(known.deal).tricks
    assert sum(len(trick.laid) for trick in tricks) == simulate(known.deal).cards
    for trick, after in pairwise(tricks):
        change = len(trick.laid) if trick.winner == 0 else 0
        laid_by_a = trick.held[0] + change - after.held[0]
        assert after.leader == trick.winner and 0 <= laid_by_a <= len(trick.laid)


def test_a_table_begins_where_it_is_asked_to(capsys):
    whole = run(capsys, "play", RECORD, "--table")[1].splitlines()
    for words in (("--table", "--from", "1,160"), ("--from", "1160")):
        part = run(capsys, "play", RECORD, *words)[1].splitlines()
        assert part == [whole[0], *whole[-6:]] and part[1].startswith("1,160 ")
    cards = run(capsys, "play", RECORD, "--cards", "--from", "1164")[1].splitlines()
    assert cards[1].startswith("1,164 ") and cards[-1] == whole[-1]
    # Beyond its end, what the game comes to says so.
    assert run(capsys, "play", "J/-", "--from", "9")[1].splitlines()[1:] == [
        "Player A wins after 2 cards and 1 trick: player B has no card left."
    ]
    loop = run(capsys, "play", "J--/-J-", "--from", "3")[1].splitlines()
    assert loop[1] == "--- the cycle began at trick 2 ---"
    document = json.loads(run(capsys, "play", RECORD, "--json", "--from", "1164")[1])
    assert document["table"][0]["round"] == "1164"


def test_the_table_in_json_counts_the_cards(capsys):
    document = json.loads(run(capsys, "play", RECORD, "--table", "--json")[1])
    assert document["table"][-1]["round"] == str(document["tricks"] + 1)
    assert document["table"][-1]["hand_a"] == ""


def test_loops_begin_with_those_that_have_deals(capsys):
    lines, whole = (run(capsys, "loops", *words)[1].splitlines() for words in ((), ("--all",)))
    cycles = known_cycles.catalogue()
    with_deals = [cycle for cycle in cycles if cycle.deals]
    assert len(whole) == 1 + len(cycles) and len(lines) == 1 + len(with_deals) + 1
    assert lines[-1].startswith(f"{len(cycles) - len(with_deals)} cycles without a balanced deal")
    assert run(capsys, "loops", "--deck", "4:1:1:0:0") == (0, "", "")


def test_records_are_listed_and_replayed(capsys):
    code, out, _ = run(capsys, "records", "--check", "--json")
    document = json.loads(out)
    assert code == 0 and document["mismatches"] == []
    assert len(document["records"]) == len(records.records()) >= 12
    for record in document["records"]:
        assert record["finder"] and record["source"]
    code, out, _ = run(capsys, "records", "--check")
    assert code == 0 and out.endswith("records replayed, 0 mismatched\n")


def test_a_wrong_record_is_a_mismatch(capsys, monkeypatch):
    record = records.records()[0]
    wrong = record._replace(result=replace(record.result, cards=record.result.cards + 1))
    monkeypatch.setattr(records, "records", lambda: (wrong,))
    code, _, err = run(capsys, "records", "--check")
    assert code == 3 and str(record.deal) in err and "4,792 cards" in err


def test_info_tells_which_kernel_runs(capsys, monkeypatch):
    monkeypatch.setenv("CAMICIA_KERNEL", "ring")
    document = json.loads(run(capsys, "info", "--json")[1])
    assert document["kernel"] == "ring"
    available = [kernel["name"] for kernel in document["kernels"] if kernel["available"]]
    assert available == list(available_kernels(devices=True))
    monkeypatch.setenv("CAMICIA_KERNEL", "abacus")
    code, out, err = run(capsys, "info")
    assert (code, out) == (2, "") and "CAMICIA_KERNEL 'abacus'" in err


@pytest.mark.parametrize("command", ["play", "records", "bench", "info"])
def test_help_teaches_with_examples(capsys, command):
    code, out, _ = run(capsys, command, "--help")
    assert code == 0 and "examples:" in out and f"camicia {command}" in out


def test_a_full_disk_under_stdout_is_one_line():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "search", "records", "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 1
    assert done.stderr.splitlines() == ["camicia: output: No space left on device"]


@pytest.mark.parametrize("stream", ["<&-", ">&-", "2>&-"])
def test_closed_standard_streams_are_no_failure(stream):
    command = f"{sys.executable} -m search play J/- - {stream}"
    done = subprocess.run(["sh", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
