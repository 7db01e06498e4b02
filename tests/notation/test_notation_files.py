"""Files of deals in the notations of other programs, `camicia convert`, and the names of decks."""

import io
import json
import sys

import pytest
from examples_of_deals import CONTEST, LOOP_OF_40, RECORD
from running import run

from camicia import ITALIAN, STANDARD, Deal, DealError, Deck, DeckError
from camicia.decks import NAMED_DECKS, deck_named
from camicia.notation import NOTATIONS, read_deal, read_deals


def found(lines, **options):
    """What a file holds, in text."""
    return [(number, str(deal)) for number, deal in read_deals(lines, **options)]


# Files


def test_a_file_of_many_forms():
    lines = f"""\
\ufeff# deals of all sorts
{RECORD}   # the record\r

1: J--
2: -J-
A: J-
# between the two
B: -Q
00302020303100000310-00100200002000000010
nonsense
{{"playerA": ["2", "J"],
 "playerB": ["3"],
 "note": "#1 }} of 2"}}
[{{"deal": "J/Q"}}, {{"deal": "J/?"}}]
7  8344  {RECORD}  1164
p1: J
K/Q
{{0, 0,
  1, 0}}
{{"games": [{{"deal": "A/Q", "tricks": 3}}]}}
""".splitlines()
    deals = list(read_deals(lines))
    assert [(number, str(deal)) for number, deal in deals if isinstance(deal, Deal)] == [
        (2, RECORD),
        (4, "J--/-J-"),
        (6, "J-/-Q"),
        (9, LOOP_OF_40),
        (11, "-J/-"),
        (14, "J/Q"),
        (15, RECORD),
        (17, "K/Q"),
        (20, "A/Q"),
    ]
    wrong = [(number, str(deal)) for number, deal in deals if isinstance(deal, DealError)]
    assert [number for number, _ in wrong] == [10, 14, 16, 18]
    assert "unknown card 'n' at place 1" in wrong[0][1] and "'?'" in wrong[1][1]
    assert "no second hand" in wrong[2][1] and "no mark" in wrong[3][1]


@pytest.mark.parametrize(
    ("text", "deals"),
    [
        ("rank,deal,cards\n1,J/Q,3\n\n2,J/?,3\n3,-/A,9\n", [(2, "J/Q"), (4, None), (5, "-/A")]),
        ("Deal;Cards\r\n2 A / J;8\r\n1\r\n;3\r\n", [(2, "-A/J"), (3, None), (4, None)]),
        ("hand_a\thand_b\nJ-\t-K\n['2', 'A']\t['10']\n", [(2, "J-/-K"), (3, "-A/-")]),
        ('n,playerA,playerB\n1,"2,A","J"\n# no\n2,"3\n4","K"\n', [(2, "-A/J"), (4, "--/K")]),
        ('n,deal\n1,"J/Q\n', [(2, "J/Q")]),
    ],
)
def test_csv(text, deals):
    results = [
        (number, str(deal) if isinstance(deal, Deal) else None)
        for number, deal in read_deals(text.splitlines(keepends=True))
    ]
    assert results == deals


def test_a_cell_without_end_is_no_hang():
    lines = ["deal\n", '"' + "-" * 200_000 + "\n", "J/Q\n"]
    (number, error), *rest = read_deals(lines)
    assert number == 2 and "no CSV" in str(error) and found(lines)[1:] == [(3, "J/Q")] and len(rest) == 1


def test_named_files():
    contest = (CONTEST + "#\n" + CONTEST).splitlines()
    deal = str(read_deal(CONTEST, notation="judge"))
    assert found(contest, notation="judge") == [(1, deal), (6, deal)]
    assert found((CONTEST * 2).splitlines(), notation="judge") == [(1, deal), (5, deal)]
    assert found(["J-", "", "-Q", "K", "A"], notation="lines") == [(1, "J-/-Q"), (4, "K/A")]
    assert found(["JQ/K", "5 A-/K 9"], bottom_first=True) == [(1, "QJ/K"), (2, "-A/K")]
    with pytest.raises(DealError, match="runes"):
        read_deals([], notation="runes")


