"""Joining ledgers: of different campaigns of one deck and strategy, or of different units of one campaign."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from search.campaign import Campaign, Setting
from search.census import coverage
from search.errors import CampaignError, LedgerError
from search.imported import take_over
from search.ledger import Ledger
from search.strategies.enumerate import RANGE_SETTINGS, Enumerate

#: Settings that may differ between campaigns which are joined: ranges of ranks, and what climb measures when
#: a ledger is made, which comes out a little differently each time. Each campaign keeps its own.
MAY_DIFFER = (*RANGE_SETTINGS, "least_tricks", "from_end", "max_states")


def merge(out: Path, sources: Sequence[Path]) -> None:
    """Make a new ledger of all that others hold.

    It appears under its name only when it is whole.

    Parameters
    ----------
    out : Path
        The new ledger; a file of that name is replaced.
    sources : sequence of Path
        The ledgers to join.

    Raises
    ------
    LedgerError
        If one is not a sound ledger, is of another deck or strategy, or holds a unit or, of complete
        searches, a rank of an earlier one.
    """
    unfinished = out.with_name(out.name + ".merging")
    _remove(unfinished)
    try:
        with Ledger(unfinished, "create") as ledger:
            for source in sources:
                with Ledger(source) as other:
                    _absorb(ledger, other)
        os.replace(unfinished, out)
    finally:
        _remove(unfinished)


def _absorb(ledger: Ledger, other: Ledger) -> None:
    for theirs in other.campaigns():
        for ours in ledger.campaigns():
            for name in ("strategy", "deck", "settings"):
                mine, its = getattr(ours.campaign, name), getattr(theirs.campaign, name)
                if name == "settings":
                    mine, its = (_fixed(entry.campaign) for entry in (ours, theirs))
                if mine != its:
                    raise LedgerError(
                        f"ledger {str(other.path)!r}: has {name} {_text(its)}, expected {_text(mine)} as the "
                        "first has"
                    )
        ledger.absorb(ledger.enter(theirs.campaign), other, theirs)
    take_over(ledger, other)
    if any(entry.campaign.strategy == Enumerate.name for entry in ledger.campaigns()):
        try:
            coverage(ledger)
        except CampaignError as error:
            raise LedgerError(f"ledger {str(other.path)!r}: {error}") from None


def _fixed(campaign: Campaign) -> dict[str, Setting]:
    """The settings that ledgers which are joined must have in common."""
    return {name: value for name, value in campaign.settings.items() if name not in MAY_DIFFER}


def _text(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {setting}" for name, setting in value.items())
    return str(value)


def _remove(path: Path) -> None:
    for ending in ("", "-wal", "-shm", ".lock"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
