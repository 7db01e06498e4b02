"""`camicia import`: keep others' deals in a ledger, replayed, apart from what the hunt found."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from camicia.cards import Deal
from camicia.errors import DealError
from camicia.reference import play
from camicia.results import Status, counted
from search.commands.arguments import add_json, write_json
from search.errors import CampaignError
from search.imported import import_deals
from search.ledger import Ledger

NAME = "import"

DESCRIPTION = """\
Keeps deals of others in a ledger: text, a deal a line; empty lines and what follows a # are left out. Each is
replayed by the rules. They are kept apart: no total, checksum or list of finds knows of them. If a line is
no deal, nothing is kept.

examples:
  camicia import climb-36-4-4-4-4.db deals.txt
  echo 'J--/-J-  # a small loop' | camicia import climb-36-4-4-4-4.db -
"""


def add_parser(subparsers: Any) -> None:
    """Add the command's parser."""
    parser = subparsers.add_parser(NAME, help="keep others' deals in a ledger", description=DESCRIPTION)
    parser.add_argument("ledger", type=Path, metavar="LEDGER", help="the file that `camicia search` made")
    parser.add_argument("file", metavar="FILE", help="the deals, or - for standard input")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Import, and tell what has come of it."""
    name = arguments.file.strip()
    source = "standard input" if name == "-" else name
    played = [(deal, play(deal)) for deal in parsed_lines(_lines(name), source)]
    with Ledger(arguments.ledger, "write") as ledger:
        new = import_deals(ledger, played, source)
    best = max(played, key=lambda item: (item[1].status is Status.FINISHED, item[1].cards), default=None)
    if arguments.json:
        write_json(
            {
                "ledger": str(arguments.ledger),
                "deals": len(played),
                "new": new,
                "longest": best and {"deal": str(best[0]), **best[1].as_dict()},
            }
        )
        return 0
    print(f"{counted(len(played), 'deal')} replayed, {new} new")
    if best:
        print(f"{best[0]}  {best[1].reason}")
    return 0


def _lines(name: str) -> list[str]:
    if name == "-":
        return sys.stdin.read().splitlines()
    try:
        return Path(name).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise CampaignError(f"file {name!r}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise CampaignError(f"file {name!r}: not text, expected a deal a line") from None


def parsed_lines(lines: Iterable[str], source: str) -> Iterator[Deal]:
    """Yield the deals of lines.

    Raises
    ------
    DealError
        If a line is not a deal; names it.

    Examples
    --------
    >>> from importlib import import_module
    >>> parsed_lines = import_module("search.commands.import").parsed_lines
    >>> [str(deal) for deal in parsed_lines(["# a loop", "J--/-J-", ""], "deals.txt")]
    ['J--/-J-']
    """
    for number, line in enumerate(lines, start=1):
        text = line.partition("#")[0].strip()
        if text:
            try:
                yield Deal.parse(text)
            except DealError as error:
                raise DealError(f"{source}, line {number}: {error}") from None
