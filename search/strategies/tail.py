"""How the number of games falls with their length; T is chosen from this."""

from __future__ import annotations

import math
from collections.abc import Mapping


class Tail:
    """The long games of a histogram, and the law by which their number falls beyond it.

    Parameters
    ----------
    histogram : mapping of int to int
        Finite games by their number of tricks.

    Attributes
    ----------
    halving : float
        Number of tricks over which the number of games halves.

    Examples
    --------
    >>> tail = Tail({tricks: round(1e6 * 2 ** (-tricks / 20)) for tricks in range(1000)})
    >>> tail.tricks_of(1000), tail.tricks_of(10), round(tail.games_of(300))
    (296, 424, 886)
    """

    #: Games on which the law is fitted, from the fewest that are enough, over four halvings.
    FEWEST, MOST = 100, 1600

    def __init__(self, histogram: Mapping[int, int]) -> None:
        self._at_least: list[tuple[int, int]] = []
        games = 0
        for tricks in sorted(histogram, reverse=True):
            games += histogram[tricks]
            self._at_least.append((games, tricks))
        span = self._counted(self.FEWEST) - self._counted(self.MOST)
        self.halving = max(1.0, span / math.log2(self.MOST / self.FEWEST))

    def _counted(self, games: float) -> int:
        """The number of tricks that at least `games` games have, as counted."""
        return next((tricks for number, tricks in self._at_least if number >= games), 0)

    def tricks_of(self, games: float) -> int:
        """Tricks that at least `games` games have; by the halving law where counts are small."""
        if games >= self.FEWEST:
            return self._counted(games)
        return round(self._counted(self.FEWEST) + self.halving * math.log2(self.FEWEST / max(games, 1e-9)))

    def games_of(self, tricks: int) -> float:
        """The number of games of at least `tricks` tricks; by the halving law where counts are small."""
        games = max((number for number, least in self._at_least if least >= tricks), default=0)
        if games >= self.FEWEST:
            return games
        return self.FEWEST * math.pow(2.0, (self._counted(self.FEWEST) - tricks) / self.halving)
