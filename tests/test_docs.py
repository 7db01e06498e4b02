"""The examples of the documentation run, and its pages of the program's own making are whole."""

import doctest
import importlib.util
import re
from pathlib import Path

import pytest
from test_readme import run

from camicia.records import records
from search.cli import COMMANDS

DOCS = Path(__file__).parents[1] / "docs"

#: Pages whose every console example is shown in full.
WHOLE = ("tutorial", "counting", "how-it-works", "war", "crazy-eights")


def blocks(page, language):
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("path", sorted(DOCS.glob("*.md")), ids=lambda path: path.stem)
def test_python_examples(path):
    text = "\n".join(blocks(path.stem, "python"))
    examples = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
    assert doctest.DocTestRunner().run(examples).failed == 0


@pytest.mark.parametrize("page", WHOLE)
def test_console_examples(page, tmp_path):
    for block in blocks(page, "console"):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = example.partition("\n")
            done = run(command, tmp_path)
            assert (done.returncode, done.stdout) == (0, printed), done.stderr


@pytest.fixture(scope="module")
def made():
    spec = importlib.util.spec_from_file_location("made", DOCS / "_ext" / "made.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_command_reference_has_every_command(made):
    text = made.commands_text()
    for name in COMMANDS:
        assert f"# camicia {name}\n" in text and f"usage: camicia {name}" in text
    assert "# camicia search sample\n" in text and "--watch" in text


def test_the_table_of_records_has_every_record(made):
    text = made.records_text()
    assert all(f"`{record.deal}`" in text for record in records())
    assert "| 2022 | Nessler |" in text and "| 8,344 | 1,164 |" in text


def test_the_index_lists_every_page(made):
    source = [(DOCS / "index.md").read_text(encoding="utf-8")]
    made.list_others(type("App", (), {"srcdir": DOCS}), "index", source)
    for path in DOCS.glob("*.md"):
        assert path.stem == "index" or re.search(rf"^{path.stem}$", source[0], re.MULTILINE), path
