from typing import Self

from camicia.cards import Deck
from camicia.deals.source import DealSource

class DealRange(DealSource):
    def __new__(cls, deck: Deck, start: int) -> Self: ...
    def seek(self, start: int) -> None: ...
