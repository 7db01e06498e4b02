"""Merge ledgers that hold campaigns of one deck and strategy, or different units of one campaign."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from tempfile import mkdtemp

from camicia.results import counted
from search.campaign import Campaign, Setting
from search.errors import CampaignError, LedgerError, VerificationError
from search.ledger.backups import remove
from search.ledger.contents import Entry, source_of
from search.ledger.covering import coverage, played
from search.ledger.folding import KEPT
from search.ledger.imports import take_over
from search.ledger.ledger import Ledger
from search.ledger.locks import has_writer
from search.ledger.placing import install
from search.ledger.shares import Past, Share, packed_pasts, unpacked_pasts
from search.ledger.stored import read_rows
from search.ledger.unit_sets import UnitSet
from search.strategies import strategy_named
from search.strategies.ranges import RankRange, joined

#: Characters of the ledger's name used in the name of its temporary folder: a name is at most 255 bytes.
_PREFIX = 40

#: Least number of blocks of each size that are taken over as they are from one ledger.
_LEAST_KEPT = 16

#: Seconds after which the temporary folder of a merge was left behind, if nobody writes its ledger, or if it
#: has none.
_UNWRITTEN_SECONDS, _EMPTY_SECONDS = 60.0, 3600.0

#: Called with the number of ledgers that were read, and how many there are.
Progress = Callable[[int, int], None]


def _silent(done: int, total: int) -> None:
    del done, total


def merge(out: Path, sources: Sequence[Path], *, on_progress: Progress = _silent) -> None:
    """Merge ledgers into a new one.

    It appears under its name only once it is complete.

    Parameters
    ----------
    out : Path
        The new ledger; no file of that name may exist.
    sources : sequence of Path
        The ledgers to merge.
    on_progress : callable, optional
        Called with the number of ledgers merged so far, and the number of all.

    Raises
    ------
    LedgerError
        If one is not a sound ledger, is of another deck or strategy, or holds deals that an earlier one
        holds; or if there is a file of the new ledger's name.
    """
    if not os.path.isdir(out.parent):
        raise LedgerError(f"ledger {str(out)!r}: its folder does not exist, expected one that does")
    _remove_left_over(out)
    # Several merges may be making the same ledger at once: each has its own folder.
    folder = Path(mkdtemp(prefix=f"{out.name[:_PREFIX]}.merging-", dir=out.parent))
    try:
        unfinished = folder / "merged.db"
        with Ledger(unfinished, "create") as ledger, ledger.transaction():
            merger = Merger(ledger, max(_LEAST_KEPT, KEPT // max(1, len(sources))))
            for number, source in enumerate(sources):
                merger.take(source)
                on_progress(number + 1, len(sources))
            merger.finish()
        install(unfinished, out)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def update(whole: Path, sources: Sequence[Path], *, on_progress: Progress = _silent) -> int:
    """Merge into a ledger what it does not have yet of others: those that are new, or have changed since.

    All is done in one transaction. A ledger that has grown is taken out and put in again.

    Parameters
    ----------
    whole : Path
        The ledger that grows; it is created if it does not exist.
    sources : sequence of Path
        The ledgers; the whole itself is left out.
    on_progress : callable, optional
        Called with the number of ledgers seen so far, and the number of all.

    Returns
    -------
    int
        How many of them were read.

    Raises
    ------
    LedgerError
        As `merge`; or if the ledger holds units of a source that can no longer be taken out, because a hunt
        has gone on in it.
    """
    is_new = not os.path.lexists(whole)
    try:
        with Ledger(whole, "create") as ledger:
            return _updated(ledger, whole, sources, on_progress)
    except BaseException:
        if is_new:
            # Nothing was merged: it is empty.
            remove(whole)
            whole.with_name(f"{whole.name}.lock").unlink(missing_ok=True)
        raise


def _updated(ledger: Ledger, whole: Path, sources: Sequence[Path], on_progress: Progress) -> int:
    """Do the work of `update` in one transaction."""
    read = 0
    with ledger.transaction():
        merger = Merger(ledger, _LEAST_KEPT)
        known = {row[2]: row for row in read_rows(ledger, "merged")}
        for number, source in enumerate(sources):
            if os.path.realpath(source) == os.path.realpath(whole):
                continue
            name = os.path.relpath(os.path.realpath(source), os.path.realpath(whole.parent))
            before, state = known.get(name), _state(source)
            if before is None or tuple(before[3:5]) != state:
                pasts = {} if before is None else _pasts(ledger, before)
                with Ledger(source) as other:
                    birth = _birth(other)
                    if before is not None and before[1] != birth:
                        raise LedgerError(
                            f"ledger {str(source)!r}: is not the ledger of that name that was merged before, "
                            "expected the same one; give it another name"
                        )
                    shares = merger.take_from(other, pasts)
                place = before[0] if before else ledger.next_number("merged")
                ledger.insert("merged", [place, birth, name, *state, packed_pasts(shares)], verb="REPLACE")
                read += 1
            on_progress(number + 1, len(sources))
        merger.check_coverage()
    return read


class Merger:
    """Adds ledgers to one, and sees that no deals are counted twice.

    Parameters
    ----------
    ledger : Ledger
        The ledger that they are added to, in a transaction.
    kept : int
        How many blocks of each size are taken over as they are from each.
    """

    def __init__(self, ledger: Ledger, kept: int) -> None:
        self._ledger = ledger
        self._kept = kept
        self._entries = {entry.campaign.identity: entry for entry in ledger.campaigns()}
        # For each random stream, or campaign that has none, the units whose deals are there, and where from.
        self._dealt: dict[Hashable, UnitSet] = {}
        self._origins: list[tuple[Path, Hashable, UnitSet]] = []
        self._ranks: list[tuple[Path, list[RankRange]]] = []
        for entry in self._entries.values():
            self._note(ledger.path, entry, ledger.done(entry))

    def take(self, path: Path) -> None:
        """Add all of a ledger."""
        with Ledger(path) as other:
            self.take_from(other, {})

    def take_from(self, other: Ledger, pasts: dict[str, Past]) -> list[tuple[str, Past]]:
        """Add all of an open ledger, in the place of what it held before; returns what it holds now."""
        now = []
        for theirs in other.campaigns():
            identity = theirs.campaign.identity
            for ours in list(self._entries.values())[:1]:
                _check_alike(ours.campaign, theirs.campaign, other.path)
            if identity not in self._entries:
                self._entries[identity] = self._ledger.enter(theirs.campaign)
            entry = self._entries[identity]
            if past := pasts.pop(identity, None):
                self._retract(other, theirs, entry, past)
            share = Share.of(other, theirs)
            self._check_deals(other.path, theirs, share.done)
            try:
                self._ledger.absorb(entry, share, self._kept)
            except VerificationError as error:
                raise VerificationError(f"ledger {str(other.path)!r}: {error}") from None
            self._note(other.path, theirs, share.done)
            now.append((identity, share.past()))
        if pasts:
            raise LedgerError(
                f"ledger {str(other.path)!r}: lacks campaign {min(pasts)}, which it had when it was merged "
                "before"
            )
        take_over(self._ledger, other)
        return now

    def finish(self) -> None:
        """Fold the blocks once all ledgers are in."""
        self.check_coverage()
        for entry in self._entries.values():
            self._ledger.fold(entry)

    def check_coverage(self) -> None:
        """See that no two complete searches have played the same rank: they have no random stream.

        Raises
        ------
        LedgerError
            If two have; it names the ledger that came last.
        """
        try:
            coverage(self._ledger)
        except CampaignError:
            taken: list[RankRange] = []
            for path, ranks in self._ranks:
                try:
                    taken = joined([*taken, *ranks])
                except CampaignError as error:
                    raise LedgerError(f"ledger {str(path)!r}: {error}") from None
            raise

    def _note(self, path: Path, entry: Entry, done: UnitSet) -> None:
        key = _key(entry)
        self._dealt.setdefault(key, UnitSet()).update(done)
        self._origins.append((path, key, done))
        if ranks := strategy_named(entry.campaign.strategy).ranks(entry.campaign):
            self._ranks.append((path, played(done, ranks, entry.campaign.unit_size)))

    def _retract(self, other: Ledger, theirs: Entry, entry: Entry, past: Past) -> None:
        """Take out what a ledger held when it was merged before."""
        done = other.done(theirs)
        if len(done.common(UnitSet(past.runs))) != sum(map(len, past.runs)):
            raise LedgerError(
                f"ledger {str(other.path)!r}: lacks units of campaign {theirs.campaign.identity} that it had "
                "when it was merged before, expected all of them; merge anew, into another ledger"
            )
        self._ledger.retract(entry, past, other.path)
        for run in past.runs:
            self._dealt[_key(theirs)].remove(run)

    def _check_deals(self, path: Path, theirs: Entry, units: UnitSet) -> None:
        """Check that no unit of another ledger holds deals that were copied earlier.

        The deals depend only on the random stream and the unit's number, however else two campaigns differ:
        units of the same number begin with the same deals, even if one has more of them.
        """
        key = _key(theirs)
        common = self._dealt.get(key, UnitSet()).common(units)
        if not common:
            return
        unit = common.first()
        earlier = next(origin for origin, of, done in self._origins if of == key and unit in done)
        raise LedgerError(
            f"ledger {str(path)!r}: unit {unit} of seed {theirs.campaign.seed} holds deals that "
            f"are there already, from {str(earlier)!r} ({counted(len(common), 'such unit')}); "
            "expected units that no other ledger holds"
        )


def _key(entry: Entry) -> Hashable:
    """What two campaigns have in common if their units of one number begin with the same deals."""
    source = source_of(entry)
    return entry.campaign.identity if source is None else source


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


def _fixed(campaign: Campaign) -> dict[str, Setting]:
    """The settings that merged ledgers must have in common."""
    options = strategy_named(campaign.strategy).options
    may_differ = {option.name for option in options if option.may_differ}
    return {name: value for name, value in campaign.settings.items() if name not in may_differ}


def _text(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {setting}" for name, setting in value.items())
    return str(value)


def _state(path: Path) -> tuple[int, int]:
    """Return what shows that a file or its log has changed: size, and time of the last change."""
    try:
        files = [os.stat(f"{path}{ending}") for ending in ("", "-wal") if os.path.exists(f"{path}{ending}")]
    except OSError:
        files = []
    return sum(file.st_size for file in files), max((file.st_mtime_ns for file in files), default=0)


def _birth(ledger: Ledger) -> str:
    """Return what its first campaign was and when it began, as 64 hexadecimal digits."""
    first = ledger.rows("SELECT identity, version, made FROM campaigns WHERE id = 1")
    return hashlib.sha256(repr(first).encode()).hexdigest()


def _pasts(ledger: Ledger, row: Sequence[object]) -> dict[str, Past]:
    data = row[-1]
    assert isinstance(data, bytes)
    try:
        return unpacked_pasts(data)
    except ValueError as error:
        what = f"table merged, row {row[0]}: {error}"
        raise LedgerError(f"ledger {str(ledger.path)!r}: damaged: {what}") from None


def _remove_left_over(out: Path) -> None:
    """Remove the temporary folders of merges into this ledger that were killed."""
    for folder in out.parent.glob(f"{_escaped(out.name[:_PREFIX])}.merging-*"):
        unfinished = folder / "merged.db"
        try:
            age = time.time() - folder.stat().st_mtime
            if unfinished.exists():
                is_stale = age > _UNWRITTEN_SECONDS and not has_writer(unfinished)
            else:
                is_stale = age > _EMPTY_SECONDS
        except (OSError, LedgerError):
            continue
        if is_stale:
            shutil.rmtree(folder, ignore_errors=True)


def _escaped(name: str) -> str:
    """Return a pattern that only this name matches."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)
