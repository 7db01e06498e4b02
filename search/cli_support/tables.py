"""Text for people, no wider than the terminal: tables, labelled lines, and the deals in them in colour."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from search.cli_support.terminal import coloured, wants_colour

#: What stands between two columns, and in front of what has no room in its row.
_GAP, _INDENT = "  ", "    "

#: A deal within a line.
_DEAL = re.compile(r"(?<!\S)[-JQKA]*/[-JQKA]*(?!\S)")


def screen_width() -> int | None:
    """The columns of the terminal, 80 if it does not say; None in a pipe or file, where no line is broken."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def hanging(head: str, text: str, width: int | None, indent: int | None = None) -> list[str]:
    """Fill the lines behind a head; those after the first are indented as far as the head is long.

    Parameters
    ----------
    head : str
        How the first line begins.
    text : str
        What follows. A word is broken, at no hyphen in particular, only if it is longer than a line.
    width : int or None
        The most characters in a line; None for a single line.
    indent : int, optional
        Spaces in front of the lines after the first (default: the length of the head).

    Examples
    --------
    >>> hanging("most cards  ", "8,344 cards, 1,164 tricks", 30)
    ['most cards  8,344 cards, 1,164', '            tricks']
    """
    if width is None or len(head) + len(text) <= width:
        return [(head + text).rstrip()]
    indent = len(head) if indent is None else indent
    return textwrap.wrap(
        text,
        # Even a terminal of no width at all shows a character.
        max(width, indent + 8, len(head) + 1),
        initial_indent=head,
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
    )


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], width: int | None) -> Iterator[str]:
    """Yield the lines of a table, its header first.

    Columns that the screen has no room for follow each row on lines of their own.

    Parameters
    ----------
    columns : sequence of str
        The titles. A column is aligned to the right if a ``>`` stands before its title.
    rows : iterable of sequence of str
        The cells of each row.
    width : int or None
        The most characters in a line; None for no limit.

    Examples
    --------
    >>> print(*table([">cards", "deal"], [["8,344", "---A/JQ-"]], 80), sep="\\n")
    cards  deal
    8,344  ---A/JQ-
    >>> print(*table([">cards", "deal"], [["8,344", "---A/JQ-"]], 14), sep="\\n")
    cards
        deal
    8,344
        ---A/JQ-
    """
    titles = [title.removeprefix(">") for title in columns]
    cells = [titles, *rows]
    sizes = [max(len(row[column]) for row in cells) for column in range(len(titles))]
    fitting = len(titles)
    while width is not None and fitting > 1 and sum(sizes[:fitting]) + len(_GAP) * (fitting - 1) > width:
        fitting -= 1
    for row in cells:
        padded = [
            cell.rjust(size) if title.startswith(">") else cell.ljust(size)
            for cell, size, title in zip(row[:fitting], sizes, columns, strict=False)
        ]
        yield from (
            hanging("", _GAP.join(padded).rstrip(), width) if fitting == 1 else [_GAP.join(padded).rstrip()]
        )
        if rest := _GAP.join(filter(None, row[fitting:])):
            yield from hanging(_INDENT, rest, width)


def print_hanging(head: str, text: str, indent: int | None = None) -> None:
    """Print a text behind its head, filled to the screen; on a terminal with colours."""
    colour = wants_colour()
    for line in hanging(head, text, screen_width(), indent):
        print(painted(line, colour))


def print_game(cards: int, tricks: int, deal: str) -> None:
    """Print a line of a list of games: the two lengths, and the deal with what is said of it."""
    print_hanging(f"{cards:>7,} {tricks:>7,}  ", deal, indent=2)


def bar_room(longest: int, beside: int) -> int:
    """The length of the longest bar of a histogram on this screen, with `beside` characters beside it."""
    width = screen_width()
    return longest if width is None else max(1, min(longest, width - beside))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table as wide as the screen; on a terminal with colours."""
    colour = wants_colour()
    for line in table(columns, rows, screen_width()):
        print(painted(line, colour))


def labelled(lines: Iterable[tuple[str, str]], width: int | None) -> list[str]:
    """The lines of a summary, each with its label in front.

    Examples
    --------
    >>> labelled([("rate", "8.12 M/s")], 80)
    ['rate         8.12 M/s']
    """
    return [line for label, text in lines for line in hanging(f"{label:<13}", text, width)]


def painted(line: str, colour: bool) -> str:
    """A line whose deals are coloured, if colours are wanted."""
    return _DEAL.sub(lambda match: coloured(match[0]), line) if colour else line
