"""The examples of README and documentation run, and its pages of the program's own making are whole."""

import doctest
import importlib.util
import json
import re
import shlex
import subprocess

import pytest
from hunting import reports_of, small_campaign
from places import ROOT
from shown import Shell, blocks, commands_of_page, parsers, why_not_run

from camicia.records import records
from search.cli import COMMANDS, GROUPS, main
from search.cli_support.arguments import shielded
from search.commands.search import with_strategy
from search.ledger import RESULT_FIELDS, Ledger
from search.ledger.schema import COLUMNS, SCHEMA_VERSION
from search.report.document import summary

DOCS = ROOT / "docs"

PAGES = {
    path.stem: path.read_text(encoding="utf-8") for path in [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
}

#: Pages that show of a command's output only how it begins.
BEGINNINGS_ONLY = ("climbing",)

#: What a page needs that is not always installed.
NEEDS = {"tutorial": "matplotlib"}

#: The hunt that pages take for made already, for its ledger has the name that the hunt gives it.
HUNT = "camicia search --deals 2e5 --unit-size 1e5 --seed 1"

#: The commands by which what a page takes as given is made.
GIVEN = {
    "census": [
        f"camicia search enumerate --deck 8:1:1:1:1 --shard {part}/3 --ledger shard-{part}.db"
        for part in (1, 2, 3)
    ],
    "faults": [HUNT],
    "ledger": [
        HUNT,
        *(f"cp climb-36-4-4-4-4.db {copy}" for copy in ("climb-36-4-4-4-4.db.backup", "copy.db")),
    ],
}

#: What stands in texts for any argument of its kind.
ANY = {"DEAL": "J--/-JA", "N": "1", "LEDGER": "any.db", "ADDRESS": "tcp://10.0.0.1:8786"}


@pytest.mark.parametrize("page", PAGES)
def test_python_examples(page, tmp_path, monkeypatch):
    # Examples that hunt leave a ledger.
    monkeypatch.chdir(tmp_path)
    text = "\n".join(blocks(PAGES[page], "python"))
    examples = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    assert doctest.DocTestRunner().run(examples).failed == 0


@pytest.mark.parametrize("page", [page for page, text in PAGES.items() if commands_of_page(text)])
def test_commands_run_in_order_and_print_what_is_shown(page, tmp_path):
    if page in NEEDS:
        pytest.importorskip(NEEDS[page], reason="the extra report is not installed")
    (tmp_path / "folder").mkdir()
    shell = Shell(tmp_path / "folder")
    for command in GIVEN.get(page, ()):
        shell.run(command)
    for command, shown in commands_of_page(PAGES[page]):
        if not why_not_run(command):
            printed = shell.run(command)
            if page in BEGINNINGS_ONLY:
                printed = printed[: len(shown)]
            assert not shown or printed == shown, command


def test_every_fenced_block_is_of_a_kind_that_is_looked_at():
    # A block that is neither run nor read would go stale unseen; `text` is for what is no command.
    looked_at = {"python", "sh", "console", "bash", "text", "{toctree}", "{include}", "{eval-rst}"}
    for page, text in PAGES.items():
        opened = re.findall(r"^```(\S*).*$", text, re.MULTILINE)[::2]
        assert set(opened) <= looked_at, page


@pytest.mark.parametrize("page", PAGES)
def test_scripts_can_be_read_by_the_shell(page):
    for script in blocks(PAGES[page], "bash"):
        subprocess.run(["bash", "-n"], input=script, text=True, check=True)


@pytest.mark.parametrize("page", PAGES)
def test_commands_in_the_running_text_can_be_typed(page):
    known = parsers()
    prose = re.sub(r"^```.*?^```$", "", PAGES[page], flags=re.MULTILINE | re.DOTALL)
    for code in re.findall(r"`((?:camicia|python|make) [^`]+)`", prose):
        program, *words = shlex.split(code)
        options = [word for word in words if word.startswith("--")]
        if program == "make":
            assert re.search(rf"^{words[0]}:.*##", (ROOT / "Makefile").read_text(), re.MULTILINE), code
        elif program == "python":
            script = (ROOT / words[0]).read_text(encoding="utf-8")
            assert all(f'"{option}"' in script for option in options), code
        elif words != ["COMMAND", "--help"] and words != ["--help"]:
            words = [ANY.get(word, word) for word in words]
            if words[0] == "search":
                words = ["search", *with_strategy(words[1:])]
            arguments = [word for word in words if word not in options]
            name = f"camicia {' '.join(arguments[: 1 + (words[0] == 'search')])}"
            if "--help" in options or f"camicia {' '.join(arguments)}" == name:
                # Arguments are left out, as in "what `camicia best --json` prints".
                assert all(option in known[name].format_help() for option in options), code
            else:
                known["camicia"].parse_args(shielded(words))


def test_files_that_texts_name_are_there():
    for page, text in PAGES.items():
        for path in re.findall(r"\b(?:benchmarks|examples|docs|tests|camicia|search)/[\w./-]+\.\w+", text):
            assert (ROOT / path).exists(), (page, path)
        for link in re.findall(r"\]\((?!http|generated/)([^)#]+)", text):
            assert ((ROOT if page == "README" else DOCS) / link).exists(), (page, link)


def test_tests_that_texts_name_are_there():
    files = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")}
    everything = "\n".join(files.values())
    for page, text in PAGES.items():
        for name in re.findall(r"`(test_\w+)`", text):
            assert f"def {name}(" in everything, (page, name)
        assert set(re.findall(r"`(test_\w+\.py)`", text)) <= set(files), page


def table_of(page, heading):
    """The cells of the first table of a page whose first column is headed so, row by row."""
    rows = PAGES[page].partition(f"\n| {heading} | ")[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]


def fields_of(page):
    """The names in the first column of a page's table of fields."""
    return set().union(*(words_in_code(cells[0]) for cells in table_of(page, "field")))


def words_in_code(cell):
    return set(re.findall(r"`([^`]+)`", cell))


def test_the_tables_of_the_ledger_are_those_it_has():
    assert f"now {SCHEMA_VERSION}." in PAGES["ledger"]
    described = {cells[0].strip("` "): words_in_code(cells[2]) for cells in table_of("ledger", "table")}
    assert set(described) == set(COLUMNS)
    for name, columns in COLUMNS.items():
        # The lengths of an imported deal are those of a find, and said to be.
        said = described[name] | (set(RESULT_FIELDS) if "finds" in described[name] else set())
        assert set(columns) <= said and said - set(columns) <= {"finds", "counter."}, name


def test_the_fields_of_documents_are_those_that_are_printed(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with Ledger(tmp_path / "l.db", "create") as ledger:
        campaign = small_campaign()
        ledger.commit(ledger.enter(campaign), reports_of(campaign, [0]))
        document = summary(ledger) | {"run": None}
    assert fields_of("ledger") == set(document)
    assert main(["play", "J--/-J-", "--table", "--json"]) == 0
    assert fields_of("formats") == set(json.loads(capsys.readouterr().out))
    assert main(["census", "7:1:1:1:0", "--json"]) == 0
    counted = json.loads(capsys.readouterr().out)
    assert fields_of("census") <= set(counted) and set(counted) - set(document) <= fields_of("census")


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
    # The overview is what a reader of the terminal sees, in groups.
    assert all(f"\n{group}:\n" in text for group in GROUPS)


def test_the_table_of_records_has_every_record(made):
    text = made.records_text()
    assert all(f'href="replay.html#deal={record.deal}"' in text for record in records())
    assert "| 2022 | Nessler<sup>1</sup> |" in text and "| 8,344 | 1,164 |" in text
    # One line a deal: a line broken inside a deal could not be read.
    assert text.count("white-space: nowrap") == len(list(records()))


def test_the_index_lists_every_page(made):
    source = [(DOCS / "index.md").read_text(encoding="utf-8")]
    made.list_others(type("App", (), {"srcdir": DOCS}), "index", source)
    for path in DOCS.glob("*.md"):
        assert path.stem == "index" or re.search(rf"^{path.stem}$", source[0], re.MULTILINE), path


def test_hyphens_of_deals_stay_hyphens():
    # The pages are built with this setting off: else "--" in a deal would become a dash.
    assert re.search(r"^smartquotes = False$", (DOCS / "conf.py").read_text(encoding="utf-8"), re.MULTILINE)
