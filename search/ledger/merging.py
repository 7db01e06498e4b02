"""Joining ledgers: of different campaigns of one deck and strategy, or of different units of one campaign."""

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
from search.strategies import strategy_named

#: Characters of the ledger's name in that of the folder where it is made: a name may have 255 bytes in all.
_PREFIX = 40


class Taken(NamedTuple):
    """Units that a merge has taken over: from which ledger and campaign."""

    path: Path
    entry: Entry
    units: set[int]


def merge(out: Path, sources: Sequence[Path]) -> None:
    """Make a new ledger of all that others hold.

    It appears under its name only when it is whole.

    Parameters
    ----------
    out : Path
        The new ledger; there must be no file of that name.
    sources : sequence of Path
        The ledgers to join.

    Raises
    ------
    LedgerError
        If one is not a sound ledger, is of another deck or strategy, or holds deals that an earlier one
        holds; or if there is a file of the new ledger's name.
    """
    if not os.path.isdir(out.parent):
        raise LedgerError(f"ledger {str(out)!r}: its folder does not exist, expected one that does")
    # Several merges at once may be making the same ledger: each has a folder of its own.
    with TemporaryDirectory(prefix=f"{out.name[:_PREFIX]}.merging-", dir=out.parent) as folder:
        unfinished = Path(folder) / "merged.db"
        with Ledger(unfinished, "create") as ledger:
            taken: list[Taken] = []
            for source in sources:
                with Ledger(source) as other:
                    _absorb(ledger, other, taken)
        install(unfinished, out)


def _absorb(ledger: Ledger, other: Ledger, taken: list[Taken]) -> None:
    """Take over all that another ledger holds, and note it in `taken`."""
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
        # Of complete searches the ranks tell whether two have played the same deals.
        coverage(ledger)
    except CampaignError as error:
        raise LedgerError(f"ledger {str(other.path)!r}: {error}") from None


def _check_alike(ours: Campaign, theirs: Campaign, path: Path) -> None:
    """See that strategy, deck and all settings but those that may differ are the same."""
    for name in ("strategy", "deck", "settings"):
        mine, its = getattr(ours, name), getattr(theirs, name)
        if name == "settings":
            mine, its = _fixed(ours), _fixed(theirs)
        if mine != its:
            raise LedgerError(
                f"ledger {str(path)!r}: has {name} {_text(its)}, expected {_text(mine)} as the first has"
            )


def _check_deals(earlier: Taken, path: Path, theirs: Entry, units: set[int]) -> None:
    """See that units of another ledger hold no deals that were taken over earlier.

    What is dealt is decided by the random stream and a unit's number, whatever else two campaigns differ in:
    units of one number begin with the same deals even if one has more of them.
    """
    common = units & earlier.units
    # Of complete searches, which have no random stream, `coverage` compares the ranks.
    ours, source = earlier.entry, source_of(theirs)
    is_same = ours.campaign == theirs.campaign or (source is not None and source == source_of(ours))
    if is_same and common:
        raise LedgerError(
            f"ledger {str(path)!r}: unit {min(common)} of seed {theirs.campaign.seed} holds deals that are "
            f"there already, from {str(earlier.path)!r} ({counted(len(common), 'such unit')}); "
            "expected units that no other ledger holds"
        )


def _fixed(campaign: Campaign) -> dict[str, Setting]:
    """The settings that ledgers which are joined must have in common."""
    options = strategy_named(campaign.strategy).options
    may_differ = {option.name for option in options if option.may_differ}
    return {name: value for name, value in campaign.settings.items() if name not in may_differ}


def _text(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {setting}" for name, setting in value.items())
    return str(value)
