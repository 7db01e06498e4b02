"""Merge ledgers that hold campaigns of one deck and strategy, or different units of one campaign."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from camicia.results import counted
from search.campaign import Campaign, Setting
from search.errors import CampaignError, LedgerError
from search.ledger.contents import Entry, source_of
from search.ledger.covering import coverage
from search.ledger.imports import take_over
from search.ledger.ledger import Ledger
from search.ledger.placing import install
from search.ledger.unit_sets import UnitSet
from search.strategies import strategy_named

#: Characters of the ledger's name used in the name of its temporary folder: a name is at most 255 bytes.
_PREFIX = 40


class Taken(NamedTuple):
    """Units that a merge has copied, with their ledger and campaign."""

    path: Path
    entry: Entry
    units: UnitSet


def merge(out: Path, sources: Sequence[Path]) -> None:
    """Merge ledgers into a new one.

    It appears under its name only once it is complete.

    Parameters
    ----------
    out : Path
        The new ledger; no file of that name may exist.
    sources : sequence of Path
        The ledgers to merge.

    Raises
    ------
    LedgerError
        If one is not a sound ledger, is of another deck or strategy, or holds deals that an earlier one
        holds; or if there is a file of the new ledger's name.
    """
    if not os.path.isdir(out.parent):
        raise LedgerError(f"ledger {str(out)!r}: its folder does not exist, expected one that does")
    # Several merges may be making the same ledger at once: each has its own folder.
    with TemporaryDirectory(prefix=f"{out.name[:_PREFIX]}.merging-", dir=out.parent) as folder:
        unfinished = Path(folder) / "merged.db"
        with Ledger(unfinished, "create") as ledger:
            taken: list[Taken] = []
            for source in sources:
                with Ledger(source) as other:
                    _absorb(ledger, other, taken)
        install(unfinished, out)


def _absorb(ledger: Ledger, other: Ledger, taken: list[Taken]) -> None:
    """Copy everything from another ledger, and record it in `taken`."""
    for theirs in other.campaigns():
        for ours in ledger.campaigns():
            _check_alike(ours.campaign, theirs.campaign, other.path)
        units = other.done(theirs)
        for earlier in taken:
            _check_deals(earlier, other.path, theirs, units)
        ledger.absorb(ledger.enter(theirs.campaign), other, theirs)
        taken.append(Taken(other.path, theirs, units))
    take_over(ledger, other)
    try:
        # For complete searches, the ranks show whether two have played the same deals.
        coverage(ledger)
    except CampaignError as error:
        raise LedgerError(f"ledger {str(other.path)!r}: {error}") from None


def _check_alike(ours: Campaign, theirs: Campaign, path: Path) -> None:
    """Check that strategy, deck and all settings, except those that may differ, are the same."""
    for name in ("strategy", "deck", "settings"):
        mine, its = getattr(ours, name), getattr(theirs, name)
        if name == "settings":
            mine, its = _fixed(ours), _fixed(theirs)
        if mine != its:
            raise LedgerError(
                f"ledger {str(path)!r}: has {name} {_text(its)}, expected {_text(mine)} as the first has"
            )


def _check_deals(earlier: Taken, path: Path, theirs: Entry, units: UnitSet) -> None:
    """Check that no unit of another ledger holds deals that were copied earlier.

    The deals depend only on the random stream and the unit's number, however else two campaigns differ: units
    of the same number begin with the same deals, even if one has more of them.
    """
    # Complete searches have no random stream; for them `coverage` compares the ranks.
    ours, source = earlier.entry, source_of(theirs)
    is_same = ours.campaign == theirs.campaign or (source is not None and source == source_of(ours))
    if is_same and (common := units.common(earlier.units)):
        raise LedgerError(
            f"ledger {str(path)!r}: unit {common.first()} of seed {theirs.campaign.seed} holds deals that are "
            f"there already, from {str(earlier.path)!r} ({counted(len(common), 'such unit')}); "
            "expected units that no other ledger holds"
        )


def _fixed(campaign: Campaign) -> dict[str, Setting]:
    """The settings that merged ledgers must have in common."""
    options = strategy_named(campaign.strategy).options
    may_differ = {option.name for option in options if option.may_differ}
    return {name: value for name, value in campaign.settings.items() if name not in may_differ}


def _text(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {setting}" for name, setting in value.items())
    return str(value)
