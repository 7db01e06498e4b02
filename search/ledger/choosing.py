"""Find the ledger in a folder, or the campaign in a ledger, that a command refers to."""

from __future__ import annotations

from pathlib import Path

from search.campaign import Campaign
from search.errors import CampaignError
from search.ledger.contents import Entry
from search.ledger.ledger import Ledger
from search.ledger.schema import APPLICATION_ID

#: The first bytes of an SQLite file, and the offset of its application id.
_MAGIC = b"SQLite format 3\0"
_MARK = slice(68, 72)


def ledgers_in(folder: Path) -> list[Path]:
    """Return the files of a folder that are marked as ledgers, whatever their names, newest first.

    Backups and what recovery has set aside are left out. Nothing is opened as a database.
    """
    found = []
    for path in folder.glob("*.db"):
        try:
            with path.open("rb") as file:
                header = file.read(_MARK.stop)
            changed = max(part.stat().st_mtime for part in (path, Path(f"{path}-wal")) if part.exists())
        except OSError:
            continue
        if header.startswith(_MAGIC) and int.from_bytes(header[_MARK]) == APPLICATION_ID:
            found.append((changed, path))
    return [path for _, path in sorted(found, reverse=True)]


def chosen_campaign(ledger: Ledger, given: dict[str, object]) -> Entry | None:
    """Find the campaign of a ledger that a command refers to; None if the ledger holds none.

    Parameters
    ----------
    ledger : Ledger
        The ledger.
    given : dict
        Fields of the identity, settings included, that must match; those left out may be anything.

    Raises
    ------
    CampaignError
        If it holds another campaign, or several that match.
    """
    entries = ledger.campaigns()
    fitting = [entry for entry in entries if not _misfits(entry.campaign, given)]
    if len(fitting) == 1 or not entries:
        return fitting[0] if fitting else None
    if fitting:
        seeds = ", ".join(str(entry.campaign.seed) for entry in fitting[:3])
        raise CampaignError(
            f"ledger {str(ledger.path)!r}: holds {len(fitting)} campaigns, expected a --seed that "
            f"names one of them, such as {seeds}"
        )
    campaign = entries[0].campaign
    differing = ", ".join(
        f"{_named(name, _field(campaign, name))}, not {given[name]}" for name in _misfits(campaign, given)
    )
    raise CampaignError(
        f"ledger {str(ledger.path)!r}: holds another campaign ({differing}); choose another --ledger, "
        "or leave out what differs to resume this one"
    )


def _named(name: str, value: object) -> str:
    text = name.replace("_", " ")
    return f"no {text}" if value is None else f"{text} {value}"


def _field(campaign: Campaign, name: str) -> object:
    return campaign.settings[name] if name in campaign.settings else getattr(campaign, name, None)


def _misfits(campaign: Campaign, given: dict[str, object]) -> list[str]:
    return [name for name, value in given.items() if _field(campaign, name) != value]