@pytest.mark.parametrize("line", ["Q 7 J/- K", "J/- K 8", "J/- -/J", "x J//-"])
def test_a_piece_of_a_hand_is_no_column(line):
    ((_, deal),) = read_deals([line])
    assert isinstance(deal, DealError)


def test_a_file_is_read_a_line_at_a_time():
    def endless():
        while True:
            yield "J/Q"

    deals = read_deals(endless())
    assert [next(deals)[0] for _ in range(3)] == [1, 2, 3]


# The command


def test_convert(capsys):
    assert run(capsys, "convert", "010/002") == (0, "-J-/--Q\n", "")
    assert run(capsys, "convert", "2S JH | 10D QC", "--to", "digits+bar") == (0, "01 | 02\n", "")
    assert run(capsys, "convert", "J-Q-", "--deal", "alternately") == (0, "JQ/--\n", "")
    assert run(capsys, "convert", "234/432", "--notation", "digits") == (0, "QKA/AKQ\n", "")
    assert run(capsys, "convert", "JQ/KA", "--bottom-first") == (0, "QJ/AK\n", "")
    assert run(capsys, "convert", "JQKA", "--from", "deck", "--deck-bottom-first") == (0, "AK/QJ\n", "")


@pytest.mark.parametrize("text", ["-aj--k", "--j -q-", "---aj|-k", ".j/.q", "--x-/-"])
def test_deals_that_begin_with_a_hyphen_are_no_options(capsys, text):
    code, _, err = run(capsys, "convert", text, "--from", "deck")
    assert "unrecognized" not in err and code in (0, 2)
    assert code == 0 or err.startswith(f"camicia: deal {text!r}")


def test_options_stay_options(capsys):
    for word in ("--bogus", "-k", "--to"):
        code, _, err = run(capsys, "convert", "J/Q", word)
        assert code == 2 and len(err.splitlines()) == 1


def test_convert_lists_every_notation(capsys):
    code, out, _ = run(capsys, "convert", "--list")
    assert code == 0 and [line.split()[0] for line in out.splitlines()] == list(NOTATIONS)


def test_convert_from_standard_input(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("deal,n\nJ/Q,3\n-/K,4\n"))
    code, out, _ = run(capsys, "convert", "-", "--to", "json")
    assert code == 0 and [json.loads(line) for line in out.splitlines()] == [
        {"playerA": ["J"], "playerB": ["Q"]},
        {"playerA": ["2"], "playerB": ["K"]},
    ]
    monkeypatch.setattr(sys, "stdin", io.StringIO("J/Q\n\n234/2\n"))
    code, out, err = run(capsys, "convert", "-")
    assert (code, out) == (2, "J/Q\n")
    assert (
        err.startswith("camicia: standard input, line 3: deal '234/2': may be") and len(err.splitlines()) == 1
    )


def test_input_that_is_no_text_is_one_line(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"J/Q\n\xff\xfe"), encoding="utf-8"))
    code, _, err = run(capsys, "convert", "-")
    assert code == 2 and err.startswith("camicia: standard input, line 2: deal ") and err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ("convert",),
        ("convert", "J//Q"),
        ("convert", "J/Q", "--to", "runes"),
        ("convert", "J-/Q", "--to", "deck"),
    ],
)
def test_convert_refuses_in_one_line(capsys, words):
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "") and len(err.splitlines()) == 1 and err.startswith("camicia")


# Names of decks


def test_decks_have_names():
    assert deck_named("standard") == deck_named(" French ") == STANDARD
    assert deck_named("ITALIAN") == ITALIAN and deck_named("2:1:0:0:0") == Deck(2, 1, 0, 0, 0)
    with pytest.raises(DeckError, match=r"28:4:4:4:0 .* 24:4:4:4:4 .* give the counts"):
        deck_named("spanish")
    with pytest.raises(DeckError, match="five counts"):
        deck_named("1:2")


@pytest.mark.parametrize("command", [("unrank", "klingon", "0"), ("census", "klingon")])
def test_an_unknown_deck_is_refused_with_the_names(capsys, command):
    code, _, err = run(capsys, *command)
    assert code == 2 and "'klingon'" in err and all(name in err for name in NAMED_DECKS)
