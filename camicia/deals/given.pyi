from typing import Self

import numpy as np
import numpy.typing as npt

from camicia.cards import Deck
from camicia.deals.source import DealSource

class GivenDeals(DealSource):
    def __new__(cls, deck: Deck, deals: npt.NDArray[np.uint8]) -> Self: ...
