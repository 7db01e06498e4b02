"""A ledger for programs: its contents as plain objects and NumPy arrays."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from camicia.results import Status
from search.campaign import Campaign, Totals
from search.errors import CampaignError
from search.finds import LENGTHS
from search.ledger import Ledger, StoredFind
from search.report.document import summary
from search.report.history import Clock, binned, history, runs
from search.report.page import TOP, report_page
from search.strategies import strategy_named

#: The fields of `LedgerView.histogram` and `LedgerView.history`.
HISTOGRAM = np.dtype([("tricks", np.int64), ("games", np.int64)])
HISTORY = np.dtype([("start", np.float64), ("seconds", np.float64), ("deals", np.int64)])


class LedgerView:
    """The contents of a ledger; `search.open_ledger` opens one.

    Parameters
    ----------
    ledger : Ledger
        The ledger, which is closed with the view.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {str(self.path)!r}>"

    def close(self) -> None:
        """Close the file."""
        self._ledger.close()

    @property
    def path(self) -> Path:
        """The file."""
        return self._ledger.path

    @property
    def campaigns(self) -> list[Campaign]:
        """The campaigns of the ledger, several of one strategy and deck if it was merged."""
        return [entry.campaign for entry in self._ledger.campaigns()]

    def totals(self) -> Totals:
        """Sums over all units of all campaigns."""
        totals = Totals()
        for entry in self._ledger.campaigns():
            totals.join(self._ledger.totals(entry))
        return totals

    def status(self) -> dict[str, Any]:
        """The summary of the ledger, as `camicia status --json` prints it."""
        return summary(self._ledger)

    def best(self, top: int | None = None, by: Literal["cards", "tricks"] = "cards") -> list[StoredFind]:
        """Return the longest finite games, each deal once.

        Parameters
        ----------
        top : int, optional
            How many to return (default: all that the ledger keeps).
        by : {"cards", "tricks"}, optional
            The length that counts; ties are in the order of ranks.

        Raises
        ------
        CampaignError
            If `by` is neither.
        """
        if by not in LENGTHS:
            raise CampaignError(f"by {by!r}: expected {' or '.join(LENGTHS)}")
        finds = sorted(self._finds(Status.FINISHED), key=lambda find: (-getattr(find.result, by), find.rank))
        return finds[:top]

    def loops(self) -> list[StoredFind]:
        """Return the deals that never end, by rank, each once."""
        return sorted(self._finds(Status.LOOP), key=lambda find: find.rank)

    def cycles(self) -> dict[str, int]:
        """The cycles that were met, by name, each with the deals that fall into it, most first."""
        campaigns = self.campaigns
        if not campaigns:
            return {}
        totals = Totals()
        for entry in self._ledger.campaigns():
            totals.join(self._ledger.totals(entry, with_cycles=True))
        return dict(strategy_named(campaigns[0].strategy).cycles(totals))

    def histogram(self) -> npt.NDArray[np.void]:
        """Finite games by their number of tricks.

        Returns
        -------
        structured array, shape (n,)
            Fields `tricks` and `games`, both int64; only numbers of tricks that some game has.
        """
        games: Counter[int] = Counter()
        for entry in self._ledger.campaigns():
            games.update(self._ledger.histogram(entry))
        return np.array(sorted(games.items()), HISTOGRAM)

    def history(self, most: int = 200) -> npt.NDArray[np.void]:
        """Return the deals played over time: each run is cut into stretches of equal length.

        Parameters
        ----------
        most : int, optional
            Approximate number of stretches.

        Returns
        -------
        structured array, shape (n,)
            Fields `start` (seconds since 1970) and `seconds`, both float64, and `deals`, int64.
        """
        spans = Clock(runs(self._ledger)).spans
        return np.array([tuple(part) for part in binned(history(self._ledger), spans, most)], HISTORY)

    def report(self, top: int = TOP) -> str:
        """The page that `camicia report` writes: whole HTML, which needs nothing else and replays the games.

        Parameters
        ----------
        top : int, optional
            How many of the longest games to list by each length (default: 20).
        """
        return report_page(self._ledger, top)

    def _finds(self, status: Status) -> list[StoredFind]:
        finds = (find for entry in self._ledger.campaigns() for find in self._ledger.finds(entry, status))
        return list({find.deal: find for find in finds}.values())
