"""Which ranks of a deck complete searches have covered."""

from __future__ import annotations

from search.ledger.contents import Entry
from search.ledger.ledger import Ledger
from search.ledger.unit_sets import UnitSet
from search.strategies import strategy_named
from search.strategies.ranges import RankRange, joined


def ranks_of(entry: Entry) -> RankRange | None:
    """Return the range of ranks that a campaign plays in full; None if it does not deal by rank."""
    return strategy_named(entry.campaign.strategy).ranks(entry.campaign)


def coverage(ledger: Ledger) -> tuple[RankRange, list[RankRange]] | None:
    """Return the range that a ledger of complete searches should cover, and the ranges it has covered.

    None if the ledger holds no complete search: only those play every rank of a range.

    Several searches, as after a merge, should cover everything from the first rank of any to the last.

    Raises
    ------
    CampaignError
        If two searches have played the same rank.
    """
    searches = [(entry, ranks) for entry in ledger.campaigns() if (ranks := ranks_of(entry))]
    if not searches:
        return None
    whole = RankRange(min(ranks.start for _, ranks in searches), max(ranks.stop for _, ranks in searches))
    return whole, joined(
        part
        for entry, ranks in searches
        for part in played(ledger.done(entry), ranks, entry.campaign.unit_size)
    )


def played(done: UnitSet, ranks: RankRange, unit_size: int) -> list[RankRange]:
    """Return the ranges of ranks that a campaign's units have played, adjacent ones joined."""
    return joined(
        RankRange(ranks.unit(part[0], unit_size).start, ranks.unit(part[-1], unit_size).stop)
        for run in done.runs()
        # Units with a step between them are not adjacent.
        for part in ([run] if run.step == 1 else (range(unit, unit + 1) for unit in run))
    )
