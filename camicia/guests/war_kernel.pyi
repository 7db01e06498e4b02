from typing import Any

import numpy as np
import numpy.typing as npt

ROW: np.dtype[np.void]

def play_war_rows(
    deals: npt.NDArray[np.uint8], cut: int, winner_first: bool, rows: npt.NDArray[Any]
) -> None: ...
