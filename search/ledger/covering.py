"""What complete searches have covered of the ranks of a deck."""

from __future__ import annotations

from search.ledger.contents import Entry
from search.ledger.ledger import Ledger
from search.strategies.enumerate import ranks_of
from search.strategies.ranges import RankRange, joined


def covered(ledger: Ledger, entry: Entry) -> list[RankRange]:
    """The ranges of ranks that a campaign's units have played, adjacent ones joined."""
    ranks = ranks_of(entry.campaign)
    return joined(ranks.unit(unit, entry.campaign.unit_size) for unit in ledger.done(entry))


def coverage(ledger: Ledger) -> tuple[RankRange, list[RankRange]]:
    """The range that a ledger of complete searches is to cover, and the ranges that it covers.

    Several searches, as after a merge, are to cover all from the first rank of any to the last.

    Raises
    ------
    CampaignError
        If two searches have played the same rank.
    """
    entries = ledger.campaigns()
    ranges = [ranks_of(entry.campaign) for entry in entries]
    whole = RankRange(min(part.start for part in ranges), max(part.stop for part in ranges))
    return whole, joined(part for entry in entries for part in covered(ledger, entry))
