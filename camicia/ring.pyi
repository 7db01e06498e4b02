from typing import Any

import numpy as np
import numpy.typing as npt

ROW: np.dtype[np.void]

def play_one(hand_a: bytes, hand_b: bytes) -> tuple[int, int, int, int, int, int, int, int]: ...
def play_rows(deals: npt.NDArray[np.uint8], cut: int, rows: npt.NDArray[Any]) -> None: ...
