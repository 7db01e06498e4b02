"""What is read as deals: every form that commands write, line by line, and what is wrong with the rest."""

import io
import json
import random
import signal
import subprocess
import sys

import pytest
from hunting import camicia, command, documented, environment, reports_of, small_campaign

from camicia import Deal, records
from camicia.errors import DealError
from search.cli import main
from search.cli_support.reading import LONGEST_LINE, DealReader
from search.ledger import Ledger


def deals_of(text, keep_going=False):
    """The deals in a text or bytes, as text."""
    data = text if isinstance(text, bytes) else text.encode()
    stream = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="surrogateescape")
    return [str(deal) for deal in DealReader(Deal.parse, keep_going).of_stream(stream, "input")]


TWO = ["J--/-J-", "-A/K-"]

#: Files that hold the two deals.
FORMS = {
    "lines": "J--/-J-\n-A/K-\n",
    "no end of line": "J--/-J-\n-A/K-",
    "Windows": "\ufeffJ--/-J-\r\n\r\n-A/K-\r\n",
    "old Mac": "J--/-J-\r-A/K-\r",
    "comments": "# two\n  J--/-J-  # a loop\n\n\t-A/K-#short\n#",
    "byte order marks of joined files": "\ufeffJ--/-J-\n\ufeff-A/K-\n",
    "a list": "  cards  tricks  deal\n      8       3  J--/-J-\n  1,004     100  -A/K-  longer\n",
    "improve": "  2  1  J--/-J-\n     nothing longer in 3 states\n      3       1  -A/K-\n",
    "results": "J--/-J-  The game never ends: after 2 cards.\n-A/K-  Player A wins\n",
    "one column": "deal\nJ--/-J-\n-A/K-\n",
    "CSV": 'rank,Deal,source\n1,J--/-J-,"a, ""b""\nand c"\n2,-A/K-,\n',
    "semicolons": "rank;deal\n1;J--/-J-\n\n2;-A/K-\n",
    "tabs": "deal\tcards\nJ--/-J-\t8\n-A/K-\t3\n",
    "joined CSV": "deal,cards\nJ--/-J-,8\ndeal,cards\n-A/K-,3\n",
    "JSON": '{"finds": [\n {"deal": "J--/-J-", "cards": 8},\n {"x": {"deal": "-A/K-"}}], "deal": 3}',
    "JSON on a line": '[{"deal": "J--/-J-"}, {"deal": "-A/K-"}]',
    "JSON lines": '{"deal": "J--/-J-"}\n\n{"deal": "-A/K-", "rank": 1' + "0" * 5000 + "}\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_read(form):
    assert deals_of(FORMS[form]) == TWO


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "\ufeff", "deal\n", "[]", "{}"])
def test_what_holds_no_deal_is_empty(text):
    assert deals_of(text) == []


