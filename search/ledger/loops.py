"""The loops that the campaigns of a ledger have met, as starting points for others."""

from __future__ import annotations

from pathlib import Path

from camicia.cards import Deck
from camicia.results import Status
from search.errors import CampaignError
from search.ledger.ledger import Ledger
from search.strategies import strategy_named


def loops_in(path: str | Path, deck: Deck) -> list[str]:
    """Return deals and states that fall into a ledger's loops: largest cycles first, then listed deals.

    Raises
    ------
    LedgerError
        If it is not a sound ledger.
    CampaignError
        If it holds no loop of at most as many cards as the deck.
    """
    met: set[tuple[int, str]] = set()
    listed: list[str] = []
    with Ledger(path) as ledger:
        for entry in ledger.campaigns():
            strategy = strategy_named(entry.campaign.strategy)
            totals = ledger.totals(entry, with_cycles=True)
            met.update((deals, state) for state, deals in strategy.cycles(totals).items())
            listed += [item.deal for item in ledger.finds(entry, Status.LOOP)]
    named = [state for _, state in sorted(met, key=lambda one: (-one[0], one[1]))]
    # The text has one character per card, and a slash.
    found = [text for text in [*named, *listed] if len(text) <= deck.size + 1]
    if not found:
        raise CampaignError(
            f"--from {str(path)!r}: holds no loop of at most {deck.size} cards, expected some"
        )
    return found
