from typing import Self

import numpy as np
import numpy.typing as npt

from camicia.cards import Deck

class DealRange:
    def __new__(cls, deck: Deck, start: int, capacity: int = ...) -> Self: ...
    deck: Deck
    def seek(self, start: int) -> None: ...
    def take(self, count: int) -> npt.NDArray[np.uint8]: ...
