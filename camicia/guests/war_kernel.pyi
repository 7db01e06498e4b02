from typing import Any

import numpy as np
import numpy.typing as npt

BLOCK: int
ROW: np.dtype[np.void]

def play_rows(deals: npt.NDArray[np.uint8], cut: int, winner_first: bool, rows: npt.NDArray[Any]) -> None: ...
def deal_rows(deck: bytes, seed: int, block: int, deals: npt.NDArray[np.uint8]) -> None: ...
