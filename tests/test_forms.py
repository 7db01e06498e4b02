"""The forms that a deal, a deck and a result have in Python: handed in, returned and shown."""

import copy
import pickle
import re
import subprocess
import sys
from array import array

import numpy as np
import pytest

import camicia
from camicia import (
    ITALIAN,
    STANDARD,
    CamiciaError,
    Cycle,
    Deal,
    DealError,
    Deck,
    Result,
    State,
    Status,
    as_columns,
    longest_known,
    random_deals,
    simulate,
    simulate_many,
    walk,
    winner_name,
)
from camicia.known_cycles import catalogue
from camicia.showing import MOST_DRAWN

GOOD = [[1, 0, 0, 0, 1, 0], [0, 0, 0, 0, 1, 0], [4, 0, 0, 0, 3, 0]]
TEXTS = ["J--/-J-", "---/-J-", "A--/-K-"]


def forms_of_many():
    """Three deals in every form that `simulate_many` takes, by name."""
    codes = np.array(GOOD)
    forms = {f"array of {kind}": codes.astype(kind) for kind in ("u1", "i1", "u2", ">i4", "i8", "u8")}
    forms |= {
        "Fortran order": np.asfortranarray(codes.astype("u1")),
        "strides": np.repeat(codes.astype("u1"), 2, axis=1)[:, ::2],
        "memoryview": memoryview(codes.astype("u1")),
        "memoryview of int64": memoryview(codes),
        "lists": GOOD,
        "tuples": tuple(map(tuple, GOOD)),
        "list of arrays": list(codes),
        "list of bytes": list(map(bytes, GOOD)),
        "list of bytearrays": list(map(bytearray, GOOD)),
        "list of memoryviews": [memoryview(bytes(row)) for row in GOOD],
        "list of array.array": [array("i", row) for row in GOOD],
        "generator": (row for row in GOOD),
        "texts": TEXTS,
        "array of texts": np.array(TEXTS),
        "array of objects": np.array(TEXTS, object),
        "deals": list(map(Deal, TEXTS)),
        "faces": [(list(text[:3]), list(text[4:])) for text in TEXTS],
        "mixed": [TEXTS[0], GOOD[1], Deal(TEXTS[2])],
    }
    return forms


@pytest.mark.parametrize("form", forms_of_many())
def test_many_deals_in_any_form(form):
    assert (simulate_many(forms_of_many()[form]) == simulate_many(TEXTS)).all()


@pytest.mark.parametrize(
    "row",
    [GOOD[0], tuple(GOOD[0]), bytes(GOOD[0]), bytearray(GOOD[0]), memoryview(bytes(GOOD[0])),
     np.array(GOOD[0]), np.array(GOOD, np.uint8)[0], np.array(GOOD, ">i2")[0], array("B", GOOD[0])],
    ids=lambda row: f"{type(row).__name__}",
)  # fmt: skip
def test_one_row_of_codes(row):
    assert simulate(row) == simulate("J--/-J-")
    assert simulate(row, cut=1) == simulate("J/---J-")
    assert simulate_many([row], cut=1)[0]["cards"] == simulate("J/---J-").cards
    assert Deal.from_array(row) == Deal("J--/-J-")


