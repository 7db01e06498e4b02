"""What every command promises, whatever it does: how it ends, and that it prints under any name and locale.

A command is covered by being listed in `LINES`; one that is not listed fails the first test.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hunting import environment, reports_of, small_campaign
from places import ROOT
from running import run

from search.cli import COMMANDS
from search.ledger import Ledger

#: A command line for every command, which succeeds and prints something. LEDGER, DEALS and OUT are files.
LINES = {
    "search": "search sample --ledger LEDGER --deals 6400 --workers 1 --quiet",
    "status": "status LEDGER",
    "best": "best LEDGER",
    "forecast": "forecast --rate 20M",
    "report": "report LEDGER --out OUT.html",
    "plot": "plot LEDGER --kind finds --out OUT.svg",
    "merge": "merge OUT.db LEDGER",
    "census": "census 6:1:1:0:0 --ledger OUT.db --workers 1 --quiet",
    "verify": "verify LEDGER --workers 1 --quiet",
    "export": "export LEDGER",
    "import": "import LEDGER DEALS",
    "ancestors": "ancestors --A/-J-",
    "improve": "improve -",
    "play": "play - --table",
    "view": "view --A/-J- --out OUT.html",
    "rank": "rank -",
    "unrank": "unrank 4:2:0:0:0 3",
    "records": "records",
    "loops": "loops",
    "bench": "bench --rounds 1",
    "info": "info",
    "convert": "convert --A/-J- --to digits",
    "restore": "restore OUT.db --from LEDGER",
    "war": "war --random 100 --seed 1 --quiet",
    "eights": "eights --auto --seed 1",
}

#: Other ways in which commands print.
MORE_LINES = {
    "help": "--help",
    "help of a command": "play --help",
    "version": "--version",
    "status in JSON": "status LEDGER --json",
    "best in CSV": "best LEDGER --format csv",
    "forecast in JSON": "forecast --json --cores 64",
    "report on stdout": "report LEDGER --out -",
    "plot on stdout": "plot LEDGER --kind finds --out - --format png",
    "export in CSV": "export LEDGER --format csv --table imported",
    "play": "play -",
    "play in JSON": "play - --json",
    "improve in JSON": "improve - --json",
    "view on stdout": "view --A/-J- --out -",
    "records in JSON": "records --check --json",
}
ALL_LINES = LINES | MORE_LINES

#: A name that is text, and one that is no UTF-8: both must do under every locale.
NAMES = {"text": "d\u00e9j\u00e0-\u2660".encode(), "no text": b"caf\xe9-\xff"}


def test_every_command_is_listed():
    assert sorted(LINES) == sorted(COMMANDS)
    assert all(line.split()[0] == name for name, line in LINES.items())


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_printed_and_has_an_example(name, capsys):
    code, out, err = run(capsys, name, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"usage: camicia {name} ")
    assert re.search(rf"^  camicia {name}\b", out.partition("examples:\n")[2], re.MULTILINE)


@pytest.mark.parametrize("name", COMMANDS)
def test_an_unknown_option_is_one_line_that_quotes_it(name, capsys):
    code, out, err = run(capsys, *LINES[name].split(), "--unheard-of")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("camicia ") and "--unheard-of" in err and "--help" in err


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A small ledger with others' deals, which the commands may change copies of."""
    path = tmp_path_factory.mktemp("sound") / "hunt.db"
    with Ledger(path, "create") as ledger:
        ledger.commit(ledger.enter(small_campaign()), reports_of(small_campaign(), range(2)))
    return path


