"""Play War: one deal, or many at once."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from camicia.checks import checked_cut
from camicia.codes import MAX_CARDS
from camicia.errors import CamiciaError, DealError
from camicia.guests.war_cards import VALID_CODES, WarDeal
from camicia.guests.war_kernel import ROW, play_war_rows
from camicia.guests.war_rules import AS_LAID, WINNER_FIRST, WarResult, checked_collect
from camicia.results import Status

#: The codes in the rows of `simulate_war_many`, in words.
_WINNER = {0: "A", 1: "B"}

_IS_VALID = np.isin(np.arange(256), list(VALID_CODES))


def simulate_war(
    hand_a: str | Iterable[str], hand_b: str | Iterable[str], *, collect: str = AS_LAID
) -> WarResult:
    """Play one game of War exactly.

    Parameters
    ----------
    hand_a, hand_b : str or list of str
        The hands, top card first: a string such as ``"2TJ"``, with ``T`` for ten, or a list of faces such as
        ``["2", "10", "J"]``.
    collect : str, optional
        How the winner of a trick collects it: ``"as-laid"``, the table in the order laid, or
        ``"winner-first"``, the winner's own cards before the other player's, each in the order laid.

    Returns
    -------
    WarResult
        Status, winner, tricks and cards; for a loop its transient and cycle too.

    Raises
    ------
    DealError
        If a card is unknown, both hands are empty, or there are more than 65,535 cards.
    CamiciaError
        If there is no such way of collecting.

    Examples
    --------
    >>> from camicia.guests.war import simulate_war
    >>> result = simulate_war("34", ["5"])
    >>> result.winner, result.tricks, result.cards
    ('B', 4, 3)
    """
    return play_deal(WarDeal.of(hand_a, hand_b), collect)


def play_deal(deal: WarDeal, collect: str = AS_LAID) -> WarResult:
    """Play a `WarDeal`, as `simulate_war` plays two hands.

    Examples
    --------
    >>> play_deal(WarDeal.parse("34/5")).winner
    'B'
    """
    codes = np.frombuffer(deal.hand_a + deal.hand_b, np.uint8)
    rows = np.empty(1, ROW)
    play_war_rows(codes[np.newaxis], len(deal.hand_a), checked_collect(collect) == WINNER_FIRST, rows)
    status, winner, tricks, cards, transient, cycle = rows[0].item()
    if status:
        return WarResult(Status.LOOP, None, tricks, cards, transient, cycle)
    return WarResult(Status.FINISHED, _WINNER[winner], tricks, cards)


def simulate_war_many(
    deals: npt.NDArray[np.uint8], *, cut: int | None = None, collect: str = AS_LAID, threads: int = 1
) -> npt.NDArray[np.void]:
    """Play many games of War exactly, without the GIL.

    Parameters
    ----------
    deals : uint8 array, shape (n, cards)
        Card codes, hand A followed by hand B, of any strides: 2 to 10 for the number cards, 17 to 20 for
        Jack, Queen, King and Ace; or only values, 1 to 10.
    cut : int, optional
        Cards that hand A gets (default: half, rounded down).
    collect : str, optional
        ``"as-laid"`` or ``"winner-first"``, as for `simulate_war`.
    threads : int, optional
        Threads to play on (default: 1).

    Returns
    -------
    structured array, shape (n,)
        ``status`` (uint8: 0 finished, 1 loop), ``winner`` (uint8: 0 A, 1 B, 255 none), and as int64
        ``tricks``, ``cards``, ``transient_tricks`` and ``cycle_tricks`` as in `WarResult`; the last two are 0
        for a game that finishes.

    Raises
    ------
    DealError
        If the array has another dtype, shape or code.
    CamiciaError
        If there is no such way of collecting, or `threads` is not a whole number from 1 up.

    Examples
    --------
    >>> from camicia.guests.war import simulate_war_many
    >>> from camicia.guests.war_random import random_war_deals
    >>> rows = simulate_war_many(random_war_deals(1000, seed=1))
    >>> rows.dtype.names
    ('status', 'winner', 'tricks', 'cards', 'transient_tricks', 'cycle_tricks')
    >>> int(rows["status"].sum())
    14
    """
    array = _checked_array(deals)
    cut = checked_cut(cut, array.shape[1])
    winner_first = checked_collect(collect) == WINNER_FIRST
    pieces = min(checked_threads(threads), max(1, len(array)))
    rows = np.empty(len(array), ROW)
    bounds = [len(array) * piece // pieces for piece in range(pieces + 1)]
    if pieces == 1:
        play_war_rows(array, cut, winner_first, rows)
        return rows
    with ThreadPoolExecutor(pieces) as pool:
        played = [
            pool.submit(play_war_rows, array[start:stop], cut, winner_first, rows[start:stop])
            for start, stop in pairwise(bounds)
        ]
        for piece in played:
            piece.result()
    return rows


def _checked_array(deals: Any) -> npt.NDArray[np.uint8]:
    array = np.asarray(deals)
    if array.dtype != np.uint8 or array.ndim != 2:
        raise DealError(
            f"array of dtype {array.dtype} and shape {array.shape}: expected uint8 of shape (n, cards)"
        )
    if not 1 <= array.shape[1] <= MAX_CARDS:
        raise DealError(f"array of shape {array.shape}: expected 1 to {MAX_CARDS:,} cards a deal")
    if not _IS_VALID[array].all():
        row, place = np.argwhere(~_IS_VALID[array])[0]
        raise DealError(
            f"array of deals: code {array[row, place]} in row {row} at place {place}, "
            "expected 1 to 10 or 17 to 20"
        )
    return array


def checked_threads(threads: Any) -> int:
    """Return a number of threads, checked.

    Raises
    ------
    CamiciaError
        If it is not a whole number from 1 up.
    """
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise CamiciaError(f"threads {threads!r}: expected a whole number from 1 up")
    return threads
