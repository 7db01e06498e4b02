"""Reading files of deals: a deal a line or over several lines, CSV, JSON, with comments; a line at a time."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from camicia.cards import Deal
from camicia.checks import shortened
from camicia.errors import DealError
from camicia.notation.layouts import label_of, second_label_of
from camicia.notation.reading import MAX_CHARACTERS, read_deal
from camicia.notation.table import chosen

#: Names of columns that hold a deal, or the two hands.
_DEAL_COLUMNS = ("deal", "deals", "hands")
_HAND_COLUMNS = (("handa", "handb"), ("playera", "playerb"), ("hand1", "hand2"), ("player1", "player2"),
                 ("p1", "p2"), ("a", "b"))  # fmt: skip
_DELIMITERS = "\t;,"

#: What a line's brackets are counted by; those in strings do not count.
_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"?+|[\[\]{}()]')
_CELLS = re.compile(r"[\s,;]+")
_NATIVE_CELL = re.compile(r"[-JQKA]*+/[-JQKA]*+")
#: A cell that could be a piece of a hand.
_PIECE = re.compile(r"[-.JQKAjqka]++")

#: Cards of a contest's deck.
_JUDGE_CARDS = 52

#: What is found: the number of its first line, and the deal or why there is none.
Found = tuple[int, Deal | DealError]


def read_deals(
    lines: Iterable[str],
    *,
    notation: str | None = None,
    deal: str | None = None,
    bottom_first: bool | str = False,
) -> Iterator[Found]:
    r"""Read the deals of a file, one after another; no more of the file is held than one deal takes.

    Empty lines, and what follows a ``#``, are left out. A deal has a line to itself, or is a pair of lines
    that begin with ``1:`` and ``2:``, or a JSON object over any number of lines; or the file is CSV whose
    first line has a column named `deal`, or columns named `hand_a` and `hand_b`. A line with one deal in
    this library's notation among other columns is understood.

    Parameters
    ----------
    lines : iterable of str
        The lines, with or without their ends.
    notation, deal, bottom_first
        As for `read_deal`. With notation ``lines`` each two lines are a deal; with ``judge``, each 52 cards.

    Yields
    ------
    int
        Number of the line where the deal begins, from 1.
    Deal or DealError
        The deal, or why there is none. What follows is read all the same.

    Raises
    ------
    DealError
        If there is no such notation; at once.

    Examples
    --------
    >>> for number, deal in read_deals(["# two deals", "1: J--", "2: -J-", "", "100/01x"]):
    ...     print(number, deal)
    2 J--/-J-
    5 deal '100/01x': unknown card 'x' at place 7 (notation digits)
    """
    options = {"notation": notation, "deal": deal, "bottom_first": bottom_first}
    layout = chosen(notation).layout
    return _Lines(lines, options).deals(layout)


class _Lines:
    """The lines of one file, and how deals are read in it."""

    def __init__(self, lines: Iterable[str], options: dict[str, Any]) -> None:
        self._lines: Iterator[tuple[int, str]] = enumerate(lines, start=1)
        self._options = options

    def deals(self, layout: str | None) -> Iterator[Found]:
        first = True
        while numbered := next(self._lines, None):
            number, text = numbered[0], _content(numbered[1])
            if not text:
                continue
            if first and (columns := _header(text)):
                yield from self._table(number, *columns)
                return
            first = False
            if text[0] in "{[(" and (depth := _depth(text)) > 0:
                yield from self._document(number, text, depth)
            elif text[0] in "{[":
                yield from self._objects(number, text)
            elif layout == "judge":
                yield number, self._read(self._more(text, _JUDGE_CARDS))
            elif layout == "lines":
                yield number, self._read(f"{text}\n{self._next()[1]}")
            elif label_of(text) and not second_label_of(text):
                after, second = self._next()
                if second_label_of(second):
                    text = f"{text}\n{second}"
                else:
                    # The next line is a deal of its own.
                    self._lines = chain([(after, second)], self._lines)
                yield number, self._read(text)
            else:
                yield number, self._read(text)

    def _next(self) -> tuple[int, str]:
        """The next line with something in it, and its number."""
        contents = ((number, _content(line)) for number, line in self._lines)
        return next((each for each in contents if each[1]), (0, ""))

    def _more(self, text: str, cards: int) -> str:
        """This line and the next ones, until there are enough cards or a line is empty."""
        pieces, met = [text], len(text.split())
        while met < cards:
            piece = _content(next(self._lines, (0, ""))[1])
            if not piece:
                break
            pieces.append(piece)
            met += len(piece.split())
        return "\n".join(pieces)

    def _document(self, number: int, text: str, depth: int) -> Iterator[Found]:
        """Read something in brackets that continues over several lines."""
        pieces, size = [text], len(text)
        for _, line in self._lines:
            size += len(line)
            if size <= MAX_CHARACTERS:
                pieces.append(line.strip())
            depth += _depth(line)
            if depth <= 0:
                break
        if size > MAX_CHARACTERS:
            yield (
                number,
                DealError(
                    f"deals {shortened(text)}: brackets around {size:,} characters, "
                    f"expected at most {MAX_CHARACTERS:,}; one JSON object a line has no limit"
                ),
            )
            return
        yield from self._objects(number, " ".join(pieces))

    def _objects(self, number: int, text: str) -> Iterator[Found]:
        """Read one deal in brackets, or each of a list of JSON objects."""
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            document = None
        if isinstance(document, dict):
            lists = [value for value in document.values() if _are_objects(value)]
            document = lists[0] if len(lists) == 1 else None
        if _are_objects(document):
            for each in document:
                yield number, self._read(json.dumps(each))
            return
        yield number, self._read(text)

    def _table(self, number: int, delimiter: str, columns: tuple[int, ...]) -> Iterator[Found]:
        """Read the rows below a header."""
        rows = csv.reader((line for _, line in self._lines), delimiter=delimiter)
        while True:
            start = number + rows.line_num + 1
            try:
                row = next(rows)
            except StopIteration:
                return
            except csv.Error as error:
                yield start, DealError(f"row that is no CSV ({error})")
                continue
            if not any(map(str.strip, row)) or row[0].startswith("#"):
                continue
            if len(row) <= max(columns):
                yield (
                    start,
                    DealError(f"row {shortened(delimiter.join(row))}: has no column {max(columns) + 1}"),
                )
                continue
            # Cells that hold lists are as good as plain ones: the slash is between them.
            cells = [row[column].strip("[](){} ").replace("'", " ").replace('"', " ") for column in columns]
            yield start, self._read(" / ".join(cells) if len(cells) > 1 else row[columns[0]])

    def _read(self, text: str) -> Deal | DealError:
        try:
            return read_deal(text, **self._options)
        except DealError as error:
            if self._options["notation"] is None and (cell := _among_columns(text)):
                return read_deal(cell, **self._options)
            return error


def _content(line: str) -> str:
    """What a line holds besides white space, a byte order mark and a comment."""
    text = line.lstrip("\ufeff").strip()
    # JSON may have a number sign in a string.
    return text if text.startswith("{") else text.partition("#")[0].strip()


def _depth(text: str) -> int:
    """How many brackets a line leaves open."""
    met = _BRACKET.findall(text)
    return sum((bracket in "[{(") - (bracket in "]})") for bracket in met if len(bracket) == 1)


def _are_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def _header(text: str) -> tuple[str, tuple[int, ...]] | None:
    """The delimiter of a header of CSV and the columns that hold the deal, if it is one."""
    for delimiter in _DELIMITERS:
        names = [
            name.strip("\"' ").replace("_", "").replace(" ", "").lower() for name in text.split(delimiter)
        ]
        for wanted in _DEAL_COLUMNS:
            if names.count(wanted) == 1:
                return delimiter, (names.index(wanted),)
        for wanted_a, wanted_b in _HAND_COLUMNS:
            if wanted_a in names and wanted_b in names:
                return delimiter, (names.index(wanted_a), names.index(wanted_b))
    return None


def _among_columns(text: str) -> str | None:
    """The one deal in the native notation among other columns, if no neighbour could belong to it."""
    if len(text) > MAX_CHARACTERS:
        return None
    cells = _CELLS.split(text)
    places = [place for place, cell in enumerate(cells) if _NATIVE_CELL.fullmatch(cell) and len(cell) > 1]
    if len(places) != 1:
        return None
    (place,) = places
    if any(
        _PIECE.fullmatch(cell) for cell in (*cells[max(place - 1, 0) : place], *cells[place + 1 : place + 2])
    ):
        return None
    return cells[place]
