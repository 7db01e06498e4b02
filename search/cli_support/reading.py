"""Reads deals from a command line, standard input or a file, in every form that the commands write them."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any, Generic, NamedTuple, TextIO, TypeVar

from camicia.cards import Deal
from camicia.errors import DealError
from camicia.notation.layouts import label_of, second_label_of
from search.cli_support.notations import AS_TOLD, Written
from search.cli_support.output import STANDARD, tell
from search.errors import USAGE, CampaignError

T = TypeVar("T")

#: What help texts say of the files that are understood.
FORMS = """\
Deals are read one a line: blank lines and what follows a # are left out. Lists that Camicia prints or exports
(text, CSV with a column `deal`, JSON) are understood too, and so are the notations of other programs, which
`camicia convert --list` lists; where a text could be several deals, name its notation.
"""

#: Names of the hands in the JSON of other programs, in any case and with or without an underscore.
_HANDS = {"playera", "playerb"}

#: The most characters of a line; a deal has at most 65,536.
LONGEST_LINE = 1 << 20

#: The most characters of a JSON document, which is read as a whole.
LONGEST_DOCUMENT = 1 << 28

#: Bytes that are not UTF-8, as Python keeps them in text.
_NOT_TEXT = re.compile("[\udc80-\udcff]")

#: A line of the lists of longest games: cards, tricks, deal.
_LISTED = re.compile(r"[\d,]+\s+[\d,]+\s+(\S+)(?:\s+longer|\s{2,}.*)?")

#: A deal in the notation of Camicia's own lists; what else a line may be, the notations of others know.
_NATIVE = re.compile("[-JQKA]*/[-JQKA]*")

#: Lines of such lists that hold no deal.
_NO_DEAL = re.compile(r"cards\s+tricks\s+deal(?:\s{2,}.*)?|nothing longer\b.*")


class Candidate(NamedTuple):
    """A text that should be a deal, where it stands, and why it cannot be read, if it cannot.

    A deal that was read already stands beside the text.
    """

    place: str
    text: str
    fault: str = ""
    deal: Deal | None = None


class DealReader(Generic[T]):
    """Reads deals one after the other, each as soon as it is there.

    Parameters
    ----------
    use : callable
        Makes of a deal what the command needs; raises a `DealError` for what it cannot use.
    keep_going : bool, optional
        Print what is wrong with a deal and continue, instead of raising it.
    written : Written, optional
        How deals are written (default: detected from the text).

    Attributes
    ----------
    bad : int
        The deals that were left out so far.

    Examples
    --------
    >>> [text for text in DealReader(str).of_words([" -/J", "0 1 | 2"])]
    ['-/J', '-J/Q']
    """

    def __init__(
        self, use: Callable[[Deal], T], keep_going: bool = False, written: Written = AS_TOLD
    ) -> None:
        self._use = use
        self._keep_going = keep_going
        self._written = written
        self.bad = 0

    @property
    def code(self) -> int:
        """The exit code: that of bad input if a deal was left out."""
        return USAGE if self.bad else 0

    def of_words(self, words: Sequence[str]) -> Iterator[T]:
        """Yield the deals that the words of a command line name; ``-`` stands for standard input.

        Raises
        ------
        DealError
            If one cannot be used; if it is a word that is no deal, before the first is yielded.
        """
        if not self._keep_going:
            for word in words:
                if word.strip() != STANDARD:
                    self._written.read(word)
        for word in words:
            if word.strip() == STANDARD:
                yield from self.of_stream(standard_input(), "standard input")
            else:
                yield from self._usable([Candidate("", word)])

    def of_file(self, name: str) -> Iterator[T]:
        """Yield the deals of a file, or of standard input if its name is ``-``.

        Raises
        ------
        CampaignError
            If the file cannot be read.
        DealError
            If a deal cannot be used; names its line.
        """
        if name == STANDARD:
            yield from self.of_stream(standard_input(), "standard input")
            return
        try:
            with Path(name).open(encoding="utf-8", errors="surrogateescape") as file:
                yield from self.of_stream(file, f"file {name!r}")
        except OSError as error:
            raise CampaignError(f"file {name!r}: cannot be read: {error.strerror}") from None

    def of_stream(self, stream: TextIO, source: str) -> Iterator[T]:
        """Yield the deals of an open file; `source` is what messages call it."""
        found = _entries_as_written(stream, source, self._written) if self._written.is_named else None
        yield from self._usable(found or entries(stream, source))

    def _usable(self, found: Iterable[Candidate]) -> Iterator[T]:
        for entry in found:
            try:
                if entry.fault:
                    raise DealError(entry.fault)
                usable = self._use(entry.deal or self._written.read(entry.text))
            except DealError as error:
                text = f"{entry.place}: {error}" if entry.place else str(error)
                if not self._keep_going:
                    raise DealError(text) from None
                self.bad += 1
                tell(f"camicia: {text}")
                continue
            yield usable


def add_keep_going(parser: Any) -> None:
    """Add the option of commands that read many deals."""
    parser.add_argument(
        "--keep-going",
        action="store_true",
        help="report deals that cannot be used and continue with the others; the exit code is then 2",
    )


def only_deal(word: str, written: Written = AS_TOLD) -> Deal:
    """The one deal that a word of the command line gives, or standard input if the word is ``-``.

    Raises
    ------
    DealError
        If the word is no deal, or standard input holds none or more than one.
    """
    if word.strip() != STANDARD:
        return written.read(word)
    deals = list(zip(range(2), DealReader(_itself, written=written).of_words([STANDARD]), strict=False))
    if len(deals) != 1:
        raise DealError(f"standard input: holds {'more than one' if deals else 'no'} deal, expected one")
    return deals[0][1]


def _itself(deal: Deal) -> Deal:
    return deal


def is_single(words: Sequence[str]) -> bool:
    """Whether the words of a command line name one deal, not a list of them.

    Examples
    --------
    >>> is_single(["J/-"]), is_single(["-"])
    (True, False)
    """
    return len(words) == 1 and words[0].strip() != STANDARD


def reads_terminal(words: Sequence[str]) -> bool:
    """Whether deals are to be typed in at a terminal."""
    return STANDARD in (word.strip() for word in words) and sys.stdin.isatty()


def standard_input() -> TextIO:
    """Standard input; on a terminal, says that deals are expected."""
    if sys.stdin.isatty():
        tell("camicia: waiting for deals on standard input, one a line; Ctrl-D ends them")
    return sys.stdin


def entries(stream: TextIO, source: str) -> Iterator[Candidate]:
    """Yield what should be deals in an open file of any of the forms that are understood.

    Examples
    --------
    >>> import io
    >>> [entry.text for entry in entries(io.StringIO("# loops\\nJ--/-J-  # small\\n"), "deals.txt")]
    ['J--/-J-']
    """
    lines = _lines(stream, source)
    for first in lines:
        text = first.text.partition("#")[0].strip()
        if not text and not first.fault:
            continue
        there = chain([first], lines)
        if first.fault:
            break
        if text[0] in "[{":
            yield from _entries_of_json(there, source)
            return
        if header := _header(text):
            yield from _entries_of_table(lines, *header)
            return
        break
    else:
        return
    for line in there:
        text = line.text.partition("#")[0].strip()
        if line.fault:
            yield line
        elif text and not _NO_DEAL.fullmatch(text):
            listed = _LISTED.fullmatch(text)
            # What stands behind a deal, two spaces away, is about it: its result, who found it.
            native = listed[1] if listed else re.split(r"\s{2,}|\t", text)[0]
            if listed or _NATIVE.fullmatch(native):
                yield Candidate(line.place, native)
            elif label_of(text) and not second_label_of(text) and (second := next(there, None)):
                # A hand a line.
                yield Candidate(line.place, f"{text}\n{second.text.partition('#')[0].strip()}", second.fault)
            else:
                yield Candidate(line.place, text)


def _entries_as_written(stream: TextIO, source: str, written: Written) -> Iterator[Candidate]:
    """Yield the deals of a file whose notation is named."""
    try:
        for number, deal in written.read_lines(_texts(stream, source)):
            place = f"{source}, line {number}"
            yield (
                Candidate(place, "", str(deal))
                if isinstance(deal, DealError)
                else Candidate(place, "", "", deal)
            )
    except _BadLine as error:
        yield Candidate(*error.args)


class _BadLine(Exception):
    """A line that cannot be read: where it stands, its text, and what is wrong."""


def _texts(stream: TextIO, source: str) -> Iterator[str]:
    for line in _lines(stream, source):
        if line.fault:
            raise _BadLine(line.place, "", line.fault)
        yield line.text


def _lines(stream: TextIO, source: str) -> Iterator[Candidate]:
    """Yield every line, as far as it is short enough to be held, with what is wrong with it."""
    for number in count(1):
        line = stream.readline(LONGEST_LINE)
        if not line:
            return
        place = f"{source}, line {number}"
        if len(line) == LONGEST_LINE and not line.endswith("\n"):
            yield Candidate(place, "", f"longer than {LONGEST_LINE:,} characters, expected a deal a line")
            while line and not line.endswith("\n"):
                line = stream.readline(LONGEST_LINE)
        elif bad := _NOT_TEXT.search(line):
            byte = ord(bad[0]) - 0xDC00
            yield Candidate(place, "", f"byte {byte:#x} at place {bad.start() + 1} is not UTF-8 text")
        else:
            # Byte order marks also stand in the middle of files that were joined.
            yield Candidate(place, line.removeprefix("\ufeff"))


def _header(text: str) -> list[str] | None:
    """The delimiter and the names of columns, if a line is the header of a table with a column of deals."""
    for delimiter in ",;\t":
        names = [name.strip().lower() for name in _cells(text, delimiter) or []]
        if "deal" in names:
            return [delimiter, *names]
    return None


def _cells(text: str, delimiter: str) -> list[str] | None:
    try:
        return next(csv.reader([text], delimiter=delimiter), [])
    except csv.Error:
        return None


def _entries_of_table(lines: Iterator[Candidate], delimiter: str, *names: str) -> Iterator[Candidate]:
    column = names.index("deal")
    for line in lines:
        parts, fault = [line.text], line.fault
        # A line break within quotes is part of a cell.
        quotes, length = line.text.count('"'), len(line.text)
        while not fault and quotes % 2 and (more := next(lines, None)):
            parts.append(more.text)
            quotes, length = quotes + more.text.count('"'), length + len(more.text)
            fault = more.fault or ("quotes that do not end" if length > LONGEST_LINE else "")
        cells = _cells("".join(parts).strip("\r\n"), delimiter)
        if fault or cells is None or 0 < len(cells) <= column:
            yield Candidate(line.place, "", fault or "no deal in this row")
        elif cells and [cell.strip().lower() for cell in cells] != list(names):
            yield Candidate(line.place, cells[column])


def _entries_of_json(lines: Iterator[Candidate], source: str) -> Iterator[Candidate]:
    """Yield the deals of one document, or of one a line."""
    first = next(lines)
    try:
        document = _parsed(first.text)
    except ValueError:
        yield from _entries_of_document(chain([first], lines), source)
        return
    for line in chain([first], lines):
        try:
            if line.text.strip():
                document = _parsed(line.text)
                yield from (Candidate(line.place, text) for text in _deals_of(document))
        except ValueError as error:
            yield Candidate(line.place, "", f"not JSON: {error}")


def _entries_of_document(lines: Iterator[Candidate], source: str) -> Iterator[Candidate]:
    texts, length = [], 0
    for line in lines:
        length += len(line.text)
        if line.fault or length > LONGEST_DOCUMENT:
            yield line._replace(fault=line.fault or "the JSON document is too long, expected CSV instead")
            return
        texts.append(line.text)
    try:
        found = _deals_of(_parsed("".join(texts)))
    except ValueError as error:
        yield Candidate(source, "", f"not JSON: {error}")
        return
    yield from (Candidate(f"{source}, deal {number}", text) for number, text in enumerate(found, start=1))


def _parsed(text: str) -> Any:
    try:
        # Numbers are of no interest here, and may be too long for Python's own.
        return json.loads(text, parse_int=lambda digits: None)
    except RecursionError:
        raise ValueError("lists within lists without end") from None


def _deals_of(document: Any) -> list[str]:
    """The texts under the name ``deal`` anywhere in a document, in order, each once.

    The longest games, which documents name apart, also stand in their lists.
    """
    found: dict[str, None] = {}
    left = [document]
    while left:
        part = left.pop()
        if isinstance(part, dict):
            if isinstance(deal := part.get("deal"), str):
                found.setdefault(deal)
            elif {name.lower().replace("_", "") for name in part} >= _HANDS:
                # One object of another program's.
                found.setdefault(json.dumps(part))
                continue
            part = list(part.values())
        if isinstance(part, list):
            left.extend(reversed(part))
    return list(found)
