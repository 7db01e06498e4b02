"""What is imported when: a command waits for nothing that it does not need."""

import json
import subprocess
import sys

import pytest
from hunting import environment

#: What only a hunt needs.
HEAVY = {
    "concurrent.futures.process",
    "multiprocessing",
    "search.driver",
    "search.ledger",
    "search.session",
    "search.strategies",
    "search.workers",
    "sqlite3",
    "tqdm",
}


def imported(*lines):
    """The modules that a new process has imported after it has run some lines."""
    text = "\n".join(
        (*lines, "import json, sys", "sys.stderr.write('\\n' + json.dumps(sorted(sys.modules)))")
    )
    done = subprocess.run(
        [sys.executable, "-c", text], env=environment(), capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


def after(*words):
    """The modules that a command has imported when it is done."""
    lines = ("from search.cli import main", f"assert main({list(words)!r}) == 0")
    return imported(*lines)


@pytest.mark.parametrize(
    "words",
    [
        ("play", "J--/-J-"),
        ("rank", "J--/-J-"),
        ("unrank", "4:1:1:0:0", "2"),
        ("records",),
        ("loops",),
        ("convert", "J--/-J-"),
        ("view", "J--/-J-", "--out", "-"),
        ("ancestors", "J--/-J-"),
    ],
    ids=lambda words: words[0],
)
def test_commands_about_deals_import_nothing_of_a_hunt(words):
    assert not after(*words) & HEAVY


@pytest.mark.parametrize("words", [("--help",), ("--version",)])
def test_help_imports_no_command(words):
    found = after(*words)
    assert not {name for name in found if name.startswith("search.commands")} and not found & HEAVY


def test_a_command_imports_no_other():
    found = {name for name in after("info") if name.startswith("search.commands.")}
    assert found == {"search.commands.info"}


def test_workers_import_no_ledger():
    found = imported("import search.workers.process", "import search.workers.unit")
    assert not {
        name for name in found if name.startswith(("search.ledger", "search.report", "sqlite3", "tqdm"))
    }


def test_the_package_leaves_the_rare_for_later():
    found = imported("import camicia")
    rare = ("search", "numpy.random", "concurrent", "camicia.deals.sampling", "camicia.ancestry")
    assert not {name for name in found if name.startswith(rare)}


def test_what_is_left_for_later_is_there():
    lines = ("import camicia, search", "camicia.random_deals(camicia.STANDARD, 1, seed=1)", "search.hunt")
    assert "search.session" in imported(*lines)
    for package in ("camicia", "search"):
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                f"import {package}; [getattr({package}, name) for name in dir({package})]",
            ],
            env=environment(),
        )
        assert done.returncode == 0
