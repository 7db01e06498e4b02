"""What commands do on a terminal: pages and colours, and a status that is watched."""

import io
import os
import re
import signal
import subprocess
import sys

import pytest
from examples_of_deals import RECORD
from hunting import command, environment, small_campaign
from running import on_a_terminal, read_until

from camicia import Deal, simulate
from search.cli_support.game_table import card_lines, trick_lines
from search.cli_support.progress import Display, progress_text
from search.cli_support.watching import screen, status_lines
from search.driver import Progress
from search.ledger import Ledger, Run
from search.workers import run_unit

ESCAPE = re.compile(r"\x1b\[[0-9;]*[mKJH]")


def test_a_table_is_coloured_on_a_terminal_and_otherwise_the_same(tmp_path):
    process, master = on_a_terminal("play", "J--/-J-", "--table", cwd=tmp_path, PAGER="cat", COLUMNS="120")
    shown = read_until(master, "never ends.*\n").replace("\r", "")
    assert process.wait() == 0 and "\x1b[1;32mJ\x1b[0m" in shown
    plain = subprocess.run(
        command("play", "J--/-J-", "--table"), capture_output=True, text=True, env=environment(), check=True
    ).stdout
    assert "\x1b" not in plain and ESCAPE.sub("", shown) == plain


def test_no_colour_where_none_is_wanted(tmp_path):
    process, master = on_a_terminal("play", "J--/-J-", "--table", cwd=tmp_path, PAGER="cat", NO_COLOR="1")
    assert "\x1b" not in read_until(master, "never ends.*\n")
    assert process.wait() == 0


def test_a_table_goes_through_the_pager(tmp_path):
    pager = tmp_path / "pager"
    pager.write_text(
        f"#!{sys.executable}\nimport sys\nprint('paged', sys.argv[1], len(sys.stdin.readlines()))\n"
    )
    pager.chmod(0o755)
    process, master = on_a_terminal("play", "J/-", "--table", cwd=tmp_path, PAGER=f"{pager} 'a b'")
    assert "paged a b 3" in read_until(master, "paged.*\n")
    assert process.wait() == 0


def test_leaving_the_pager_early_is_no_error(tmp_path):
    process, master = on_a_terminal("play", RECORD, "--table", cwd=tmp_path, PAGER="head -n 2")
    shown = read_until(master, "cards laid")
    assert process.wait(timeout=60) == 0 and "Traceback" not in shown


def test_a_missing_pager_is_done_without(tmp_path):
    process, master = on_a_terminal("play", "J/-", "--table", cwd=tmp_path, PAGER="no-such-pager")
    assert "Player A wins" in read_until(master, "wins.*\n")
    assert process.wait() == 0


def test_a_pager_that_is_no_command_is_bad_input_in_one_line(tmp_path, capfd):
    process, master = on_a_terminal("play", "J/-", "--table", cwd=tmp_path, PAGER="'x")
    assert read_until(master, "wins") == "" and process.wait() == 2
    assert capfd.readouterr().err == (
        'camicia: PAGER "\'x": not a command (No closing quotation); unset it, or set it to less\n'
    )


def test_whoever_is_waited_for_at_a_terminal_is_told(tmp_path, capfd):
    process, master = on_a_terminal("play", "J/-", "-", "--table", cwd=tmp_path)
    assert "Player A wins" in read_until(master, "wins.*\n")
    os.write(master, b"-/J\n")
    assert "Player B wins" in read_until(master, "wins.*\n")
    # Ctrl-D ends what is typed in.
    os.write(master, b"\x04")
    assert process.wait(timeout=60) == 0
    error = capfd.readouterr().err
    assert error.count("\n") == 1 and "waiting for deals on standard input" in error


#: What is shown on terminals of several widths.
WIDE = [
    ("status", "hunt.db"),
    ("best", "hunt.db"),
    ("loops", "--deck", "standard"),
    ("records",),
    ("--help",),
    ("info",),
    ("convert", "--list"),
    ("ancestors", RECORD),
    ("play", RECORD, "--table"),
    ("play", RECORD, "--cards", "--from", "1100"),
    ("play", "J--/-J-", "--table"),
]


@pytest.mark.parametrize("columns", [50, 80])
def test_nothing_is_wider_than_the_terminal_and_nothing_is_lost(ledger, tmp_path, columns):
    for words in WIDE:
        process, master = on_a_terminal(*words, cwd=tmp_path, PAGER="cat", COLUMNS=str(columns))
        lines = ESCAPE.sub("", read_until(master, "(?!)")).splitlines()
        assert process.wait() == 0
        assert max(map(len, lines)) <= columns, words
        if words[1:2] == ("hunt.db",) or words[0] in ("loops", "records"):
            plain = subprocess.run(
                command(*words), capture_output=True, text=True, env=environment(), cwd=tmp_path, check=True
            ).stdout
            assert sorted("".join("".join(lines).split())) == sorted("".join(plain.split())), words


def test_lines_in_a_pipe_are_as_long_as_they_are(ledger, tmp_path):
    for words in WIDE:
        narrow, wide = (
            subprocess.run(
                command(*words),
                stdout=subprocess.PIPE,
                env=environment() | {"COLUMNS": columns},
                cwd=tmp_path,
                check=True,
            ).stdout
            for columns in ("30", "300")
        )
        assert narrow == wide, words


PROGRESS = Progress(
    deals=12_345_678,
    goal=None,
    run_deals=1_000_000,
    rate=2.5e6,
    cards=6_913,
    tricks=960,
    loops=1_234,
    elapsed=60.0,
    left=540.0,
    note="123 trees climbed",
)


