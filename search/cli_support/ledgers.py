"""The ledger that a command reads: the one that is named, or the one in the current directory."""

from __future__ import annotations

import argparse
from pathlib import Path

from search.cli_support.output import tell
from search.errors import CampaignError
from search.ledger import ledgers_in


def add_ledger(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names a ledger, and may be left out."""
    parser.add_argument(
        "ledger",
        type=Path,
        nargs="?",
        metavar="LEDGER",
        help="the file that `camicia search` made (default: the newest ledger in this directory)",
    )


def the_ledger(named: Path | None) -> Path:
    """The ledger that is meant; one that was not named is named on stderr.

    Raises
    ------
    CampaignError
        If none was named and there is none in the current directory.
    """
    if named is not None:
        return named
    found = ledgers_in(Path())
    if not found:
        raise CampaignError(
            "no ledger in this directory, expected the name of one; `camicia search` makes them"
        )
    others = f", the newest of {len(found)} ledgers here" if len(found) > 1 else ""
    tell(f"camicia: ledger {found[0]}{others}")
    return found[0]
