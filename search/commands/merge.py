"""`camicia merge`: join ledgers of several machines."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from search.cli_support.arguments import add_json, write_json
from search.cli_support.output import tell
from search.cli_support.summary_lines import print_summary
from search.errors import LedgerError
from search.ledger import Ledger, ledgers_in, merge, update
from search.report import summary
from search.workers import interrupted_by_any

NAME = "merge"

DESCRIPTION = """\
Joins ledgers of the same deck and strategy into one: campaigns with different seeds, or different units of
one campaign (see --shard of `camicia search`). A folder stands for all ledgers in it. Deals that two ledgers
hold are refused: the seed and the number of a unit decide what it deals, whatever else differs. Of complete
searches, ranges of ranks are joined, and gaps between them are named.

With --update the ledger may exist, and grows: only ledgers that it does not have yet, or that have changed
since, are read. Either all of them are merged or none.

examples:
  camicia merge all.db monday.db tuesday.db
  camicia merge whole.db shard-1.db shard-2.db shard-3.db
  camicia merge --update all.db results
"""

#: Ledgers between two lines that report progress, where there are many.
_LINE_EVERY = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument(
        "out", type=Path, metavar="OUT", help="the merged ledger; without --update, no file may have its name"
    )
    parser.add_argument(
        "ledgers", type=Path, nargs="+", metavar="LEDGER", help="ledgers to join, and folders of them"
    )
    parser.add_argument(
        "--update", action="store_true", help="merge into a ledger that may exist, reading only what is new"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Merge, and print a summary."""
    out = arguments.out
    if not arguments.update and os.path.lexists(out):
        raise LedgerError(
            f"ledger {str(out)!r}: exists, expected the name of a new one; --update adds to one that exists"
        )
    sources = named_ledgers(arguments.ledgers, out)

    def show(done: int, total: int) -> None:
        if not arguments.quiet and total >= _LINE_EVERY and (done == total or done % _LINE_EVERY == 0):
            tell(f"merged {done:,} of {total:,} ledgers")

    with interrupted_by_any():
        if arguments.update:
            read = update(out, sources, on_progress=show)
            if not arguments.quiet:
                tell(f"read {read:,} of {len(sources):,} ledgers; the others have not changed")
        else:
            merge(out, sources, on_progress=show)
    with Ledger(out) as ledger:
        document = summary(ledger)
    if arguments.json:
        write_json(document)
    else:
        print_summary(document)
    return 0


def named_ledgers(names: list[Path], out: Path) -> list[Path]:
    """Return the ledgers that are meant: a folder stands for those in it, by name, without the merged one.

    Raises
    ------
    LedgerError
        If a folder has none.
    """
    found: list[Path] = []
    for name in names:
        if not name.is_dir():
            found.append(name)
            continue
        there = [path for path in ledgers_in(name) if not (out.exists() and path.samefile(out))]
        if not there:
            raise LedgerError(f"folder {str(name)!r}: has no ledger, expected one that `camicia search` made")
        found += sorted(there)
    return found
