"""`camicia records`: the known records, and their replay."""

from __future__ import annotations

import argparse
from typing import Any

from camicia import records
from camicia.decks import NAMED_DECKS
from camicia.results import Status, counted
from search.cli_support.arguments import add_json, write_json
from search.cli_support.tables import print_table
from search.errors import VerificationError

NAME = "records"

DESCRIPTION = """\
Lists the longest games and the loops that people have published, with who found them and when.

examples:
  camicia records
  camicia records --check      replay them all by the rules in plain Python
  camicia records --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("--check", action="store_true", help="replay every record; exit code 3 on a mismatch")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the records, and whether their replays agree."""
    wrong = records.check() if arguments.check else []
    if arguments.json:
        document: dict[str, Any] = {"records": [record.as_dict() for record in records.records()]}
        if arguments.check:
            document["mismatches"] = [
                {"deal": str(record.deal), "published": record.as_dict(), "replayed": replay.as_dict()}
                for record, replay in wrong
            ]
        write_json(document)
    else:
        _print_tables()
        if arguments.check:
            print(f"{counted(len(records.records()), 'record')} replayed, {len(wrong)} mismatched")
    if wrong:
        record, replay = wrong[0]
        raise VerificationError(
            f"{counted(len(wrong), 'record')} mismatched, the first {record.deal}: "
            f"published {record.result.reason} Replayed: {replay.reason}"
        )
    return 0


def _print_tables() -> None:
    """Print the longest games of each deck, then the loops, whose lengths are those of their cycles."""
    names = {deck: f"{name} deck" for name, deck in reversed(NAMED_DECKS.items())}
    known = records.records()
    for status, title in ((Status.FINISHED, "longest games"), (Status.LOOP, "lengths of cycles")):
        for deck in dict.fromkeys(record.deal.deck for record in known if record.result.status is status):
            # Lines that begin with # are left out by commands that read deals.
            print(f"# {title}, {names.get(deck, deck)}")
            chosen = [one for one in known if (one.result.status, one.deal.deck) == (status, deck)]
            print_table((">cards", ">tricks", "deal", "year", "finder", "source"), map(_row, chosen))


def _row(record: records.Record) -> tuple[str, ...]:
    result = record.result
    # A cycle's lengths are there for a loop only.
    cards, tricks = result.cycle_cards or result.cards, result.cycle_tricks or result.tricks
    year = str(record.year or "")
    return f"{cards:,}", f"{tricks:,}", str(record.deal), year, record.finder, record.source
