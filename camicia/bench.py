"""The bench: the frozen deals on every kernel, their speed beside the yardstick's, and the signature.

The signature is a hash of the results alone. It is the same on every kernel and machine; a change that
should not alter results must not alter it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache, partial
from importlib.resources import files
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from camicia import yardstick
from camicia.cards import Deal
from camicia.checks import checked_whole
from camicia.kernels import available_kernels
from camicia.simulate import simulate_many

#: Times that the frozen deals are played in one timing of a compiled kernel, so that a timing takes
#: a hundredth of a second or more.
REPEATS = 10

#: The reference is thousands of times slower: fewer deals time it well enough.
REFERENCE_DEALS = 128


class Timing(NamedTuple):
    """The speed of one kernel.

    Parameters
    ----------
    name : str
        The kernel.
    deals_per_s : float
        Deals per second on one thread, the median over the rounds.
    ratio : float
        How many times as fast as the yardstick: the median of the ratios round by round.
    spread : float
        From the smallest to the largest of those ratios, divided by `ratio`.
    """

    name: str
    deals_per_s: float
    ratio: float
    spread: float


@cache
def frozen_deals() -> npt.NDArray[np.uint8]:
    """Return the deals of the bench: 2,048 random deals of 52 cards, all of which finish.

    Examples
    --------
    >>> frozen_deals().shape
    (2048, 52)
    """
    text = files("camicia.data").joinpath("bench_deals.txt").read_text(encoding="ascii")
    deals = np.stack([Deal.parse(line).to_array() for line in text.splitlines()])
    deals.flags.writeable = False
    return deals


def signature(kernel: str) -> str:
    """Return the signature that a kernel gives: 16 hexadecimal digits.

    It is the beginning of the SHA-256 of status, winner, cards and tricks of the frozen deals, each as a
    little-endian 64-bit number, deal by deal.

    Examples
    --------
    >>> signature("ring") == signature("ring")
    True
    """
    rows = simulate_many(frozen_deals(), kernel=kernel)
    fields = np.stack([rows[name].astype("<i8") for name in ("status", "winner", "cards", "tricks")], axis=1)
    return hashlib.sha256(fields.tobytes()).hexdigest()[:16]


def measure(rounds: int = 5, kernels: tuple[str, ...] | None = None) -> tuple[list[Timing], float]:
    """Time kernels and the yardstick by turns, so that a drift of the machine's speed hits all alike.

    Parameters
    ----------
    rounds : int, optional
        Timings of each; the first round of all is not counted.
    kernels : tuple of str, optional
        Which to time; all that this machine can run unless given.

    Returns
    -------
    list of Timing, float
        The kernels, and the yardstick's deals per second.

    Raises
    ------
    CamiciaError
        If `rounds` is not 1 or more.

    Examples
    --------
    >>> timings, yardstick_deals_per_s = measure(rounds=1, kernels=("ring",))
    >>> timings[0].name, timings[0].ratio > 0
    ('ring', True)
    """
    rounds = checked_whole("rounds", rounds, 1)
    names = available_kernels() if kernels is None else kernels
    deals = np.tile(frozen_deals(), (REPEATS, 1))
    cards, tricks = np.zeros((2, len(deals)), np.int64)
    players: dict[str, tuple[int, Callable[[], Any]]] = {
        "yardstick": (len(deals), lambda: yardstick.play_rows(deals, cards, tricks))
    }
    for name in names:
        part = deals[:REFERENCE_DEALS] if name == "reference" else deals
        players[name] = (len(part), partial(simulate_many, part, kernel=name))
    rates: dict[str, list[float]] = {name: [] for name in players}
    for number in range(rounds + 1):
        for name, (count, play) in players.items():
            started = perf_counter()
            play()
            seconds = perf_counter() - started
            if number:
                rates[name].append(count / seconds)
    timings = []
    for name in names:
        ratios = [rate / pace for rate, pace in zip(rates[name], rates["yardstick"], strict=True)]
        ratio = median(ratios)
        timings.append(Timing(name, median(rates[name]), ratio, (max(ratios) - min(ratios)) / ratio))
    return timings, median(rates["yardstick"])
