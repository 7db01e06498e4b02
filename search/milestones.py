"""The longest known games of a deck, and the finds that are longer."""

from __future__ import annotations

from collections.abc import Iterable

from camicia.cards import Deck
from camicia.records import longest_known
from camicia.results import counted
from search.ledger import StoredFind


class LongestKnown:
    """The lengths to beat, which rise as they are beaten.

    Parameters
    ----------
    deck : Deck
        The deck.
    """

    def __init__(self, deck: Deck) -> None:
        self._known = longest_known(deck)

    def broken_by(self, finds: Iterable[StoredFind]) -> list[StoredFind]:
        """Those of the finds that are longer than any known before them; none if none is known."""
        longer = []
        for find in sorted(finds, key=lambda find: (find.result.cards, find.result.tricks)):
            cards, tricks = find.result.cards, find.result.tricks
            if self._known and (cards > self._known[0] or tricks > self._known[1]):
                longer.append(find)
                self._known = max(cards, self._known[0]), max(tricks, self._known[1])
        return longer

    def __str__(self) -> str:
        if self._known is None:
            return "none"
        return f"{counted(self._known[0], 'card')}, {counted(self._known[1], 'trick')}"
