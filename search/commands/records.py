"""`camicia records`: the known records, and their replay."""

from __future__ import annotations

import argparse
from typing import Any

from camicia import records
from camicia.results import counted
from search.cli_support.arguments import add_json, write_json
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
        for record in records.records():
            result = record.result
            length = f"{counted(result.cards, 'card')}, {counted(result.tricks, 'trick')}"
            year = record.year or "year unknown"
            print(f"{record.deal}  {result.status}, {length}; {record.finder}, {year}; {record.source}")
        if arguments.check:
            print(f"{counted(len(records.records()), 'record')} replayed, {len(wrong)} mismatched")
    if wrong:
        record, replay = wrong[0]
        raise VerificationError(
            f"{counted(len(wrong), 'record')} mismatched, the first {record.deal}: "
            f"published {record.result.reason} Replayed: {replay.reason}"
        )
    return 0
