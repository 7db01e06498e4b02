from collections.abc import Sequence
from typing import Self, SupportsIndex

import numpy as np
import numpy.typing as npt

from camicia.cards import Deck
from camicia.rows import Prepared

STREAM_VERSION: int
SEED_LIMIT: int
INDEPENDENT_UNIT: int

class DealStream:
    relabelling_count: int
    size: int
    rotations: int
    deals_per_shuffle: int
    def __new__(cls, deck: Deck, seed: int, unit: int) -> Self: ...
    def prepare(self, prepared: Prepared, count: int) -> None: ...
    def take(self, count: int) -> npt.NDArray[np.uint8]: ...

def checked_seed(seed: SupportsIndex) -> int: ...
def relabellings(deck: Deck) -> Sequence[tuple[int, ...]]: ...
def random_deals(deck: Deck, n: SupportsIndex, seed: SupportsIndex) -> npt.NDArray[np.uint8]: ...
