"""The commands play, records and info: what they print, their JSON, and what they refuse."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest
from examples_of_deals import RECORD
from known_deals import read_known_deals
from running import run

from camicia import records
from camicia.kernels.dispatch import available_kernels


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
    done = subprocess.run(command, input="J/-\n\nJ/x\n", capture_output=True, text=True)
    assert done.returncode == 2 and done.stdout.count("\n") == 1
    assert done.stderr.splitlines() == [
        "camicia: standard input, line 3: deal 'J/x': unknown card 'x' at place 3, "
        "expected - (number card), J, Q, K or A"
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
    code, out, _ = run(capsys, "play", "J--/-J-", "--table")
    lines = out.splitlines()
    assert code == 0
    assert lines[0].split("  ")[0] == "round" and lines[0].endswith("penalty due")
    assert lines[2] == "    1  --      -J-     J       Player B: 1"
    # The start, every card, every collection that is not the last card's; then the reason.
    assert len(lines) == 1 + 9 + 1
    assert lines[-1].startswith("The game never ends")


def test_the_table_in_json_counts_the_cards(capsys):
    document = json.loads(run(capsys, "play", RECORD, "--table", "--json")[1])
    assert document["table"][-1]["round"] == str(document["tricks"] + 1)
    assert document["table"][-1]["hand_a"] == ""


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
    assert available == list(available_kernels())
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
