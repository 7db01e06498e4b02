"""What complete searches have covered of the ranks of a deck."""

from __future__ import annotations

from search.ledger.contents import Entry
from search.ledger.ledger import Ledger
from search.strategies import strategy_named
from search.strategies.ranges import RankRange, joined


def ranks_of(entry: Entry) -> RankRange | None:
    """The ranks that a campaign plays, every one; None if it is not ranks that decide what is dealt."""
    return strategy_named(entry.campaign.strategy).ranks(entry.campaign)


def coverage(ledger: Ledger) -> tuple[RankRange, list[RankRange]] | None:
    """The range that a ledger of complete searches is to cover, and the ranges that it covers.

    None if the ledger holds no complete search: only those play every rank of a range.

    Several searches, as after a merge, are to cover all from the first rank of any to the last.

    Raises
    ------
    CampaignError
        If two searches have played the same rank.
    """
    searches = [(entry, ranks) for entry in ledger.campaigns() if (ranks := ranks_of(entry))]
    if not searches:
        return None
    whole = RankRange(min(ranks.start for _, ranks in searches), max(ranks.stop for _, ranks in searches))
    return whole, joined(part for entry, ranks in searches for part in _played(ledger, entry, ranks))


def _played(ledger: Ledger, entry: Entry, ranks: RankRange) -> list[RankRange]:
    """The ranges of ranks that a campaign's units have played, adjacent ones joined."""
    return joined(ranks.unit(unit, entry.campaign.unit_size) for unit in ledger.done(entry))