#: What is wrong, and where.
FAULTS = {
    "a bad line": ("J/-\n\nJ/x\n", "input, line 3: deal 'J/x': unknown card 'x' at place 3"),
    "two deals": ("J/- K/-\n", "input, line 1: deal 'J/- K/-': unknown card ' '"),
    "no UTF-8": (b"J/-\nJ/\xe9\n", "input, line 2: byte 0xe9 at place 3 is not UTF-8 text"),
    "UTF-16": ("J/-\n".encode("utf-16"), "input, line 1: byte 0x"),
    "no UTF-8 in CSV": (b"deal,by\nJ/-,x\n-/J,\xff\n", "input, line 3: byte 0xff"),
    "a long line": ("J/-\n" + "-" * (LONGEST_LINE + 1), "input, line 2: longer than 1,048,576 characters"),
    "another table": ("tricks,games\n3,4\n", "input, line 1: deal 'tricks,games'"),
    "a short row": ("rank,deal\n1,J/-\n2\n", "input, line 3: no deal in this row"),
    "a bad deal in CSV": ("rank,deal\n1,J/x\n", "input, line 2: deal 'J/x'"),
    "quotes without end": ('deal,x\nJ/-,"\n' + "x\n" * LONGEST_LINE, "input, line 2: quotes that do not end"),
    "no JSON": ('{"deal": "J/-",\n\n}', "input: not JSON: Illegal trailing comma|input: not JSON: Expecting"),
    "no JSON in a line": ('{"deal": "J/-"}\n{\n', "input, line 2: not JSON"),
    "deep JSON": ("[" * 100_000, "input: not JSON: lists within lists without end"),
    "a bad deal in JSON": ('[\n{"deal": "J/-"},\n{"deal": "J/x"}]', "input, deal 2: deal 'J/x'"),
    "a surrogate in JSON": ('{"deal": "\\udcff"}', "input, line 1: deal"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_one_line_that_says_where(fault):
    text, message = FAULTS[fault]
    with pytest.raises(DealError, match=f"^({message})") as caught:
        deals_of(text)
    assert "\n" not in str(caught.value)


def test_bad_lines_are_reported_and_the_others_read(capsys):
    text = b"J/-\nJ/x\n\xff\n" + b"-" * (3 * LONGEST_LINE) + b"\n-/J\nrest"
    assert deals_of(text, keep_going=True) == ["J/-", "-/J"]
    errors = capsys.readouterr().err.splitlines()
    assert [error.split(":")[1] for error in errors] == [f" input, line {number}" for number in (2, 3, 4, 6)]


@pytest.mark.parametrize("reader", ["play", "rank", "improve"])
def test_each_result_is_printed_before_the_next_deal_is_there(reader):
    expected = "--A/-J-" if reader != "rank" else documented("rank", "--A/-J-", cwd=".")["rank"]
    with subprocess.Popen(
        command(reader, "-"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={name: value for name, value in environment().items() if name != "PYTHONUNBUFFERED"},
        bufsize=0,
    ) as process:
        for _ in range(2):
            process.stdin.write(b"--A/-J-\n")
            # It would wait for ever if the result were kept.
            while expected not in process.stdout.readline().decode():
                assert process.poll() is None
        # As `head` leaves: the next line that is printed ends it, though more deals are there.
        process.stdout.close()
        with pytest.raises(BrokenPipeError):
            while True:
                process.stdin.write(b"--A/-J-\n" * 1000)
        assert (process.wait(timeout=60), process.stderr.read()) == (-signal.SIGPIPE, b"")


@pytest.mark.parametrize(
    "words", [("play",), ("rank",), ("improve",), ("play", "--table"), ("play", "--json")]
)
def test_with_keep_going_the_good_deals_are_used_and_the_exit_code_is_2(tmp_path, words):
    text = b"--A/-J-\nJ/x\n\xff\n-A-/-J-\n"
    done = camicia(words[0], "-", *words[1:], "--keep-going", input=text, cwd=tmp_path, text=False)
    good = camicia(words[0], "-", *words[1:], input=b"--A/-J-\n-A-/-J-\n", cwd=tmp_path, text=False)
    assert (done.returncode, done.stdout) == (2, good.stdout) and good.returncode == 0
    errors = done.stderr.decode().splitlines()
    assert [error.split(": ")[1] for error in errors] == [f"standard input, line {n}" for n in (2, 3)]
    # Without it the first of them ends it, and what was printed before is whole.
    done = camicia(words[0], "-", *words[1:], input=text, cwd=tmp_path, text=False)
    first = camicia(words[0], "-", *words[1:], input=b"--A/-J-\n", cwd=tmp_path, text=False)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, first.stdout, 1)


def test_a_word_that_is_no_deal_is_found_before_anything_is_played(capsys):
    assert main(["play", "J/-", "J/x"]) == 2
    assert capsys.readouterr().out == ""
    assert main(["play", "J/-", "J/x", "--keep-going"]) == 2
    assert capsys.readouterr().out.startswith("J/-  Player A wins")


@pytest.mark.parametrize("words", [("view", "-", "--out", "-"), ("ancestors", "-")])
def test_a_command_of_one_deal_takes_the_one_of_standard_input(tmp_path, words):
    done = camicia(*words, input="# one\n--A/-J-\n", cwd=tmp_path)
    assert (
        done.returncode == 0 and done.stdout == camicia(words[0], "--A/-J-", *words[2:], cwd=tmp_path).stdout
    )
    for text, number in (("", "no"), ("J/-\n-/J\n", "more than one")):
        done = camicia(*words, input=text, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (
            2,
            f"camicia: standard input: holds {number} deal, expected one\n",
        )


@pytest.fixture(scope="module")
def ledger(tmp_path_factory):
    """A ledger with finds, loops and a deal of others."""
    path = tmp_path_factory.mktemp("finds") / "hunt.db"
    with Ledger(path, "create") as ledger:
        ledger.commit(ledger.enter(small_campaign()), reports_of(small_campaign(), range(2)))
    assert camicia("import", path, "-", input="K--/--A\n", cwd=".").returncode == 0
    return path


#: Commands whose output can be imported.
WRITERS = {
    "best": "best LEDGER --top 5",
    "best in CSV": "best LEDGER --top 5 --format csv",
    "best in JSON": "best LEDGER --top 5 --json",
    "loops in JSON": "best LEDGER --loops --json",
    "export": "export LEDGER",
    "export in CSV": "export LEDGER --format csv",
    "export of imported": "export LEDGER --format csv --table imported",
    "status in JSON": "status LEDGER --json",
    "records": "records",
    "records in JSON": "records --json",
    "loops": "loops --deals",
    "play": "play J/- K/-",
    "play in JSON": "play J/- K/- --json",
    "improve": "improve --A/-J-",
    "improve in JSON": "improve --A/-J- --json",
    "ancestors in JSON": "ancestors --A/-J- --json",
    "unrank": "unrank 4:2:0:0:0 3",
}


@pytest.mark.parametrize("writer", WRITERS)
def test_what_commands_write_can_be_imported_and_played(ledger, tmp_path, capsys, writer):
    assert main(WRITERS[writer].replace("LEDGER", str(ledger)).split()) == 0
    text = capsys.readouterr().out
    (tmp_path / "deals").write_text(text)
    Ledger(tmp_path / "new.db", "create").close()
    assert main(["import", str(tmp_path / "new.db"), str(tmp_path / "deals"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    expected = {word.strip('",') for word in text.replace(",", " ").split() if word.strip('",JQKA-') == "/"}
    assert document["new"] == len(expected) > 0
    with (tmp_path / "deals").open() as file:
        assert {str(deal) for deal in DealReader(Deal.parse).of_stream(file, "deals")} == expected


def test_records_are_all_read(capsys):
    assert main(["records"]) == 0
    found = deals_of(capsys.readouterr().out)
    assert sorted(found) == sorted(str(record.deal) for record in records.records())


def test_an_import_keeps_all_or_none_or_what_it_is_told_to(ledger, tmp_path):
    Ledger(tmp_path / "new.db", "create").close()
    words, text = ("import", "new.db", "-", "--json"), "J/-\nJ/x\n-/J\n"
    assert camicia(*words, input=text, cwd=tmp_path).returncode == 2
    assert documented("status", "new.db", cwd=tmp_path)["imported"] == 0
    done = camicia(*words, "--keep-going", input=text, cwd=tmp_path)
    assert done.returncode == 2 and json.loads(done.stdout)["new"] == 2
    assert done.stderr.startswith("camicia: standard input, line 2: ")


#: Imports a deal with as much memory as there would be on a small machine.
BOUNDED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_DATA, (1 << 30, 1 << 30))
from search.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on memory that holds")
def test_a_deal_of_ten_thousand_cards_is_imported_in_bounded_memory(tmp_path):
    # It has some hundred thousand tricks: all the states of its game are several gigabytes.
    generator = random.Random(0)
    cards = [0] * 6920 + [1, 2, 3, 4] * 769
    generator.shuffle(cards)
    deal = Deal(bytes(cards[:4998]), bytes(cards[4998:]))
    (tmp_path / "deals.txt").write_text(str(deal))
    Ledger(tmp_path / "new.db", "create").close()
    done = subprocess.run(
        [sys.executable, "-c", BOUNDED, "import", "new.db", "deals.txt"],
        cwd=tmp_path,
        env=environment() | {"OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
