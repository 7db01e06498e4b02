"""Imported deals: replayed, and kept apart from the hunt's own finds."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from camicia.cards import Deal
from camicia.kinds import printable
from camicia.results import Result
from search.ledger.columns import RESULT_FIELDS
from search.ledger.schema import COLUMNS
from search.ledger.store import Store
from search.ledger.stored import read_rows


def import_deals(store: Store, played: Iterable[tuple[Deal, Result]], source: str) -> int:
    """Add imported deals to a ledger; returns how many are new.

    Parameters
    ----------
    store : Store
        The ledger, open for writing.
    played : iterable of Deal and Result
        The deals, and their results by the rules.
    source : str
        The file they came from.

    Raises
    ------
    HuntError
        If the file cannot be written.
    """
    now = int(time.time())
    rows = []
    for deal, result in played:
        fields = {name: getattr(result, name) for name in RESULT_FIELDS} | {"status": str(result.status)}
        rows.append([str(deal), str(deal.deck), *fields.values(), printable(source), now])
    return _keep(store, rows)


def imported(store: Store) -> list[dict[str, Any]]:
    """Return a ledger's imported deals, longest first, under their JSON field names."""
    names = COLUMNS["imported"]
    rows = read_rows(store, "imported", "ORDER BY cards DESC, tricks DESC, deal")
    return [dict(zip(names, row, strict=True)) for row in rows]


def take_over(store: Store, other: Store) -> None:
    """Copy the imported deals of another ledger."""
    _keep(store, [list(row.values()) for row in imported(other)])


def _keep(store: Store, rows: list[list[Any]]) -> int:
    known = {deal for (deal,) in store.rows("SELECT deal FROM imported")}
    before = len(known)
    with store.transaction():
        for row in rows:
            if row[0] not in known:
                known.add(row[0])
                store.insert("imported", row)
    return len(known) - before
