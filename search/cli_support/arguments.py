"""What commands have in common: parsers, the kinds of their arguments, JSON out."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from camicia.cards import Deck
from camicia.checks import shortened
from camicia.decks import deck_named
from camicia.errors import CamiciaError
from search.driver import MOST_SECONDS
from search.errors import USAGE
from search.shards import Shard
from search.strategies import Strategy
from search.workers import MOST_WORKERS, scheduler_address

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

T = TypeVar("T")

_DURATION = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s?)?", re.ASCII)

#: Numbers of deals are written with a thousand, a million and so on as people say them.
_THOUSANDS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_NUMBER = re.compile(r"(\d+(?:[_,]\d+)*)?(?:\.(\d+))?(?:e\+?(\d+))?([kmgt]?)", re.ASCII)

#: The largest number of deals that is understood: many times the deals of the 52-card deck, about 2^69.
MOST_DEALS = 2**127 - 1

#: A number written with more characters than this is too large, whatever it is.
_LONGEST_NUMBER = 100


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Fills the paragraphs of a description to the width of the terminal, and keeps examples as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        filled = textwrap.TextWrapper(
            width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
        )
        parts = text.strip().split("\n\n")
        return "\n\n".join(part if "\n " in part else filled.fill(part) for part in parts)


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, and whose help keeps the examples as they are written."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("formatter_class", Formatter)
        kwargs.setdefault("allow_abbrev", False)
        super().__init__(*args, **kwargs)

    def error(self, message: str) -> NoReturn:
        """Print one line and exit."""
        self.exit(USAGE, f"{self.prog}: {message}; {self.prog} --help tells more\n")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        # argparse's own says nothing if help cannot be printed.
        if file is sys.stdout:
            file.write(message)
        else:
            super()._print_message(message, file)


def shielded(argv: Sequence[str]) -> list[str]:
    """Keep argparse from taking deals and numbers that begin with ``-`` for options: a space in front does.

    Examples
    --------
    >>> shielded(["play", "--A/-K-", "--json", "-"])
    ['play', ' --A/-K-', '--json', '-']
    """
    return [f" {word}" if _is_no_option(word) else word for word in argv]


def unshielded(word: str) -> str:
    """Take away the space that `shielded` has put in front of a word.

    Examples
    --------
    >>> unshielded(" --A/-K-"), unshielded(" x")
    ('--A/-K-', ' x')
    """
    return word[1:] if word[:1] == " " and _is_no_option(word[1:]) else word


def _is_no_option(word: str) -> bool:
    if not word.startswith("-") or word in ("-", "--"):
        return False
    if word[1].isdigit():
        return True
    # Wrong characters too, so that the message is about the deal: but no option has a slash, a bar or a space
    # without a "=", begins with three hyphens or ends with one.
    if not word.strip("-.JQKAXjqkax/") or word.startswith("---") or word.endswith("-"):
        return True
    return "=" not in word and any(mark in word for mark in "/| ")


def checked(read: Callable[[str], T]) -> Callable[[str], T]:
    """Make a type for argparse of a function that raises a CamiciaError for what it cannot read."""

    def read_argument(text: str) -> T:
        try:
            # Without the space that shields it.
            return read(text.strip())
        except CamiciaError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read_argument


def deck(text: str) -> Deck:
    """Read a deck, by name or as counts.

    Examples
    --------
    >>> deck("italian") == deck("28:4:4:4:0")
    True
    """
    return checked(deck_named)(text)


def duration(text: str) -> float:
    """Read a time such as ``90``, ``90s``, ``10m``, ``1h30m`` or ``2d`` as seconds.

    Examples
    --------
    >>> duration("1h30m"), duration("0.5s")
    (5400.0, 0.5)
    """
    text = text.strip()
    match = _DURATION.fullmatch(text.lower())
    if not match or not any(match.groups()):
        raise argparse.ArgumentTypeError(
            f"time {shortened(text)}: expected one such as 90s, 10m, 1h30m or 2d"
        )
    days, hours, minutes, seconds = (float(part or 0) for part in match.groups())
    total = days * 86400 + hours * 3600 + minutes * 60 + seconds
    if total <= 0:
        raise argparse.ArgumentTypeError(f"time {shortened(text)}: must be longer than zero")
    if total > MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"time {shortened(text)}: expected at most {MOST_SECONDS // 86400}d")
    return total


def count(text: str) -> int:
    """Read a whole number from 1 up, such as ``1000``, ``1_000``, ``1e9`` or ``10M``.

    Examples
    --------
    >>> count("1e9"), count("2.5M"), count("1_000")
    (1000000000, 2500000, 1000)
    """
    return _checked_count(text, MOST_DEALS)


def count_up_to(most: int) -> Callable[[str], int]:
    """Make a type for argparse that reads what `count` does, up to a limit.

    Examples
    --------
    >>> count_up_to(100)("50")
    50
    """

    def read_count(text: str) -> int:
        return _checked_count(text, most)

    return read_count


#: Reads a number of worker processes.
workers = count_up_to(MOST_WORKERS)


def count_or_none(text: str) -> int:
    """Read a whole number from 0 up, as `count` does."""
    return 0 if text.strip() == "0" else count(text)


def _checked_count(text: str, most: int) -> int:
    text = text.strip()
    number = _whole(text)
    if number is None or number < 1:
        raise argparse.ArgumentTypeError(
            f"number {shortened(text)}: expected a whole number from 1 up, such as 1000, 1e9 or 10M"
        )
    if number > most:
        raise argparse.ArgumentTypeError(
            f"number {shortened(text)}: expected a whole number from 1 to {most:,}"
        )
    return number


def _whole(text: str) -> int | None:
    """Read a whole number, all in integers: an exponent may stand for more than any other type holds."""
    match = _NUMBER.fullmatch(text.lower())
    if not match or match[1] is match[2] is None:
        return None
    digits = re.sub("[_,]", "", match[1] or "")
    decimals = (match[2] or "").rstrip("0")
    zeros = int(match[3] or "0") if len(match[3] or "") < 9 else _LONGEST_NUMBER
    if len(text) > _LONGEST_NUMBER or zeros >= _LONGEST_NUMBER:
        # It is not worked out. (A zero written at such length is refused with the large ones.)
        return MOST_DEALS + 1
    number, rest = divmod(int(digits + decimals) * 10**zeros * _THOUSANDS[match[4]], 10 ** len(decimals))
    return None if rest else number


def seed(text: str) -> int:
    """Read a seed, 0 to 2**64 - 1."""
    text = text.strip()
    if not re.fullmatch(r"\d{1,20}", text, re.ASCII) or int(text) >= 1 << 64:
        raise argparse.ArgumentTypeError(f"seed {text!r}: expected a whole number from 0 to 2**64 - 1")
    return int(text)


def scheduler(text: str) -> str:
    """Read the address of a Dask scheduler."""
    return checked(scheduler_address)(text)


def shard(text: str) -> Shard:
    """Read which part of how many, such as ``2/3``.

    Examples
    --------
    >>> shard("2/3")
    Shard(number=2, of=3)
    """
    text = text.strip()
    match = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text, re.ASCII)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise argparse.ArgumentTypeError(f"shard {text!r}: expected I/N with I from 1 to N, such as 2/3")
    return Shard(int(match[1]), int(match[2]))


def out_file(text: str) -> str:
    """Read the name of a file to write; ``-`` stands for standard output.

    Examples
    --------
    >>> out_file("report.html"), out_file("-")
    ('report.html', '-')
    """
    name = unshielded(text)
    if not name or name.endswith("/") or os.path.basename(name) in (".", "..") or os.path.isdir(name):
        raise argparse.ArgumentTypeError(f"file {name!r}: expected the name of a file, not of a folder")
    return name


def add_settings(parser: argparse.ArgumentParser, strategy: Strategy) -> None:
    """Add the options that a strategy declares; the destination of each is the name of its setting."""
    if not strategy.options:
        return
    group = parser.add_argument_group(strategy.name, strategy.options_note)
    alternatives = {option.alternative_to: group.add_mutually_exclusive_group()
                    for option in strategy.options if option.alternative_to}  # fmt: skip
    for option in strategy.options:
        place = alternatives.get(option.name) or alternatives.get(str(option.alternative_to)) or group
        place.add_argument(
            option.flag,
            dest=option.name,
            type=checked(option.read),
            choices=option.choices,
            metavar=option.metavar,
            help=option.help,
        )


def add_json(parser: argparse._ActionsContainer) -> None:
    """Add the option that every command which reports has."""
    parser.add_argument("--json", action="store_true", help="print one JSON document instead")


def write_json(document: Any) -> None:
    """Print one JSON document on stdout."""
    json.dump(document, sys.stdout, indent=2)
    sys.stdout.write("\n")


def write_json_of(documents: Iterable[Any], name: str | None) -> None:
    """Print one JSON document on stdout whose list has `name`, each element as soon as it is there.

    An error of ours that ends the list early leaves a whole document, or none if the list is empty. Without
    a name, what is printed is the only element itself.
    """
    if name is None:
        for document in documents:
            write_json(document)
        return
    before = f'{{\n  "{name}": ['
    begun = False
    try:
        for document in documents:
            text = json.dumps(document, indent=2).replace("\n", "\n    ")
            sys.stdout.write(f"{',' if begun else before}\n    {text}")
            sys.stdout.flush()
            begun = True
    except CamiciaError:
        if begun:
            sys.stdout.write("\n  ]\n}\n")
        raise
    sys.stdout.write("\n  ]\n}\n" if begun else f"{before}]\n}}\n")


def duration_text(seconds: float) -> str:
    """Write a time for people.

    Examples
    --------
    >>> duration_text(59), duration_text(5400), duration_text(200000)
    ('59 s', '1 h 30 min', '2 d 7 h')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s" if whole < 600 else f"{whole // 60} min"
    if whole < 86400:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // 86400} d {whole % 86400 // 3600} h"


def rate_text(rate: float) -> str:
    """Write deals per second for people.

    Examples
    --------
    >>> rate_text(8_123_456), rate_text(950)
    ('8.12 M/s', '950/s')
    """
    if rate >= 1e6:
        return f"{rate / 1e6:.2f} M/s"
    return f"{rate / 1e3:.1f} k/s" if rate >= 1e4 else f"{rate:.0f}/s"
