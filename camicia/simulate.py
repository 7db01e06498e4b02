"""Play deals: one, many at once, or two lists of faces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from camicia import kernels, reference, ring
from camicia.cards import Deal, checked_cut
from camicia.errors import DealError
from camicia.results import Result, Status

#: What people may hand in as one deal.
DealLike = Deal | str | Sequence[Any]

_STATUS = (Status.FINISHED, Status.LOOP)
_WINNER = {0: "A", 1: "B", 255: None}
_CODE_OF_WINNER = {name: code for code, name in _WINNER.items()}


def simulate(deal: DealLike, *, kernel: str | None = None) -> Result:
    """Play one deal exactly.

    Parameters
    ----------
    deal : Deal, str or pair of lists of faces
        The deal: a `Deal`, the notation of the field, or two lists such as ``["2", "A"], ["10", "K"]``.
    kernel : str, optional
        The kernel to play it on; ``CAMICIA_KERNEL`` or else ``ring`` unless given.

    Returns
    -------
    Result
        Status, winner, and both lengths in cards and tricks; for a loop its transient and cycle too.

    Raises
    ------
    DealError
        If it is not a deal.
    KernelError
        If the kernel is unknown or cannot run here.

    Examples
    --------
    >>> from camicia import simulate
    >>> result = simulate("---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---")
    >>> result.winner, result.cards, result.tricks
    ('B', 8344, 1164)
    """
    played = as_deal(deal)
    name = kernels.chosen_kernel(kernel) or "ring"
    if name == "reference":
        return reference.play(played)
    status, winner, cards, tricks, *loop = ring.play_one(played.hand_a, played.hand_b)
    if status:
        return Result(Status.LOOP, None, cards, tricks, *loop, name)
    return Result(Status.FINISHED, _WINNER[winner], cards, tricks, kernel=name)


def simulate_game(player_a: Iterable[str], player_b: Iterable[str]) -> dict[str, str | int]:
    """Play two lists of faces, by the convention of the Exercism exercise "Camicia".

    Parameters
    ----------
    player_a, player_b : list of str
        Faces ``"2"`` to ``"10"``, ``"J"``, ``"Q"``, ``"K"``, ``"A"``, top card first; A leads.

    Returns
    -------
    dict
        ``{"status": "finished" or "loop", "cards": int, "tricks": int}``.

    Raises
    ------
    DealError
        If a face is unknown or both lists are empty.

    Examples
    --------
    >>> from camicia import simulate_game
    >>> simulate_game(["2"], ["3"])
    {'status': 'finished', 'cards': 2, 'tricks': 1}
    """
    result = simulate(Deal.from_cards(player_a, player_b))
    return {"status": str(result.status), "cards": result.cards, "tricks": result.tricks}


def simulate_many(
    deals: npt.NDArray[np.uint8] | Iterable[DealLike],
    *,
    cut: int | None = None,
    threads: int = 1,
    kernel: str | None = None,
) -> npt.NDArray[np.void]:
    """Play many deals exactly, without the GIL.

    Parameters
    ----------
    deals : uint8 array of shape (n, cards), or sequence of deals
        Card codes 0 to 4 a row, hand A followed by hand B, of any strides; or anything that `simulate`
        takes, of mixed sizes.
    cut : int, optional
        For an array: cards that hand A gets; half, rounded down, unless given.
    threads : int, optional
        Threads to play on.
    kernel : str, optional
        The kernel to play on; ``CAMICIA_KERNEL`` or else the fastest unless given.

    Returns
    -------
    structured array, shape (n,)
        ``status`` (uint8: 0 finished, 1 loop), ``winner`` (uint8: 0 A, 1 B, 255 none), ``cards`` and
        ``tricks`` (int64; for a loop those played when the first repeated state is reached).

    Raises
    ------
    DealError
        If the array has another dtype, shape or code, or an item is not a deal.
    KernelError
        If the kernel is unknown or cannot run here.

    Examples
    --------
    >>> from camicia import simulate_many
    >>> simulate_many(["J--/-J-", "-/-"])[["status", "cards"]].tolist()
    [(1, 8), (0, 2)]
    """
