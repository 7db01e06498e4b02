import numpy as np
import numpy.typing as npt

from camicia.cards import Deck
from camicia.watch import Stop

INDEPENDENT_UNIT: int

def block_deals(deck: Deck) -> int: ...
def deal_block(
    deck: Deck,
    seed: int,
    block: int,
    rows: npt.NDArray[np.uint8],
    *,
    skip: int = 0,
    stop: Stop | None = None,
) -> None: ...
