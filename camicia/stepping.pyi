import numpy as np
import numpy.typing as npt

from camicia.cards import Deck

ARRANGEMENTS_KEPT: int
LONGEST_ENDING: int

class DealRange:
    def __init__(self, deck: Deck, start: int, capacity: int = ...) -> None: ...
    deck: Deck
    def seek(self, start: int) -> None: ...
    def take(self, count: int) -> npt.NDArray[np.uint8]: ...

def endings(
    counts: tuple[int, int, int, int, int], length: int
) -> list[tuple[tuple[int, int, int, int, int], int]]: ...
