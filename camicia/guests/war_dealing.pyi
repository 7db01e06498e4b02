import numpy as np
import numpy.typing as npt

BLOCK: int

def deal_rows(deck: bytes, seed: int, block: int, deals: npt.NDArray[np.uint8]) -> None: ...
