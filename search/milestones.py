"""The longest known games of a deck, and the finds that are longer."""

from __future__ import annotations

from collections.abc import Iterable

from camicia.cards import Deck
from camicia.records import longest_known
from camicia.results import counted
from search.finds import LENGTHS
from search.ledger import StoredFind


class LongestKnown:
    """The lengths to beat, which rise as they are beaten.

    Parameters
    ----------
    deck : Deck
        The deck.
    """

    def __init__(self, deck: Deck) -> None:
        self._lengths = {length: longest_known(deck, length) for length in LENGTHS}

    def broken_by(self, finds: Iterable[StoredFind]) -> list[StoredFind]:
        """Those of the finds that are longer than any known before them; none if none is known."""
        longer = []
        for find in sorted(finds, key=lambda find: find.result.cards):
            lengths = {length: getattr(find.result, length) for length in LENGTHS}
            beaten = [
                length
                for length, known in self._lengths.items()
                if known is not None and lengths[length] > known
            ]
            if beaten:
                longer.append(find)
                self._lengths |= {length: lengths[length] for length in beaten}
        return longer

    def __str__(self) -> str:
        cards, tricks = self._lengths["cards"], self._lengths["tricks"]
        return f"{counted(cards, 'card')}, {counted(tricks, 'trick')}"
