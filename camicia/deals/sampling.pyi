from collections.abc import Sequence
from typing import Self, SupportsIndex

import numpy as np
import numpy.typing as npt

from camicia.cards import Deck
from camicia.deals.source import DealSource

STREAM_VERSION: int
SEED_LIMIT: int
INDEPENDENT_UNIT: int

class DealStream(DealSource):
    @property
    def relabelling_count(self) -> int: ...
    @property
    def rotations(self) -> int: ...
    @property
    def deals_per_shuffle(self) -> int: ...
    def __new__(cls, deck: Deck, seed: int, unit: int) -> Self: ...

def checked_seed(seed: SupportsIndex) -> int: ...
def relabellings(deck: Deck) -> Sequence[tuple[int, ...]]: ...
def random_deals(deck: Deck, n: SupportsIndex, seed: SupportsIndex) -> npt.NDArray[np.uint8]: ...
