"""Forecast how long the hunt will take to reach the next milestones and the records."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from camicia.cards import ITALIAN
from search.ledger import StoredFind
from search.report.survival import Halving

#: Milestones are whole multiples of this many tricks.
STEP = 50

#: How many of them are foretold.
MILESTONES = 4

#: Decks that others have searched completely: no game is longer than the longest known.
SEARCHED_THROUGH = frozenset({ITALIAN})

#: Trees from which the gain of climbing is measured: few, as the gain matters for the longest games; enough
#: for its relative error, which is one over the square root of their number.
TREES, LEAST_TREES = 20, 5


class Gain(NamedTuple):
    """How many times as often climbing finds long games as sampling does.

    Parameters
    ----------
    times : float
        The gain.
    trees : int
        The number of trees it is measured on.
    tricks : int
        Each of these trees holds a deal of at least this many tricks.
    """

    times: float
    trees: int
    tricks: int

    @property
    def error(self) -> float:
        """Its relative standard error."""
        return 1 / math.sqrt(self.trees)


class Forecast(NamedTuple):
    """The work needed to find a game of some length.

    Parameters
    ----------
    tricks : int
        The least number of tricks.
    name : str
        What is special about this length.
    deals : float
        Deals to play, on average.
    seconds : float
        Mean time at the present rate.
    factor : float
        Uncertainty of both, as a factor.
    exists : bool
        Whether the deck has any such deal, if the law holds that far.
    """

    tricks: int
    name: str
    deals: float
    seconds: float
    factor: float
    exists: bool


def gain_of_climbing(finds: Sequence[StoredFind], halving: Halving, games: int) -> Gain | None:
    """Compare the best deals of the trees with those expected of as many random deals.

    Parameters
    ----------
    finds : sequence of StoredFind
        The finite finds of a campaign.
    halving : Halving
        The law fitted to the games sampled.
    games : int
        Number of games sampled.

    Returns
    -------
    Gain or None
        None if too few finds come from different trees.
    """
    best: dict[int, int] = {}
    for find in finds:
        if find.tree:
            best[find.tree] = max(find.result.tricks, best.get(find.tree, 0))
    return gain_from(best.values(), halving, games)


def gain_from(trees: Iterable[int], halving: Halving, games: int) -> Gain | None:
    """As `gain_of_climbing`, from the tricks of the longest deal of each tree.

    Examples
    --------
    >>> halving = Halving(20.0, 0.1, start=80, share=1 / 16, games=10_000)
    >>> gain = gain_from([300] * 20, halving, 1_000_000)
    >>> round(gain.times, 3), gain.trees, gain.tricks
    (0.633, 20, 300)
    """
    longest = sorted(trees, reverse=True)[:TREES]
    if len(longest) < LEAST_TREES:
        return None
    # All trees that reach the least of these lengths are among the finds, because lists hold the longest.
    return Gain(len(longest) / (games * halving.share_of(longest[-1])), len(longest), longest[-1])


def forecasts(
    halving: Halving,
    rate: float,
    longest: int,
    known: int | None,
    deals: int,
    gain: Gain | None = None,
    searched: bool = False,
) -> list[Forecast]:
    """Forecast the next milestones, and a game longer than any known.

    Parameters
    ----------
    halving : Halving
        The law fitted to the games sampled.
    rate : float
        Deals a second.
    longest : int
        The most tricks of any find so far.
    known : int or None
        The most tricks of any known game of the deck.
    deals : int
        Number of deals of the deck.
    gain : Gain, optional
        The gain from climbing.
    searched : bool, optional
        Whether every deal of the deck has been played, so that none is longer than the longest known.

    Returns
    -------
    list of Forecast
        By length.

    Examples
    --------
    >>> halving = Halving(20.0, 0.1, start=80, share=1 / 16, games=10_000)
    >>> [(item.tricks, item.name) for item in forecasts(halving, 1e6, 430, 480, 10**20)]
    [(450, ''), (481, 'longer than any known'), (500, ''), (550, ''), (600, '')]
    """
    first = longest // STEP * STEP + STEP
    goals = {first + place * STEP: "" for place in range(MILESTONES)}
    if known is not None:
        goals[known + 1] = "longer than any known"
    found = [
        forecast_of(tricks, halving, rate, deals, gain)._replace(name=goals[tricks])
        for tricks in sorted(goals)
    ]
    if searched and known is not None:
        found = [item._replace(exists=item.exists and item.tricks <= known) for item in found]
    return found


def forecast_of(tricks: int, halving: Halving, rate: float, deals: int, gain: Gain | None = None) -> Forecast:
    """Forecast a game of at least so many tricks; the arguments are those of `forecasts`."""
    dealt = halving.share_of(tricks)
    share = dealt * (gain.times if gain else 1.0)
    to_play = 1 / share if share else math.inf
    # Raising the halving length by its error changes the number of halvings by this much.
    beyond = max(0.0, (tricks - (gain.tricks if gain else halving.start)) / halving.tricks)
    halvings = beyond * halving.error / halving.tricks
    spread = math.hypot(halvings * math.log(2), gain.error if gain else 1 / math.sqrt(halving.games))
    factor = math.exp(min(spread, 700.0))
    return Forecast(tricks, "", to_play, to_play / rate, factor, dealt * deals >= 1)
