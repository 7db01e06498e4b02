"""Kinds of values from outside: what numbers and text may be, and the words for what is expected."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

#: Most digits of a decimal number in text: more than any sum or rank of a hunted deck has.
MOST_DIGITS = 200

#: Most characters of a name (a host, a kernel, a version) and of a longer remark.
MOST_NAME = 255
MOST_REMARK = 10_000

_DECIMAL = re.compile(rf"0|[1-9]\d{{0,{MOST_DIGITS - 1}}}", re.ASCII)

#: Control characters, line separators, marks that change the direction of text, and lone surrogates.
_CONTROL = re.compile("[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class Kind(NamedTuple):
    """The values that a column or a field may hold.

    Parameters
    ----------
    expected : str
        The values, in words.
    accepts : callable
        Returns whether a value is one of them.
    """

    expected: str
    accepts: Callable[[Any], bool]


def whole(least: int, most: int) -> Kind:
    """Whole numbers in a range.

    Examples
    --------
    >>> kind = whole(1, 1000)
    >>> kind.expected, kind.accepts(1000), kind.accepts(0), kind.accepts("7"), kind.accepts(True)
    ('a whole number from 1 to 1,000', True, False, False, False)
    """
    return Kind(
        f"a whole number from {least:,} to {most:,}",
        lambda value: type(value) is int and least <= value <= most,
    )


def decimal(most: int | None = None) -> Kind:
    """Whole numbers written as decimal text, with no sign, space or leading zero.

    Examples
    --------
    >>> [decimal().accepts(text) for text in ("0", "12", "012", "-1", "1" * 5000, 12)]
    [True, True, False, False, False, False]
    """

    def accepts(value: Any) -> bool:
        if not isinstance(value, str) or not _DECIMAL.fullmatch(value):
            return False
        return most is None or int(value) <= most

    upper = "" if most is None else f" up to {most:,}"
    return Kind(f"a decimal number{upper}, as text", accepts)


def pattern(expected: str, expression: re.Pattern[str], most: int = MOST_NAME) -> Kind:
    """Text of at most `most` characters that an expression matches as a whole."""
    return Kind(
        expected,
        lambda value: isinstance(value, str) and len(value) <= most and bool(expression.fullmatch(value)),
    )


def line(most: int = MOST_NAME) -> Kind:
    """Text without control characters, which a terminal might obey."""
    return Kind(
        f"one line of at most {most:,} characters, none of them a control character",
        lambda value: isinstance(value, str) and len(value) <= most and not _CONTROL.search(value),
    )


def remark(most: int = MOST_REMARK) -> Kind:
    """Text that may have several lines, such as the message of an error."""
    return Kind(
        f"text of at most {most:,} characters, no control characters but for the ends of lines",
        lambda value: (
            isinstance(value, str)
            and len(value) <= most
            and not _CONTROL.search(value.replace("\n", "").replace("\t", ""))
        ),
    )


def one_of(*names: str | None) -> Kind:
    """One of a list of texts."""
    return Kind(
        "one of " + ", ".join("NULL" if name is None else repr(name) for name in names),
        lambda value: (value is None or isinstance(value, str)) and value in names,
    )


def optional(kind: Kind) -> Kind:
    """The values of another kind, or None."""
    return Kind(f"{kind.expected}, or NULL", lambda value: value is None or kind.accepts(value))


def printable(text: str, most: int = MOST_REMARK) -> str:
    """Text as a ledger takes it: control characters and lone surrogates as escapes, cut to a length.

    Examples
    --------
    >>> printable("node-1"), printable("a\\x1b[2J"), printable("abcd", 2)
    ('node-1', 'a\\\\x1b[2J', 'ab')
    """
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)[:most]


def shown(value: object, most: int = 60) -> str:
    """A value for an error message, in one line, cut short if it is long."""
    text = printable(value if isinstance(value, str) else "NULL" if value is None else repr(value))
    return text if len(text) <= most else f"{text[:most]}..."
