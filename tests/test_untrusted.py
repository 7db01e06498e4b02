"""A ledger may come from anyone: whatever is in it, every command ends with one of our exit codes."""

import os
import random
import re
import shutil
import signal
from contextlib import contextmanager

import pytest
from tampering import CAMPAIGNS, Inline, make_ledgers, tamper

from search.cli import main

#: Tampered ledgers that the suite tries, and seconds that one command may take with one of them.
CASES = int(os.environ.get("CAMICIA_TAMPERED", "240"))
PATIENCE = 60

COMMANDS = (
    ("status", "LEDGER"),
    ("status", "LEDGER", "--json"),
    ("best", "LEDGER"),
    ("best", "LEDGER", "--json", "--loops"),
    ("report", "LEDGER", "--out", "OUT"),
    ("verify", "LEDGER", "--fraction", "1", "--quiet"),
    ("verify", "LEDGER", "--unit", "1", "--quiet"),
    ("merge", "OUT", "LEDGER"),
    ("merge", "OUT", "LEDGER", "SOUND"),
    ("export", "LEDGER", "--format", "json"),
    ("export", "LEDGER", "--format", "csv", "--table", "units"),
    ("search", "STRATEGY", "--ledger", "LEDGER", "--deals", "9000", "--workers", "1", "--quiet"),
    (
        *("search", "loops", "--from", "LEDGER", "--ledger", "OUT", "--deck", "12:2:2:0:0"),
        *("--deals", "1000", "--unit-size", "1000", "--workers", "1", "--quiet"),
    ),
    ("import", "LEDGER", "DEALS"),
)


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return make_ledgers(tmp_path_factory.mktemp("sound"))


@contextmanager
def patience(seconds):
    """Fail whatever takes longer."""

    def give_up(*_):
        raise AssertionError(f"took more than {seconds} s")

    old = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)


def outcome(words, capsys):
    """Exit code and messages of a command."""
    with patience(PATIENCE):
        code = main(words)
    return code, capsys.readouterr()


@pytest.fixture(autouse=True)
def here(monkeypatch, tmp_path):
    """Units are done in this process, and nothing is left elsewhere."""
    monkeypatch.setattr("search.commands.verify.LocalPool", Inline)
    monkeypatch.setattr("search.commands.search.LocalPool", Inline)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("strategy", CAMPAIGNS)
def test_every_command_is_content_with_a_sound_ledger(sound, tmp_path, strategy, capsys):
    shutil.copy(sound[strategy], tmp_path / "hunt.db")
    (tmp_path / "deals.txt").write_text("J/-\n")
    for words in COMMANDS:
        if words[-1] == "SOUND":
            continue
        code, told = outcome(worded(words, tmp_path, sound, strategy), capsys)
        # The unit that was set aside is done by `search` only.
        assert code == 0, told.err


@pytest.mark.parametrize("part", range(8))
def test_a_tampered_ledger_is_told_of_in_words(sound, tmp_path, capsys, part):
    generator = random.Random(part)
    (tmp_path / "deals.txt").write_text("J/-\n")
    for case in range(-(-CASES // 8)):
        strategy = generator.choice(list(CAMPAIGNS))
        for item in tmp_path.glob("hunt.db*"):
            item.unlink()
        shutil.copy(sound[strategy], tmp_path / "hunt.db")
        done = tamper(tmp_path / "hunt.db", generator)
        for words in generator.sample(COMMANDS, 3):
            what = f"part {part}, case {case}, {strategy}: {done}: {' '.join(words)}"
            try:
                code, told = outcome(worded(words, tmp_path, sound, strategy), capsys)
            except (Exception, SystemExit) as error:
                raise AssertionError(f"{what}: {error!r}") from error
            assert code in (0, 1, 2, 3), what
            if code in (1, 2):
                assert re.match(r"camicia: |Incomplete|No unit|Unit|unit|Set", told.err), (
                    f"{what}: {told.err}"
                )
            assert "Traceback" not in told.err and len(told.err) < 20_000, f"{what}: {told.err[:2000]}"


def worded(words, folder, sound, strategy):
    """The words of a command, with the files they stand for."""
    names = {
        "LEDGER": "hunt.db",
        "OUT": "out",
        "SOUND": str(sound[strategy]),
        "DEALS": "deals.txt",
        "STRATEGY": strategy,
    }
    for item in folder.glob("out*"):
        item.unlink()
    return [names.get(word, word) for word in words]
