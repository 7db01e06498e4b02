"""How long the hunt is expected to take to the next milestones, and to the records."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from camicia.cards import ITALIAN
from search.ledger import StoredFind
from search.report.survival import Halving

#: Milestones are whole multiples of this many tricks.
STEP = 50

#: How many of them are foretold.
MILESTONES = 4

#: Decks whose every deal others have played: none is longer than the longest known.
SEARCHED_THROUGH = frozenset({ITALIAN})

#: Trees that tell how much climbing gains: few, for the gain is wanted at the longest; enough for its error,
#: one part in the root of their number.
TREES, LEAST_TREES = 20, 5


class Gain(NamedTuple):
    """How many times as often climbing finds long games as sampling would.

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
    """What it takes to find a game of some length.

    Parameters
    ----------
    tricks : int
        The least number of tricks.
    name : str
        What is special about that.
    deals : float
        Deals to play, on average.
    seconds : float
        Time at the present rate, on average.
    factor : float
        Both are known up to this factor.
    exists : bool
        Whether the deck has such a deal at all, if the law holds so far.
    """

    tricks: int
    name: str
    deals: float
    seconds: float
    factor: float
    exists: bool


def gain_of_climbing(finds: Sequence[StoredFind], halving: Halving, games: int) -> Gain | None:
    """Compare the best deals of the trees with what as many random deals would hold.

    Parameters
    ----------
    finds : sequence of StoredFind
        The finite finds of a campaign.
    halving : Halving
        The law of the games that were sampled.
    games : int
        How many these were.

    Returns
    -------
    Gain or None
        None if too few finds come from different trees.
    """
    best: dict[int, int] = {}
    for find in finds:
        if find.tree:
            best[find.tree] = max(find.result.tricks, best.get(find.tree, 0))
    longest = sorted(best.values(), reverse=True)[:TREES]
    if len(longest) < LEAST_TREES:
        return None
    # Of the trees that reach the least of these lengths, all are among the finds: lists hold the longest.
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
    """Foretell the next milestones, and a game longer than any known.

    Parameters
    ----------
    halving : Halving
        The law of the games that are sampled.
    rate : float
        Deals a second.
    longest : int
        The most tricks of any find so far.
    known : int or None
        The most tricks of any known game of the deck.
    deals : int
        How many deals the deck has.
    gain : Gain, optional
        What climbing gains.
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
    found = [_forecast(tricks, goals[tricks], halving, rate, deals, gain) for tricks in sorted(goals)]
    if searched and known is not None:
        found = [item._replace(exists=item.exists and item.tricks <= known) for item in found]
    return found


def _forecast(
    tricks: int, name: str, halving: Halving, rate: float, deals: int, gain: Gain | None
) -> Forecast:
    dealt = halving.share_of(tricks)
    share = dealt * (gain.times if gain else 1.0)
    to_play = 1 / share if share else math.inf
    # A longer halving length by its error changes the number of halvings by this much.
    beyond = max(0.0, (tricks - (gain.tricks if gain else halving.start)) / halving.tricks)
    halvings = beyond * halving.error / halving.tricks
    spread = math.hypot(halvings * math.log(2), gain.error if gain else 1 / math.sqrt(halving.games))
    factor = math.exp(min(spread, 700.0))
    return Forecast(tricks, name, to_play, to_play / rate, factor, dealt * deals >= 1)
