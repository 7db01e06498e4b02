"""`camicia search`: interrupted, short of room, resumed; real processes, real files."""

import argparse
import fcntl
import json
import os
import resource
import shlex
import signal
import struct
import subprocess
import termios
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hunting import camicia, command, contents, documented, environment, small_campaign
from processes import GOAL, SIZE, WORDS, gone, needs_proc, start, units, wait_for_units

from search.cli import main, make_parser
from search.commands.search import same_again
from search.strategies import STRATEGIES, Request


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """What the campaign comes to if nothing happens."""
    folder = tmp_path_factory.mktemp("whole")
    done = camicia(*WORDS, *GOAL, "--quiet", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert [path.name for path in folder.iterdir()] == ["sample-12-2-2-0-0.db"]
    return contents(folder / "sample-12-2-2-0-0.db")


@needs_proc
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_commits_what_is_done_and_tells_how_to_go_on(tmp_path, whole, number):
    path = tmp_path / "sample-12-2-2-0-0.db"

    def heed():
        # Whoever runs the tests under nohup or in the background has these ignored, in children too.
        signal.signal(number, signal.SIG_DFL)

    with start(*WORDS, *GOAL, cwd=tmp_path, start_new_session=True, preexec_fn=heed) as process:
        pids = wait_for_units(process, path, 3)
        # As a terminal and `timeout` do it: to the workers too.
        os.killpg(process.pid, number)
        output, errors = process.communicate(timeout=20)
    assert process.returncode == 130, errors
    assert "Interrupted" in errors.decode() and "Traceback" not in errors.decode()
    assert b"checksum" in output
    assert gone(pids)
    assert 3 <= units(path) < 48
    assert [item.name for item in tmp_path.iterdir()] == [path.name]
    assert f"camicia search sample --ledger {path.name}" in errors.decode()
    # The command that it tells goes on.
    assert camicia("search", "sample", "--ledger", path.name, *GOAL, cwd=tmp_path).returncode == 0
    assert contents(path) == whole


def test_a_full_disk_is_a_failure_and_the_same_command_goes_on(tmp_path, whole):
    path = tmp_path / "sample-12-2-2-0-0.db"

    def small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (160_000, 160_000))

    done = camicia(*WORDS, *GOAL, cwd=tmp_path, preexec_fn=small_files)
    assert done.returncode == 1, done.stderr
    assert "cannot be written" in done.stderr and "what was committed stays" in done.stderr
    assert "Traceback" not in done.stderr
    assert 0 < units(path) < 48
    done = camicia(*WORDS, *GOAL, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert contents(path) == whole


def test_the_same_command_goes_on_and_the_goal_may_be_raised(tmp_path, whole):
    path = tmp_path / "sample-12-2-2-0-0.db"
    for goal, expected in ((SIZE, 1), (2 * SIZE + 1, 3), (SIZE, 3)):
        document = documented(*WORDS, "--deals", goal, cwd=tmp_path)
        assert (document["units"], document["run"]["ending"]) == (expected, "complete")
        assert document["deals"] == str(expected * SIZE)
    # What fixes the campaign may be left out.
    document = documented("search", "sample", "--ledger", path.name, *GOAL, cwd=tmp_path)
    assert document["run"]["deals"] == str(45 * SIZE)
    assert contents(path) == whole


def test_machines_share_a_campaign_and_merge_to_the_same(tmp_path, whole):
    for number in (1, 2, 3):
        name = f"{number}.db"
        documented(*WORDS, *GOAL, "--shard", f"{number}/3", "--ledger", name, cwd=tmp_path)
    document = documented("merge", "whole.db", "1.db", "2.db", "3.db", cwd=tmp_path)
    assert document["units"] == 48
    assert contents(tmp_path / "whole.db") == whole
    done = camicia("merge", "again.db", "1.db", "2.db", "1.db", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1) and "there already" in done.stderr
    done = camicia("merge", "1.db", "2.db", cwd=tmp_path)
    assert done.returncode == 2 and "'1.db': exists, expected the name of a new one" in done.stderr


def test_another_campaign_in_the_same_ledger_is_refused_with_the_remedy(tmp_path):
    assert camicia(*WORDS, "--deals", "1", cwd=tmp_path).returncode == 0
    before = contents(tmp_path / "sample-12-2-2-0-0.db")
    for words in (
        ("--seed", "8", "--deck", "12:2:2:0:0"),
        ("--unit-size", "640000", "--deck", "12:2:2:0:0"),
        ("--deck", "28:4:4:4:0", "--ledger", "sample-12-2-2-0-0.db"),
    ):
        done = camicia("search", "sample", *words, cwd=tmp_path)
        assert done.returncode == 2 and done.stderr.count("\n") == 1
        assert "holds another campaign" in done.stderr and "choose another --ledger" in done.stderr
    assert contents(tmp_path / "sample-12-2-2-0-0.db") == before


def test_seeds_are_random_unless_given(tmp_path):
    seeds = {
        documented(
            "search", "sample", "--deck", "4:2:0:0:0", "--deals", 1, "--ledger", f"{n}.db", cwd=tmp_path
        )["campaigns"][0]["seed"]
        for n in range(2)
    }
    assert len(seeds) == 2


def test_a_time_is_kept(tmp_path):
    started = time.monotonic()
    document = documented("search", "--deck", "italian", "--for", "2s", cwd=tmp_path)
    assert document["run"]["ending"] == "time" and document["deck"] == "28:4:4:4:0"
    assert int(document["deals"]) > 0
    assert time.monotonic() - started < 30


def test_a_run_too_short_for_a_unit_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("search.workers.pacing.LONGEST_WAIT", 0.0)
    monkeypatch.chdir(tmp_path)
    words = ("search", "sample", "--seed", "7", "--unit-size", "3G", "--for", "0.1s", "--quiet")
    assert main(words) == 0
    # A whole number of shuffles.
    errors = capsys.readouterr().err
    assert errors.startswith("No unit of 3,000,001,056 deals was finished in ")
    assert "--unit-size" in errors


def test_a_run_shorter_than_a_unit_does_one(tmp_path):
    document = documented(*WORDS, "--for", "0.01s", cwd=tmp_path)
    assert document["run"]["ending"] == "time" and document["units"] >= 1
    assert document["campaigns"][0]["runs"][0]["seconds"] == round(document["run"]["seconds"])


def test_the_largest_unit_size_is_taken_however_many_deals_a_shuffle_serves():
    given = Request(unit_size=10**12)
    for name in ("sample", "loops"):
        assert 0.999e12 < STRATEGIES[name].plan(given).unit_size <= 10**12


def test_no_number_whatever_it_is_ends_in_anything_but_a_message():
    """Every option of every command that reads its value is given values that are hard to read."""
    parser = make_parser()
    parsers, read = [parser], 0
    while parsers:
        for action in parsers.pop()._actions:
            if isinstance(action, argparse._SubParsersAction):
                parsers += dict.fromkeys(action.choices.values())
            elif action.type not in (None, str, Path):
                for text in ("1e1000000000", "-1e1000000000", "1e-999999999", "9" * 5000, "nan", "inf", ""):
                    read += 1
                    # What argparse turns into one line; anything else would be a traceback.
                    with suppress(argparse.ArgumentTypeError, TypeError, ValueError):
                        action.type(text)
    assert read > 200


def test_a_ledger_tells_strategy_deck_and_seed(tmp_path):
    assert camicia(*WORDS, "--deals", SIZE, "--ledger", "a ledger.db", cwd=tmp_path).returncode == 0
    document = documented("search", "--ledger", "a ledger.db", "--deals", 2 * SIZE, cwd=tmp_path)
    assert (document["strategy"], document["units"], document["campaigns"][0]["seed"]) == ("sample", 2, "7")
    # Rounded to whole shuffles of the ledger's deck, not of the usual one.
    words = ("search", "--ledger", "a ledger.db", "--deals", 1, "--unit-size", SIZE - 1)
    assert documented(*words, cwd=tmp_path)["units"] == 2
    for words, message in (
        (("climb",), "(strategy sample, not climb)"),
        (("--seed", "8"), "(seed 7, not 8)"),
        (("--least-tricks", "300"), "(no least tricks, not 300)"),
    ):
        done = camicia("search", *words, "--ledger", "a ledger.db", "--deals", 1, cwd=tmp_path)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1) and message in done.stderr


