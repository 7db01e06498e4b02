"""The number of games still running after n tricks: the curve, and the law fitted to it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

#: The law is fitted to this share of games, the longest: shorter ones still depend on how the deal begins.
TAIL_SHARE = 1 / 16

#: Fewest games in the tail that support a figure.
FEWEST_IN_TAIL = 30


class Halving(NamedTuple):
    """A law fitted to the long games: their number halves every `tricks` tricks.

    Parameters
    ----------
    tricks, error : float
        The halving length and its standard error.
    start : int
        The law holds for games of more tricks than this.
    share : float
        Share of all finite games that have more tricks than `start`.
    games : int
        Number of these games.
    """

    tricks: float
    error: float
    start: int
    share: float
    games: int

    def share_of(self, tricks: float) -> float:
        """Share of games of at least this many tricks, by the law."""
        return self.share * float(2.0 ** ((self.start + 1 - tricks) / self.tricks))

    def tricks_of(self, share: float) -> float:
        """Return the number of tricks that a given share of games reaches, by the law."""
        return self.start + 1 + self.tricks * math.log2(self.share / share)


def survival(histogram: Mapping[int, int]) -> npt.NDArray[np.float64]:
    """Return the share of finite games that are still running after n tricks.

    Parameters
    ----------
    histogram : mapping of int to int
        Finite games by their number of tricks.

    Returns
    -------
    array of float64, shape (most tricks + 1,)
        Indexed by the number of tricks collected; the last is 0. Empty if there is no game.

    Examples
    --------
    >>> survival({1: 3, 2: 1})
    array([1.  , 0.25, 0.  ])
    """
    if not sum(histogram.values()):
        return np.zeros(0)
    games = np.zeros(max(histogram) + 2)
    for tricks, number in histogram.items():
        games[tricks] = number
    at_least = games[::-1].cumsum()[::-1]
    # Still running after n tricks are those that have at least n + 1.
    return np.asarray(at_least[1:] / at_least[0], dtype=np.float64)


def fit_halving(histogram: Mapping[int, int], dependence: float = 1.0) -> Halving | None:
    """Fit the law by which the number of running games halves at a constant rate.

    The tricks beyond the start of the tail are taken as geometrically distributed; the most likely
    parameter is the inverse of their mean.

    Parameters
    ----------
    histogram : mapping of int to int
        Finite games by their number of tricks.
    dependence : float, optional
        How many times larger the errors are than for as many independent games.

    Returns
    -------
    Halving or None
        None if there are too few long games.

    Examples
    --------
    >>> halving = fit_halving({n: 2 ** (25 - n) for n in range(1, 26)})
    >>> halving.start, round(halving.tricks, 2)
    (4, 1.0)
    """
    shares = survival(histogram)
    if not len(shares):
        return None
    start = int(np.argmax(shares <= TAIL_SHARE))
    tail = {tricks - start: games for tricks, games in histogram.items() if tricks > start}
    games = sum(tail.values())
    beyond = sum(tricks * number for tricks, number in tail.items())
    # If all tails had one trick, the fitted law would halve instantly.
    if games < FEWEST_IN_TAIL or beyond == games:
        return None
    ends = games / beyond
    decay = -math.log1p(-ends)
    # The error of the parameter, sqrt(p^2 (1 - p) / n), carried over to ln 2 / -ln(1 - p).
    error = dependence * math.log(2) / decay**2 * ends / math.sqrt((1 - ends) * games)
    return Halving(math.log(2) / decay, error, start, float(shares[start]), games)


def dependence_of(histogram: Mapping[int, int], error_of_mean: float | None) -> float:
    """Return how many times larger the error of the mean number of tricks is than for independent games.

    Parameters
    ----------
    histogram : mapping of int to int
        Finite games by their number of tricks.
    error_of_mean : float or None
        The error measured over shuffles, whose deals depend on one another; None if unknown.

    Examples
    --------
    >>> round(dependence_of({1: 50, 3: 50}, 0.2), 6), dependence_of({1: 50, 3: 50}, None)
    (2.0, 1.0)
    """
    games = sum(histogram.values())
    if error_of_mean is None or not games:
        return 1.0
    mean = sum(tricks * number for tricks, number in histogram.items()) / games
    variance = sum((tricks - mean) ** 2 * number for tricks, number in histogram.items()) / games
    return max(1.0, error_of_mean / math.sqrt(variance / games)) if variance else 1.0
