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
from search.errors import USAGE

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

T = TypeVar("T")

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

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the words of a command line; names the option that was probably meant by an unknown one."""
        arguments, unknown = self.parse_known_args(args, namespace)
        if unknown:
            options = [word.partition("=")[0] for word in unknown if word.startswith("--")]
            known = _options_of(self)
            hint = ""
            if options and options[0] in known:
                hint = " (an option of other strategies)"
            elif options:
                hint = misspelled(options[0], known)
            self.error(f"unrecognized arguments: {' '.join(map(unshielded, unknown))}{hint}")
        return arguments

    def error(self, message: str) -> NoReturn:
        """Print one line and exit."""
        self.exit(USAGE, f"{self.prog}: {message}; see {self.prog} --help\n")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        # argparse's own says nothing if help cannot be printed.
        if file is sys.stdout:
            file.write(message)
        else:
            super()._print_message(message, file)


def misspelled(word: str, known: Iterable[str]) -> str:
    """A question for an error message: what was probably meant by a word; empty if nothing is like it.

    Examples
    --------
    >>> misspelled("serch", ["search", "play"]), misspelled("x", ["search", "play"])
    (" (did you mean 'search'?)", '')
    """
    # Needed only where something is wrong.
    import difflib

    alike = difflib.get_close_matches(word, list(known), n=1)
    return f" (did you mean {alike[0]!r}?)" if alike else ""


def _options_of(parser: argparse.ArgumentParser) -> set[str]:
    """The options of a parser and of those below it."""
    found: set[str] = set()
    for action in parser._actions:
        found.update(option for option in action.option_strings if action.help != argparse.SUPPRESS)
        if isinstance(action, argparse._SubParsersAction):
            found.update(*(_options_of(child) for child in action.choices.values()))
    return found


def shielded(argv: Sequence[str]) -> list[str]:
    """Keep argparse from taking deals and numbers that begin with ``-`` for options: a space in front does.

    Examples
    --------
    >>> shielded(["play", "--A/-K-", "--json", "-"])
    ['play', ' --A/-K-', '--json', '-']
    """
    words = [f" {word}" if _is_no_option(word) else word for word in argv]
    if "--" in words:
        # Python before 3.13 makes a list of a second one.
        after = words.index("--") + 1
        words[after:] = [f" {word}" if word == "--" else word for word in words[after:]]
    return words


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