@pytest.fixture
def outcomes(sound, tmp_path):
    """Runs command lines and returns the exit code, stdout and stderr of each by its name."""

    def run(lines, variables=None, name=b"hunt", **case):
        cases = []
        for place, line in enumerate(lines.values()):
            folder = os.fsencode(tmp_path / str(place))
            shutil.rmtree(folder, ignore_errors=True)
            os.mkdir(folder)
            shutil.copy(sound, os.path.join(folder, name + b".db"))
            for file in (name + b".txt", b"stdin"):
                Path(os.fsdecode(os.path.join(folder, file))).write_text("--A/-J-\n")
            words = []
            for word in line.encode().split():
                for mark, ending in ((b"LEDGER", b".db"), (b"DEALS", b".txt"), (b"OUT", b"-out")):
                    word = word.replace(mark, name + ending)
                words.append(word.decode("latin-1"))
            # What is not printed to a file leaves an empty one.
            open(os.path.join(folder, b"stdout"), "wb").close()
            cases.append({"words": words, "cwd": folder.decode("latin-1"), **case})
        done = subprocess.run(
            [sys.executable, str(ROOT / "tests" / "forking.py")],
            input=json.dumps(cases),
            capture_output=True,
            text=True,
            env=environment() | (variables or {}),
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        return dict(zip(lines, map(tuple, json.loads(done.stdout)), strict=True))

    return run


def test_what_is_printed_goes_to_standard_output_and_is_no_failure(outcomes):
    for name, (code, out, err) in outcomes(ALL_LINES).items():
        assert (code, err) == (0, "") and out, (name, err)


def test_a_closed_pipe_ends_a_command_quietly_as_it_ends_cat(outcomes):
    for name, (code, _, err) in outcomes(ALL_LINES, stdout="closed pipe").items():
        assert (code, err) == (-signal.SIGPIPE, ""), (name, err)


def test_a_full_disk_under_standard_output_is_one_line_and_a_failure(outcomes):
    for name, (code, _, err) in outcomes(ALL_LINES, stdout="full").items():
        assert code == 1 and err.count("\n") == 1, (name, err)
        assert err.startswith("camicia: output: ") and "No space left on device" in err, (name, err)


@pytest.mark.parametrize("moment", ["run", "print"])
def test_ctrl_c_ends_a_command_with_130_and_no_word(outcomes, moment):
    # Tables of CSV are printed by compiled code, which cannot be interrupted at a line of its own.
    lines = {name: line for name, line in ALL_LINES.items() if "--" not in line[:2] and "csv" not in line}
    lines.pop("help of a command")
    for name, (code, _, err) in outcomes(lines, interrupt=moment).items():
        assert (code, err) == (130, ""), (name, code, err)


#: What cannot print every character: streams, and a whole locale.
LOCALES = {
    "ascii": {"encoding": "ascii"},
    "latin-1": {"encoding": "latin-1"},
    "strict UTF-8": {"encoding": "utf-8"},
    "C": {"variables": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}},
}


@pytest.mark.parametrize(
    ("name", "locale"),
    [
        ("text", "ascii"),
        ("text", "latin-1"),
        ("text", "C"),
        ("no text", "strict UTF-8"),
        ("no text", "C"),
    ],
)
def test_any_file_name_is_printed_under_any_locale(outcomes, locale, name):
    lines = {line: text for line, text in ALL_LINES.items() if "LEDGER" in text or "OUT" in text}
    # It names no file unless something is wrong, and starts workers.
    del lines["verify"]
    # The same with a folder that is not there.
    missing = {f"{line}, missing": text.replace("LEDGER", "OUT/LEDGER") for line, text in lines.items()}
    missing["import, missing"] = "import LEDGER OUT/DEALS"
    found = outcomes(lines | missing, name=NAMES[name], **LOCALES[locale])
    for line, (code, out, err) in found.items():
        if line in lines or "LEDGER" not in missing[line]:
            assert (code, err) == (0, "") and out, (line, err)
        else:
            assert code == 2 and err.count("\n") == 1, (line, err)


@pytest.mark.parametrize("name", NAMES)
def test_where_imported_deals_came_from_is_kept_under_any_name(sound, tmp_path, name):
    folder = os.fsencode(tmp_path)
    ledger, deals = (os.path.join(folder, NAMES[name] + ending) for ending in (b".db", b".txt"))
    shutil.copy(sound, ledger)
    Path(os.fsdecode(deals)).write_text("J--/-J-\n")
    camicia = [sys.executable, "-m", "search"]
    subprocess.run([*camicia, "import", ledger, deals], env=environment(), check=True, capture_output=True)
    done = subprocess.run(
        [*camicia, "export", ledger], env=environment(), check=True, capture_output=True
    ).stdout
    document = json.loads(done)
    (kept,) = document["imported"]
    text = os.fsdecode(deals) if name == "text" else deals.decode(errors="backslashreplace")
    assert kept["source"] == text
    assert document["summary"]["ledger"] == text.removesuffix(".txt") + ".db"