@pytest.mark.parametrize(
    ("room", "text"),
    [
        (
            None,
            "12,345,678 deals, 2.50 M/s, longest 6,913 cards, 960 tricks, 1,234 loops, 123 trees climbed, "
            "9 min 0 s left",
        ),
        (80, "12,345,678 deals, 2.50 M/s, longest 6,913 cards, 960 tricks, 9 min 0 s left"),
        (50, "2.50 M/s, longest 6,913 cards, 9 min 0 s left"),
        (5, "longest 6,913 cards"),
    ],
)
def test_where_a_run_stands_is_told_in_the_room_there_is(room, text):
    assert progress_text(PROGRESS, room) == text


class GoneTerminal(io.TextIOWrapper):
    """A terminal that nothing can be written to."""

    def isatty(self):
        return True


def test_a_terminal_that_is_gone_does_not_end_a_hunt(monkeypatch):
    progress = Progress(
        deals=1,
        goal=None,
        run_deals=1,
        rate=1.0,
        cards=0,
        tricks=0,
        loops=0,
        elapsed=1.0,
        left=9.0,
        note="",
    )
    with open("/dev/full", "wb", buffering=0) as full, GoneTerminal(full, write_through=True) as terminal:
        monkeypatch.setattr("sys.stderr", terminal)
        with Display("hunt") as display:
            display.update(progress)
            display.announce("a record")
            display.update(progress)
        monkeypatch.undo()
        # It was given up: what is written to it goes nowhere now, and fails no more.
        assert full.write(b"x") == 1


@pytest.mark.parametrize("text", ["J--/-JA", "AKQJ/----", "-/-"])
def test_colours_change_no_letter_and_no_column(text):
    deal = Deal.parse(text)
    result = simulate(deal)
    for lines_of in (card_lines, trick_lines):
        for width in (None, 30):
            lines = [ESCAPE.sub("", line) for line in lines_of(deal, result, 1, width, colour=True)]
            assert lines == list(lines_of(deal, result, 1, width))


@pytest.fixture
def ledger(tmp_path):
    path = tmp_path / "hunt.db"
    with Ledger(path, "create") as ledger:
        entry = ledger.enter(small_campaign())
        ledger.commit(entry, [run_unit(entry.campaign, 0)])
    return path


def commit(path, unit):
    with Ledger(path, "write") as ledger:
        (entry,) = ledger.campaigns()
        ledger.commit(entry, [run_unit(entry.campaign, unit)])


def test_a_hunt_is_shown_as_it_is_now(ledger):
    with Ledger(ledger, "write") as opened:
        (entry,) = opened.campaigns()
        run = opened.begin_run(entry, 3, "here")
        opened.commit(entry, [run_unit(entry.campaign, 1)], run=Run(run, 1.0, 5))
        started = opened.runs(entry)[0]["started"]
        lines = status_lines(ledger, started + 40.0)
        (now,) = (line for line in lines if line.startswith("now"))
        assert re.fullmatch(r"now +(80|160)/s, 0\.0(25|5) units a second on 5 workers", now)
        # What was done before counts for the day, in the time for which the hunt was on.
        assert any(re.match(r"last day +(80|160)/s, .* on for 40 s", line) for line in lines)
        (now,) = (line for line in status_lines(ledger, started + 4000.0) if line.startswith("now"))
        assert now == "now          nothing new on 5 workers"
    assert "now          no hunt writes this ledger" in status_lines(ledger)


def test_one_screen_is_enough(ledger):
    text = screen([f"line {number} " + "x" * 100 for number in range(40)], lambda: (50, 10))
    lines = ESCAPE.sub("", text).split("\n")
    assert len(lines) == 10 and lines[-1] == "…" and {len(line) for line in lines[:-1]} == {50}
    for columns, rows in ((80, 24), (50, 8), (1, 1), (0, 0)):
        lines = ESCAPE.sub("", screen(status_lines(ledger), lambda size=(columns, rows): size)).split("\n")
        assert len(lines) <= max(rows, 1) and all(len(line) <= max(columns, 1) for line in lines)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_terminal_is_as_it_was_afterwards(ledger, tmp_path, number):
    process, master = on_a_terminal("status", ledger, "--watch", cwd=tmp_path)
    shown = read_until(master, "checksum.*")
    assert shown.startswith("\x1b[?1049h\x1b[?25l")
    process.send_signal(number)
    assert read_until(master, r"\x1b\[\?1049l").endswith("\x1b[?25h\x1b[?1049l")
    assert process.wait(timeout=60) == 0


def test_a_status_is_watched_until_ctrl_c(ledger, tmp_path):
    process, master = on_a_terminal("status", ledger, "--watch", cwd=tmp_path)
    try:
        assert "3,200 in 1 unit" in read_until(master, "checksum.*")
        commit(ledger, 1)
        assert "6,400 in 2 units" in read_until(master, "6,400")
    finally:
        process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 0


def test_a_watched_status_is_plain_in_a_pipe(ledger, tmp_path):
    process = subprocess.Popen(
        command("status", ledger, "--watch"),
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
        cwd=tmp_path,
    )
    lines = [process.stdout.readline() for _ in range(3)]
    process.send_signal(signal.SIGINT)
    rest = process.communicate(timeout=60)[0]
    assert process.returncode == 0 and "\x1b" not in "".join(lines) + rest


def test_watching_what_is_not_there_is_bad_input(tmp_path):
    done = subprocess.run(
        command("status", "none.db", "--watch"),
        capture_output=True,
        text=True,
        env=environment(),
        cwd=tmp_path,
    )
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
