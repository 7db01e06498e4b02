"""What commands do on a terminal: pages and colours, and a status that is watched."""

import io
import os
import re
import signal
import subprocess
import sys
from collections import deque

import pytest
from hunting import command, environment, small_campaign
from running import on_a_terminal, read_until

from camicia import Deal
from search.cli_support.progress import Display
from search.cli_support.watching import WINDOW, status_lines
from search.commands.play import table_lines
from search.driver import Progress
from search.ledger import Ledger
from search.workers import run_unit

ESCAPE = re.compile(r"\x1b\[[0-9;]*[mKJH]")


def test_a_table_is_coloured_on_a_terminal_and_otherwise_the_same(tmp_path):
    process, master = on_a_terminal("play", "J--/-J-", "--table", cwd=tmp_path, PAGER="cat")
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
    assert "paged a b 5" in read_until(master, "paged.*\n")
    assert process.wait() == 0


def test_leaving_the_pager_early_is_no_error(tmp_path):
    record = "---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---"
    process, master = on_a_terminal("play", record, "--table", cwd=tmp_path, PAGER="head -n 2")
    shown = read_until(master, "penalty due")
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


@pytest.mark.parametrize("text", ["J--/-JA", "AKQJ/----", "-/-"])
def test_colours_change_no_letter_and_no_column(text):
    deal = Deal.parse(text)
    lines = [ESCAPE.sub("", line) for line in table_lines(deal, colour=True)]
    assert lines == list(table_lines(deal))


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


def test_the_present_rate_is_that_of_the_last_minute(ledger):
    seen = deque()
    assert "at present" not in "\n".join(status_lines(ledger, seen, 100.0))
    assert status_lines(ledger, seen, 102.0)[-1] == "at present   nothing new, over 2 s"
    commit(ledger, 1)
    assert status_lines(ledger, seen, 104.0)[-1] == "at present   800/s, over 4 s"
    for second in range(106, 200, 2):
        status_lines(ledger, seen, float(second))
    assert status_lines(ledger, seen, 200.0)[-1] == "at present   nothing new, over 1 min 0 s"
    assert len(seen) == WINDOW / 2 + 1


def test_a_status_is_watched_until_ctrl_c(ledger, tmp_path):
    process, master = on_a_terminal("status", ledger, "--watch", cwd=tmp_path)
    try:
        assert "3,200 in 1 unit" in read_until(master, "checksum.*\n")
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
