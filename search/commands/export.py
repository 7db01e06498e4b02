"""`camicia export`: all that a ledger holds, as CSV or JSON."""

from __future__ import annotations

import argparse
import csv
import io
import json
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from camicia.results import Status
from search.cli_support.arguments import out_file
from search.cli_support.ledgers import add_ledger, the_ledger
from search.cli_support.output import STANDARD, written
from search.ledger import Ledger, imported
from search.report import find_document, summary

NAME = "export"

DESCRIPTION = """\
Writes what a ledger holds: as JSON all of it in one document, as CSV one table of it. Ranks, seeds, checksums
and numbers of deals are strings in JSON, since they may pass 2^53.

examples:
  camicia export climb-36-4-4-4-4.db --format json --out hunt.json
  camicia export climb-36-4-4-4-4.db --format csv --table units > units.csv
"""

#: The tables of CSV, and their columns.
TABLES = {
    "finds": (
        "campaign",
        "rank",
        "deal",
        "deck",
        "status",
        "winner",
        "cards",
        "tricks",
        "transient_cards",
        "transient_tricks",
        "cycle_cards",
        "cycle_tricks",
        "seed",
        "unit",
        "committed",
    ),
    "units": (
        "campaign",
        "unit",
        "step",
        "units",
        "games",
        "loops",
        "cards",
        "tricks",
        "checksum",
        "milliseconds",
        "committed",
        "kernel",
        "host",
        "version",
    ),
    "histogram": ("campaign", "tricks", "games"),
    "imported": (
        "deal",
        "deck",
        "status",
        "winner",
        "cards",
        "tricks",
        "transient_cards",
        "transient_tricks",
        "cycle_cards",
        "cycle_tricks",
        "source",
        "noted",
    ),
}

#: Numbers that may pass 2^53.
_STRINGS = ("games", "cards", "tricks", "loops")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_ledger(parser)
    parser.add_argument(
        "--format", choices=("csv", "json"), default="json", help="the format (default: json)"
    )
    parser.add_argument(
        "--table", choices=TABLES, default="finds", help="the table to write as CSV (default: finds)"
    )
    parser.add_argument(
        "--out",
        type=out_file,
        default=STANDARD,
        metavar="FILE",
        help="where to; - for standard output (default: -)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Export."""
    with Ledger(the_ledger(arguments.ledger)) as ledger:
        written(arguments.out, lambda file: _write(arguments, ledger, file))
    return 0


def _write(arguments: argparse.Namespace, ledger: Ledger, binary: BinaryIO) -> None:
    file = io.TextIOWrapper(binary, encoding="utf-8", newline="", write_through=True)
    try:
        if arguments.format == "json":
            tables: dict[str, Any] = {name: _json_rows(name, rows(ledger, name)) for name in TABLES}
            json.dump({"summary": summary(ledger), **tables}, file, indent=1)
            file.write("\n")
        else:
            writer = csv.DictWriter(file, TABLES[arguments.table], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows(ledger, arguments.table))
    finally:
        # The file below stays open, whatever happens: it may be standard output.
        file.detach()


def rows(ledger: Ledger, table: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of one of `TABLES`; checksums as 16 hexadecimal digits."""
    if table == "imported":
        yield from imported(ledger)
        return
    for entry in ledger.campaigns():
        of_campaign: Iterable[dict[str, Any]]
        if table == "finds":
            of_campaign = (
                find_document(entry, find) | {"committed": find.committed}
                for status in Status
                for find in ledger.finds(entry, status)
            )
        elif table == "units":
            of_campaign = (row | {"checksum": f"{row['checksum']:016x}"} for row in ledger.blocks(entry))
        else:
            histogram = ledger.histogram(entry)
            of_campaign = ({"tricks": tricks, "games": games} for tricks, games in histogram.items())
        for row in of_campaign:
            yield {"campaign": entry.campaign.identity} | row


def _json_rows(table: str, there: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    if table == "units":
        return [row | {name: str(row[name]) for name in _STRINGS} for row in there]
    if table == "histogram":
        return [row | {"games": str(row["games"])} for row in there]
    return list(there)
