"""The summary of a ledger as one document: what `status` and `search` report."""

from __future__ import annotations

import math
from typing import Any

from camicia.text import file_name
from search.campaign import Totals
from search.finds import LENGTHS
from search.ledger import Entry, Ledger, StoredFind, imported
from search.report.census import census
from search.strategies import strategy_named


def summary(ledger: Ledger) -> dict[str, Any]:
    """Describe a ledger under JSON field names.

    Parameters
    ----------
    ledger : Ledger
        The ledger.

    Returns
    -------
    dict
        Deck and strategy; totals, histogram and longest finds over all campaigns; and those of each campaign.
        Seeds, ranks, checksums and counts of deals are strings.
    """
    entries = ledger.campaigns()
    totals = Totals()
    histogram: dict[int, int] = {}
    for entry in entries:
        totals.join(ledger.totals(entry))
        for tricks, games in ledger.histogram(entry).items():
            histogram[tricks] = histogram.get(tricks, 0) + games
    finds = [(entry, find) for entry in entries for find in ledger.finds(entry)]
    return {
        "ledger": file_name(ledger.path),
        "strategy": entries[0].campaign.strategy if entries else None,
        "deck": str(entries[0].campaign.deck) if entries else None,
        **_figures(totals),
        "longest": {
            length: find_document(*max(finds, key=lambda item: _order(item[1], length))) if finds else None
            for length in LENGTHS
        },
        "histogram": {str(tricks): str(games) for tricks, games in sorted(histogram.items())},
        **census(ledger),
        "incomplete": any(ledger.units_set_aside(entry) for entry in entries),
        "imported": len(imported(ledger)),
        "campaigns": [_campaign(ledger, entry) for entry in entries],
    }


def error_of_mean(document: dict[str, Any]) -> float | None:
    """Return the error of the mean number of tricks over all campaigns, which are independent."""
    parts = [
        (int(campaign["deals"]), campaign.get("mean_tricks_error"))
        for campaign in document["campaigns"]
        if int(campaign["deals"])
    ]
    if not parts or any(error is None for _, error in parts):
        return None
    deals = sum(number for number, _ in parts)
    return math.sqrt(sum((number * error) ** 2 for number, error in parts)) / deals


def find_document(entry: Entry, find: StoredFind) -> dict[str, Any]:
    """Describe a find under JSON field names."""
    result = find.result.as_dict()
    del result["reason"], result["kernel"]
    return {
        "rank": str(find.rank),
        "deal": find.deal,
        "deck": str(entry.campaign.deck),
        **result,
        "seed": str(entry.campaign.seed),
        "unit": find.unit,
    }


def _order(find: StoredFind, length: str) -> tuple[int, int]:
    return getattr(find.result, length), -find.rank


def _figures(totals: Totals) -> dict[str, Any]:
    return {
        "units": totals.units,
        "deals": str(totals.games),
        "loops": str(totals.loops),
        "mean_cards": totals.mean("cards"),
        "mean_tricks": totals.mean("tricks"),
        "core_seconds": totals.processor_seconds,
        "deals_per_core_second": totals.processor_rate,
        "worker_seconds": totals.milliseconds / 1000,
        "checksum": f"{totals.checksum:016x}",
    }


def _campaign(ledger: Ledger, entry: Entry) -> dict[str, Any]:
    totals = ledger.totals(entry)
    strategy = strategy_named(entry.campaign.strategy)
    return {
        **entry.campaign.as_dict(),
        "identity": entry.campaign.identity,
        "version": entry.version,
        **_figures(totals),
        **strategy.details(entry.campaign, totals),
        "origins": [
            dict(zip(("kernel", "host", "version"), origin, strict=True)) for origin in ledger.origins(entry)
        ],
        "runs": ledger.runs(entry),
        "set_aside": [
            {"unit": unit, "reason": reason} for unit, reason in ledger.units_set_aside(entry).items()
        ],
    }