def test_the_command_that_goes_on_is_for_a_shell_and_has_what_it_needs():
    parser = make_parser()
    campaign = small_campaign()

    def again(*words, campaigns=1):
        arguments = parser.parse_args(["search", "sample", *words])
        text = same_again(arguments, campaign, Path("my hunt's.db"), campaigns)
        assert shlex.split(text)[:5] == ["camicia", "search", "sample", "--ledger", "my hunt's.db"]
        # It can be read again.
        parser.parse_args(shlex.split(text)[1:])
        return shlex.split(text)[5:]

    assert again() == again("--for", "10m") == []
    words = ["--deals", "1000000000", "--shard", "2/3", "--workers", "2", "--dask", "tcp://10.0.0.1:8786"]
    words += ["--on-record", 'echo "$CAMICIA_DEAL"', "--hang-after", "90s", "--quiet"]
    assert again(*words) == words
    assert again(campaigns=2) == ["--seed", "7"]


def test_one_processor_is_one(monkeypatch, capsys):
    monkeypatch.setattr("search.commands.info.usable_cpus", lambda: 1)
    assert main(["info"]) == 0
    assert "1 usable processor\n" in capsys.readouterr().out


def test_small_loops_are_not_the_remedy_where_there_are_none(tmp_path):
    words = ("search", "loops", "--deck", "2:1:0:0:0", "--for", "1s")
    done = camicia(*words, "--start", "small", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "random play met no loop, expected another --seed" in done.stderr


def test_nobody_to_tell_is_no_reason_to_end(tmp_path, whole):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command(*WORDS, *GOAL, "--ledger", "deaf.db"),
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=full,
        )
    assert done.returncode == 0
    assert contents(tmp_path / "deaf.db") == whole


