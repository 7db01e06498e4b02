"""The results of complete searches: what is covered and missing, the longest games, loops by cycle."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

from camicia.ancestry.ancestors import Cycle
from camicia.cards import Deal
from camicia.deals.ranks import rank_text
from camicia.results import Status, counted
from search.campaign import Totals
from search.finds import LENGTHS
from search.ledger import Ledger, StoredFind, coverage
from search.strategies import Strategy, strategy_named
from search.strategies.base import cycle_name
from search.strategies.ranges import gaps

#: Most gaps named in the text output; JSON has all.
GAPS_NAMED = 10


def census(ledger: Ledger) -> dict[str, Any]:
    """Describe a ledger of complete searches under JSON field names; empty for other hunts.

    Parameters
    ----------
    ledger : Ledger
        Of one or more campaigns, of one strategy and deck.

    Returns
    -------
    dict
        Ranges and ranks, deals and loops are strings, as all counts of deals; the lengths are numbers. Each
        list of longest deals has all ties that the ledger keeps; the counts are exact in any case.

    Raises
    ------
    CampaignError
        If two searches have played the same rank.
    """
    covered = coverage(ledger)
    if covered is None:
        return {}
    whole, done = covered
    entries = ledger.campaigns()
    deck = entries[0].campaign.deck
    strategy = strategy_named(entries[0].campaign.strategy)
    missing = gaps(whole, done)
    totals = Totals()
    histogram: Counter[int] = Counter()
    for entry in entries:
        totals.join(ledger.totals(entry, with_cycles=True))
        histogram.update(ledger.histogram(entry))
    found = [find for entry in entries for find in ledger.finds(entry)]
    loops = [find for entry in entries for find in ledger.finds(entry, Status.LOOP)]
    cycles = strategy.cycles(totals)
    groups = loop_groups(cycles, loops)
    return {
        "deck": str(deck),
        "deal_count": rank_text(deck.deal_count),
        "from": rank_text(whole.start),
        "to": rank_text(whole.stop),
        "complete": not missing,
        "gaps": [{"from": rank_text(gap.start), "to": rank_text(gap.stop)} for gap in missing],
        "deals": str(totals.games),
        "loops": str(totals.loops),
        "cycles": len(groups),
        **longest(found, strategy, totals, histogram),
        "sum_cards": totals.cards,
        "sum_tricks": totals.tricks,
        "cycle_list": groups,
        "loops_without_cycle": str(totals.loops - sum(cycles.values())),
    }


def longest(
    finds: list[StoredFind], strategy: Strategy, totals: Totals, histogram: Counter[int]
) -> dict[str, Any]:
    """Return the longest games by each length, with all ties by rank."""
    fields: dict[str, Any] = {}
    for by in LENGTHS:
        most = max((getattr(find.result, by) for find in finds), default=None)
        deals = sorted(
            (find for find in finds if getattr(find.result, by) == most), key=lambda find: find.rank
        )
        number = 0
        if most is not None:
            number = histogram[most] if by == "tricks" else strategy.games_of_cards(totals, most)
        fields[f"longest_{by}"] = most
        fields[f"longest_{by}_count"] = str(number)
        fields[f"longest_{by}_deals"] = [
            {
                "rank": rank_text(find.rank),
                "deal": find.deal,
                "winner": find.result.winner,
                "cards": find.result.cards,
                "tricks": find.result.tricks,
            }
            for find in deals
        ]
    return fields


def loop_groups(cycles: Mapping[str, int], loops: list[StoredFind]) -> list[dict[str, Any]]:
    """Return the cycles of all loops, most loops first, each with the deals that the ledger lists."""
    listed: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for find in sorted(loops, key=lambda find: find.rank):
        listed[cycle_name(Deal.parse(find.deal))].append(
            {
                "rank": rank_text(find.rank),
                "deal": find.deal,
                "transient_cards": find.result.transient_cards,
                "transient_tricks": find.result.transient_tricks,
            }
        )
    groups = []
    for name, number in cycles.items():
        cycle = Cycle.of(name)
        groups.append(
            {
                "cycle": name,
                "loops": str(number),
                "states": len(cycle.states),
                "cycle_cards": cycle.cards,
                "cycle_tricks": cycle.tricks,
                "deals": listed[name],
            }
        )
    return groups


def census_lines(document: dict[str, Any]) -> list[tuple[str, str]]:
    """What `census` told, for people: lines, each with its label."""
    state = "complete" if document["complete"] else "incomplete"
    lines = [("ranks", f"{document['from']} to {document['to']}, {state}")]
    if document["gaps"]:
        ranges = [f"{gap['from']} to {gap['to']}" for gap in document["gaps"]]
        more = f" and {len(ranges) - GAPS_NAMED} more" if len(ranges) > GAPS_NAMED else ""
        lines.append(("missing", ", ".join(ranges[:GAPS_NAMED]) + more))
    lines.append(("loops", f"{int(document['loops']):,} in {counted(document['cycles'], 'cycle')}"))
    for by in LENGTHS:
        if document[f"longest_{by}"] is not None:
            number = int(document[f"longest_{by}_count"])
            most = document[f"longest_{by}"]
            lines.append((f"by {by}", f"the longest has {counted(most, by[:-1])}: {counted(number, 'deal')}"))
    lines.append(("sums", f"{document['sum_cards']:,} cards, {document['sum_tricks']:,} tricks"))
    return lines