@pytest.mark.parametrize(
    ("deals", "said"),
    [
        ([GOOD[0]] * 17 + [[0, 7, 1]], "row 17 holds 7 at place 1: card codes are 0 to 4"),
        (np.array([[0, 0], [0, 300]]), "row 1 holds 300 at place 1: card codes are 0 to 4"),
        (np.array([[0, 0], [-1, 0]], np.int8), "row 1 holds -1 at place 0: card codes are 0 to 4"),
        (np.array([[0, 0], [0, 256]]), "row 1 holds 256 at place 1"),
        (np.array([[0, 0], [0, 9]], np.uint8), "row 1 holds 9 at place 1: card codes are 0 to 4"),
        (memoryview(np.array([[5, 0]])), "row 0 holds 5 at place 0"),
        ([b"\0\7"], "row 0 holds 7 at place 1"),
        (np.zeros((2, 2)), "dtype float64 and shape .2, 2.: expected card codes 0 to 4"),
        (np.zeros((2, 2), bool), "dtype bool"),
        (np.zeros((2, 2, 2), int), r"shape \(2, 2, 2\)"),
        (np.array([["J/-"]]), "dtype <U3"),
        ([[0, 1.5]], "item 0: array of dtype float64"),
        ([[0, "x"]], "item 0: array of dtype <U"),
        ([[2**70, 1]], "item 0: array of dtype object"),
        ([[]], "item 0: deal"),
        ([["J/-", GOOD[0]]], "item 0: hand A"),
        (GOOD[0], "simulate.. plays one"),
        (np.array(GOOD[0]), "simulate.. plays one"),
        (bytes(GOOD[0]), "simulate.. plays one"),
        (memoryview(bytes(GOOD[0])), "simulate.. plays one"),
    ],
)
def test_what_is_wrong_is_said_by_row(deals, said):
    with pytest.raises(DealError, match=said) as refusal:
        simulate_many(deals)
    assert "\n" not in str(refusal.value)


def test_hands_that_are_given_cannot_be_cut():
    for deal in ("J/-", Deal("J/-"), (["J"], ["2"])):
        with pytest.raises(DealError, match="cut 1: only card codes can be cut"):
            simulate(deal, cut=1)
        with pytest.raises(DealError, match="cut 1: only card codes can be cut"):
            simulate_many([deal], cut=1)
    with pytest.raises(DealError, match="cut 9"):
        simulate([0, 1], cut=9)


def test_decks_by_any_name():
    for deck in ("italian", "Italian ", "28:4:4:4:0", ITALIAN):
        assert (random_deals(deck, 5, 1) == random_deals(ITALIAN, 5, 1)).all()
        assert (camicia.unrank_many(deck, [5]) == camicia.unrank_many(ITALIAN, [5])).all()
        assert longest_known(deck, "cards") == 4663
        assert catalogue(deck) == catalogue(ITALIAN) != catalogue()
    for call in (camicia.unrank_many, longest_known, lambda deck, _: catalogue(deck)):
        with pytest.raises(CamiciaError, match=r"'belgian'.*standard, italian"):
            call("belgian", [1])


def test_the_codes_of_rows_have_names():
    rows = simulate_many(TEXTS)
    assert [Status(row["status"]) for row in rows] == [simulate(text).status for text in TEXTS]
    assert [winner_name(row["winner"]) for row in rows] == [simulate(text).winner for text in TEXTS]
    assert {Status(0), Status(1)} == set(Status)
    for wrong in (2, -1, "x", 1.0, True, None):
        with pytest.raises(ValueError, match="is not a valid Status"):
            Status(wrong)
        with pytest.raises(CamiciaError, match=r"winner .*expected 0 \(A\)"):
            winner_name(3 if wrong == -1 else wrong if wrong != True else 2)  # noqa: E712


def test_columns_are_those_of_the_results():
    columns = as_columns(simulate_many(TEXTS))
    for place, text in enumerate(TEXTS):
        result = simulate(text).as_dict()
        assert {name: column[place] for name, column in columns.items()}.items() <= result.items()


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_results_become_tables(name):
    library = pytest.importorskip(name, reason="a library of tables is not installed")
    rows = simulate_many(TEXTS)
    for source in (as_columns(rows), [simulate(text).as_dict() for text in TEXTS]):
        table = library.DataFrame(source)
        assert list(table["cards"]) == rows["cards"].tolist()
        assert list(table["status"]) == ["loop", "finished", "finished"]
        assert [who if isinstance(who, str) else None for who in table["winner"]] == [None, "B", "B"]
    # The rows themselves too, with their codes; and a column of deals is a list of deals.
    table = library.DataFrame(rows)
    assert list(table["tricks"]) == rows["tricks"].tolist()
    deals = library.DataFrame({"deal": TEXTS})["deal"]
    assert (simulate_many(deals) == rows).all()
    # Rows of card codes come back as an integer array, of whatever type the library prefers.
    assert (simulate_many(library.DataFrame(np.array(GOOD)).to_numpy()) == rows).all()


