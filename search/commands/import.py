"""`camicia import`: keep others' deals in a ledger, replayed, apart from what the hunt found."""

from __future__ import annotations

import argparse
from pathlib import Path

from camicia.cards import Deal
from camicia.results import Result, Status, counted
from camicia.rules import play
from camicia.text import file_name
from search.cli_support.arguments import add_json, unshielded, write_json
from search.cli_support.notations import add_notation, written_as
from search.cli_support.output import STANDARD
from search.cli_support.reading import FORMS, DealReader, add_keep_going
from search.ledger import Ledger, import_deals

NAME = "import"

DESCRIPTION = f"""\
Stores other people's deals in a ledger. Each is replayed by the rules. They are kept apart: no total, no
checksum and no list of finds includes them. If one is not a deal, none is stored, unless --keep-going is
given.
{FORMS}
examples:
  camicia import climb-36-4-4-4-4.db deals.txt
  echo 'J--/-J-  # a small loop' | camicia import climb-36-4-4-4-4.db -
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("ledger", type=Path, metavar="LEDGER", help="the file that `camicia search` made")
    parser.add_argument("file", metavar="FILE", help="the deals, or - for standard input")
    add_notation(parser)
    add_keep_going(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Import, and print the result."""
    name = unshielded(arguments.file)
    source = "standard input" if name == STANDARD else file_name(name)
    reader = DealReader(_played, arguments.keep_going, written_as(arguments))
    played = list(reader.of_file(name))
    with Ledger(arguments.ledger, "write") as ledger:
        new = import_deals(ledger, played, source)
    best = max(played, key=lambda item: (item[1].status is Status.FINISHED, item[1].cards), default=None)
    if arguments.json:
        write_json(
            {
                "ledger": file_name(arguments.ledger),
                "deals": len(played),
                "new": new,
                "longest": best and {"deal": str(best[0]), **best[1].as_dict()},
            }
        )
        return reader.code
    print(f"{counted(len(played), 'deal')} replayed, {new} new")
    if best:
        print(f"{best[0]}  {best[1].reason}")
    return reader.code


def _played(deal: Deal) -> tuple[Deal, Result]:
    return deal, play(deal)
