"""Every example of every help text runs, in the order in which it is shown."""

import doctest
import shutil

import pytest
import shown
from examples_of_deals import CONTEST
from shown import Shell, examples_of_help, parsers, why_not_run

from search.cli import COMMANDS

#: Examples begin where somebody may have come to: in a folder with the ledgers that these make. The first
#: is what help calls a hunt, and its ledger has the name that the hunt gives it.
BEFORE = [
    "camicia search --deals 2e5 --unit-size 1e5 --seed 1",
    "cp climb-36-4-4-4-4.db climb-36-4-4-4-4.db.backup",
    "cp climb-36-4-4-4-4.db copy.db",
    "camicia search sample --deals 2000 --unit-size 1000 --seed 1 --ledger monday.db",
    "camicia search sample --deals 2000 --unit-size 1000 --seed 2 --ledger tuesday.db",
    "mkdir results",
    "camicia search sample --deals 2000 --unit-size 1000 --seed 3 --ledger results/wednesday.db",
    "camicia search enumerate --deck 8:1:1:1:1 --shard 1/3 --ledger shard-1.db",
    "camicia search enumerate --deck 8:1:1:1:1 --shard 2/3 --ledger shard-2.db",
    "camicia search enumerate --deck 8:1:1:1:1 --shard 3/3 --ledger shard-3.db",
]

#: What a page needs that is not always installed.
NEEDS = {"camicia plot": "matplotlib"}

PAGES = {name: parser for name, parser in parsers().items() if "examples:" in (parser.description or "")}


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """A folder with ledgers and a file of deals."""
    folder = tmp_path_factory.mktemp("begun")
    shell = Shell(folder)
    for command in BEFORE:
        shell.run(command)
    (folder / "deals.txt").write_text("J--/-JA\n---A/QK--\n")
    (folder / "contest.txt").write_text(CONTEST)
    return folder


def test_every_command_has_examples():
    assert {f"camicia {name}" for name in COMMANDS} <= set(PAGES)
    for name, parser in PAGES.items():
        assert examples_of_help(parser.description), name
        for example in examples_of_help(parser.description):
            assert "camicia" in example.command, (name, example)


def test_the_examples_of_how_commands_are_read():
    assert doctest.testmod(shown).failed == 0


@pytest.mark.parametrize("name", PAGES)
def test_examples_run_in_order(name, request, tmp_path):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name], reason="the extra report is not installed")
    folder = tmp_path / "folder"
    if name == "camicia" or name.startswith("camicia search"):
        # These say how ledgers come to be.
        folder.mkdir()
    else:
        shutil.copytree(request.getfixturevalue("begun"), folder)
    shell = Shell(folder)
    for example in examples_of_help(PAGES[name].description):
        if not why_not_run(example.command):
            shell.run(example.command)
