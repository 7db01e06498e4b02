from typing import Any, Self

import numpy as np
import numpy.typing as npt

from camicia.cards import Deck
from camicia.watch import Stop

ROW: np.dtype[np.void]

def play_rows(
    deals: npt.NDArray[np.uint8],
    cut: int,
    rows: npt.NDArray[Any],
    name: str,
    *,
    first: int = 0,
    stop: Stop | None = None,
) -> None: ...

class Prepared:
    def __new__(cls, deck: Deck, capacity: int) -> Self: ...
    def put(self, deals: npt.NDArray[np.uint8], cut: int) -> None: ...
    def deals(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]: ...
    def play(self, name: str) -> None: ...
    def rows(self) -> npt.NDArray[Any]: ...
