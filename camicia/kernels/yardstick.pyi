import numpy as np
import numpy.typing as npt

def play_rows(
    deals: npt.NDArray[np.uint8], cards: npt.NDArray[np.int64], tricks: npt.NDArray[np.int64]
) -> None: ...
