"""The longest known games of a deck, and the finds that are longer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from camicia.cards import Deck
from camicia.records import longest_known
from camicia.results import Status, counted
from search.ledger import StoredFind


class LongestKnown:
    """The lengths to beat, those of the longest known games; they are raised each time they are beaten.

    Parameters
    ----------
    deck : Deck
        The deck.
    """

    def __init__(self, deck: Deck) -> None:
        self._cards = longest_known(deck, "cards")
        self._tricks = longest_known(deck, "tricks")

    @classmethod
    def of_finds(cls, deck: Deck, finds: Iterable[StoredFind]) -> Self:
        """Return the lengths of the longest games of a ledger, to be beaten in it."""
        best = cls(deck)
        best._cards = best._tricks = 0
        best.broken_by(finds)
        return best

    def broken_by(self, finds: Iterable[StoredFind]) -> list[StoredFind]:
        """Return the finds that are longer than any game known before them; none if no record is known."""
        if self._cards is None or self._tricks is None:
            return []
        longer = []
        for find in sorted(finds, key=lambda find: (find.result.cards, find.result.tricks)):
            cards, tricks = find.result.cards, find.result.tricks
            if find.result.status is Status.FINISHED and (cards > self._cards or tricks > self._tricks):
                longer.append(find)
                self._cards, self._tricks = max(cards, self._cards), max(tricks, self._tricks)
        return longer

    def __str__(self) -> str:
        if self._cards is None or self._tricks is None:
            return "none"
        return f"{counted(self._cards, 'card')}, {counted(self._tricks, 'trick')}"