def test_progress_is_plain_lines_where_there_is_no_terminal(tmp_path):
    done = camicia(*WORDS, "--deals", 8 * SIZE, cwd=tmp_path)
    assert done.stderr.startswith("sample 12:2:2:0:0: ") and "\r" not in done.stderr
    assert " deals, " in done.stderr and "longest " in done.stderr


@needs_proc
def test_progress_is_a_bar_on_a_terminal(tmp_path):
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 24, 120, 0, 0))
    process = subprocess.Popen(
        command(*WORDS, *GOAL), cwd=tmp_path, env=environment(), stdout=subprocess.DEVNULL, stderr=theirs
    )
    os.close(theirs)
    shown = b""
    with process:
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:
                break
            if not part:
                break
            shown += part
    os.close(ours)
    assert process.returncode == 0
    assert b"%" in shown and b"\r" in shown and b"deals, " in shown and b"left" in shown


def test_two_hunts_on_one_ledger_are_refused(tmp_path):
    path = tmp_path / "sample-12-2-2-0-0.db"
    with start(*WORDS, cwd=tmp_path) as process:
        wait_for_units(process, path)
        done = camicia(*WORDS, cwd=tmp_path)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    assert done.returncode == 2 and f"process {process.pid}" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--for", "banana"), "time 'banana': expected one such as 90s"),
        (("--for", "0"), "time '0': must be longer than zero"),
        (("--for", "-5m"), "time '-5m': expected"),
        (("--workers", "0"), "number '0': expected a whole number from 1 up"),
        (("--workers", "two"), "number 'two'"),
        (("--workers", "1e7"), "number '1e7': expected a whole number from 1 to 1,024"),
        (("--unit-size", "1e1000000000"), "number '1e1000000000': expected a whole number"),
        (("--unit-size", "1e13"), "number '1e13': expected a whole number from 1 to 1,000,000,000,000"),
        (("--for", "9" * 400 + "d"), "expected at most 10000d"),
        (("--deals", "1.5"), "number '1.5'"),
        (("--deals", "nan"), "number 'nan'"),
        (("--seed", "-1"), "seed '-1': expected"),
        (("--seed", str(2**64)), f"seed '{2**64}': expected"),
        (("--deck", "36:4:4:4"), "deck '36:4:4:4': expected five counts"),
        (("--deck", "0:0:0:0:0"), "has 0 cards"),
        (("--shard", "4/3"), "shard '4/3': expected I/N"),
        (("--ledger", "no/where.db"), "'no/where.db': its folder does not exist"),
        (("--ledger", "."), "ledger '.': cannot be read"),
        (("--ledger", "/dev/null"), "ledger '/dev/null': not a regular file"),
        (("--deck", "20000:4:4:4:4"), "has 20,016 cards; hunts take decks of up to 256"),
        (("--colour", "red"), "--colour"),
    ],
)
def test_bad_input_is_one_line_that_quotes_it(tmp_path, words, message):
    done = camicia("search", "sample", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr and done.stderr.count("\n") == 1 and done.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_bad_ledgers_are_one_line_that_names_them(tmp_path):
    (tmp_path / "note.db").write_text("my notes")
    for words in (("search", "sample", "--ledger"), ("status",), ("best",), ("merge", "out.db")):
        done = camicia(*words, "note.db", cwd=tmp_path)
        assert done.returncode == 2
        assert "ledger 'note.db': not a ledger" in done.stderr and done.stderr.count("\n") == 1
    assert [item.name for item in tmp_path.iterdir()] == ["note.db"]


def test_documents_have_the_fields_of_the_contracts(tmp_path):
    run = documented(*WORDS, "--deals", 4 * SIZE, cwd=tmp_path)
    status = documented("status", "sample-12-2-2-0-0.db", cwd=tmp_path)
    assert status == {name: value for name, value in run.items() if name != "run"}
    assert status["deals"] == str(4 * SIZE) and int(status["loops"]) > 0
    assert sum(map(int, status["histogram"].values())) == 4 * SIZE - int(status["loops"])
    (campaign,) = status["campaigns"]
    assert campaign["seed"] == "7" and campaign["checksum"] == status["checksum"]
    assert int(campaign["checksum"], 16) >= 0 and campaign["mean_cards_error"] > 0
    for by in ("cards", "tricks"):
        words = ("best", "sample-12-2-2-0-0.db", "--by", by, "--top", "3")
        document = documented(*words, cwd=tmp_path)
        assert document.keys() == {"finds"} and len(document["finds"]) == 3
        lengths = [(-find[by], int(find["rank"])) for find in document["finds"]]
        assert lengths == sorted(lengths)
        assert document["finds"][0] == status["longest"][by]
        first = document["finds"][0]
        assert first.keys() >= {"rank", "deal", "deck", "status", "winner", "cards", "tricks"}
        assert isinstance(first["rank"], str) and isinstance(first["cards"], int)
        played = json.loads(camicia("play", first["deal"], "--json", cwd=tmp_path).stdout)
        assert (played["cards"], played["winner"]) == (first["cards"], first["winner"])
        table = camicia(*words, cwd=tmp_path).stdout.splitlines()
        assert len(table) == 4 and first["deal"] in table[1]
        rows = camicia(*words, "--format", "csv", cwd=tmp_path).stdout.splitlines()
        assert rows[0].startswith("rank,deal,deck,status,winner,cards,tricks") and first["deal"] in rows[1]
    loops = documented("best", "sample-12-2-2-0-0.db", "--loops", cwd=tmp_path)["finds"]
    assert loops and all(find["status"] == "loop" and find["cycle_cards"] > 0 for find in loops)


def test_a_reader_that_has_seen_enough_is_no_failure_with_a_traceback(tmp_path):
    documented(*WORDS, "--deals", SIZE, cwd=tmp_path)
    words = [*command("best", "sample-12-2-2-0-0.db", "--top", "20"), "--format", "json"]
    process = subprocess.Popen(
        words, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.close()
    with process:
        assert process.stderr.read() == b""


def test_help_teaches_with_examples(tmp_path):
    for words in (("search",), ("search", "sample"), ("status",), ("best",), ("merge",)):
        done = camicia(*words, "--help", cwd=tmp_path)
        assert done.returncode == 0 and "examples:\n  camicia " in done.stdout
    assert "--for TIME" in camicia("search", "sample", "--help", cwd=tmp_path).stdout