def test_a_result_is_no_tuple():
    result = simulate("J--/-J-")
    for use in (iter, len, lambda value: value[0], lambda value: value < value):
        with pytest.raises(TypeError):
            use(result)
    assert result == simulate("J--/-J-", kernel="reference")
    assert hash(result) == hash(simulate("J--/-J-", kernel="reference"))
    assert result != simulate("-/-")
    assert pickle.loads(pickle.dumps(result)) == copy.copy(result) == result


@pytest.mark.parametrize(
    "thing",
    [Deal("J--/-J-"), Deal(STANDARD.codes[:26], STANDARD.codes[26:]), STANDARD, State("J/-"), simulate("-/-"),
     simulate("J--/-J-")],
)  # fmt: skip
def test_what_is_shown_makes_the_thing_again(thing):
    assert eval(repr(thing)) == thing
    assert len(repr(thing)) < 200
    assert pickle.loads(pickle.dumps(thing)) == thing
    assert {Deal, State, Deck, Result} & {type(thing)}


def test_long_things_are_shown_short():
    deal = Deal(bytes(3000), b"\1" * 500)
    state = State(deal.hand_a, deal.hand_b)
    for thing in (deal, state, walk(state, max_depth=1), walk(State("J--J-/-")), Cycle.of("J--/-J-")):
        assert len(repr(thing)) < 250 and "\n" not in repr(thing)
    assert repr(deal) == f"Deal('{'-' * 60}… (3,000)/{'J' * 60}… (500)')"
    html = deal._repr_html_()
    assert html.count("<span") == 2 * MOST_DRAWN and "3,000" in html


def test_notebooks_show_cards_and_fetch_nothing():
    shown = [Deal("J--/-A")._repr_html_(), State("J--/-A")._repr_html_(), simulate("J--/-A")._repr_html_()]
    assert re.findall(r">(.)</span>", shown[0]) == list("J–––A")
    for html in shown:
        assert not re.search(r"https?:|url\(|src=|href=|<script|<link|@import", html)
        # No colour of its own: what suits a light page would not suit a dark one.
        assert not re.search(r"#[0-9a-f]{3}|(?<!-)color:|background:(?!rgba\(128,128,128)", html)
        assert html.count("<div") == html.count("</div") and html.count("<span") == html.count("</span")
    assert "wins after" in shown[2]


def test_all_that_there_is_can_be_reached():
    assert set(camicia.__all__) <= set(dir(camicia))
    for name in camicia.__all__:
        assert getattr(camicia, name) is not None
    assert camicia.known_records() == camicia.records.records()
    # What the module needs for itself is no part of it.
    assert not {"importlib", "TYPE_CHECKING", "Any"} & set(dir(camicia))
    with pytest.raises(AttributeError, match="no attribute 'simulat'"):
        camicia.simulat  # noqa: B018


def test_what_is_seldom_needed_is_not_imported():
    """By names, not by the clock: these take longer than all the rest."""
    code = (
        "import sys, numpy, numpy.random; before = {*sys.modules}; import camicia; "
        "print(*{*sys.modules} - before)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    new = set(told.stdout.split())
    late = {"decimal", "_decimal", "concurrent.futures", "logging", "importlib.resources", "tempfile",
            "pathlib", "shutil", "pkgutil", "html", "csv", "numpy.typing", "camicia.records",
            "camicia.ancestry", "camicia.notation", "camicia.known_cycles", "camicia.bench"}  # fmt: skip
    assert not new & late
    assert "camicia.simulate" in new
