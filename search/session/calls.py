"""The functions for programs: run a hunt, and open a ledger."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from camicia.cards import Deck
from camicia.checks import checked_whole
from camicia.deals.sampling import checked_seed
from camicia.decks import deck_named
from camicia.kernels.dispatch import chosen_kernel
from search.campaign import MOST_KEPT, MOST_UNIT_SIZE, Setting
from search.driver import MOST_SECONDS, Progress
from search.errors import CampaignError
from search.ledger import Ledger, StoredFind
from search.report import LedgerView
from search.session.session import Outcome, Session
from search.session.wish import Wish
from search.shards import WHOLE, Shard
from search.strategies import DEFAULT_STRATEGY, strategy_named
from search.workers import MOST_WORKERS, scheduler_address


def hunt(
    strategy: str = DEFAULT_STRATEGY,
    *,
    deck: Deck | str | None = None,
    seed: int | None = None,
    unit_size: int | None = None,
    keep: int | None = None,
    settings: Mapping[str, Setting] | None = None,
    ledger: str | os.PathLike[str] | None = None,
    deals: int | None = None,
    seconds: float | None = None,
    workers: int | None = None,
    shard: tuple[int, int] = WHOLE,
    dask: str | None = None,
    kernel: str | None = None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    on_finds: Callable[[list[StoredFind]], None] = lambda finds: None,
    on_trouble: Callable[[str], None] = lambda text: None,
) -> Outcome:
    """Hunt for long games and record the results in a ledger, as `camicia search` does.

    Repeating the call resumes the hunt. Units run in processes of their own, so a script must call it under
    ``if __name__ == "__main__":``. Ctrl-C ends it after a clean commit, and it returns.

    Parameters
    ----------
    strategy : str, optional
        How to hunt: climb, sample, enumerate or loops.
    deck : Deck or str, optional
        The deck to deal from, such as ``"italian"`` or ``"12:2:2:2:0"`` (default: the standard deck).
    seed : int, optional
        Seed of the random stream, 0 to 2**64 - 1 (default: a random one).
    unit_size : int, optional
        Deals in a unit, rounded up to whole shuffles (default: a few seconds' worth).
    keep : int, optional
        Finds kept in each list (default: 100).
    settings : mapping of str to int or str, optional
        The strategy's own settings, such as ``{"least_tricks": 300}``; ``camicia search STRATEGY --help``
        lists them as options.
    ledger : str or path-like, optional
        The file (default: named after strategy and deck, in the current directory).
    deals : int, optional
        Total deals of the campaign, those of earlier runs included.
    seconds : float, optional
        How long to hunt; units in progress are finished.
    workers : int, optional
        Processes (default: one per usable CPU).
    shard : (int, int), optional
        ``(2, 3)`` does the second of three parts of the campaign.
    dask : str, optional
        Address of the scheduler of a Dask cluster, which then runs the units.
    kernel : str, optional
        The kernel to play on (default: the fastest that this machine can run).
    on_progress : callable, optional
        Called with a `Progress` a few times a second.
    on_finds : callable, optional
        Called with the finds of each commit that entered the lists.
    on_trouble : callable, optional
        Called with a line about each unit that failed, saying what happens to it.

    Returns
    -------
    Outcome
        Why the run ended, the totals of the campaign, and what it has found.

    Raises
    ------
    CampaignError
        If no such campaign is possible, or the ledger holds a different one.
    LedgerError
        If the file is not a sound ledger.
    HuntError
        If no worker can finish a unit, or the ledger cannot be written; committed work is kept.

    Examples
    --------
    >>> import os, tempfile
    >>> from search import hunt
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     outcome = hunt("enumerate", deck="8:1:1:1:1", ledger=os.path.join(folder, "all.db"), workers=1)
    >>> str(outcome.ending), outcome.totals.games, outcome.finds[0].result.cards
    ('complete', 11880, 64)
    """
    wish = Wish(
        strategy=strategy_named(strategy).name,
        deck=deck_named(deck) if isinstance(deck, str) else deck,
        seed=None if seed is None else checked_seed(seed),
        unit_size=_number("unit_size", unit_size, 1, MOST_UNIT_SIZE),
        keep=_number("keep", keep, 0, MOST_KEPT),
        settings=settings,
        ledger=ledger,
        deals=_number("deals", deals, 1),
        seconds=_time(seconds),
        workers=_number("workers", workers, 1, MOST_WORKERS),
    )
    part = Shard(*shard)
    checked_whole("shard: its first number", part.number, 1, part.of, error=CampaignError)
    address = None if dask is None else scheduler_address(dask)
    kernel = chosen_kernel(kernel)
    with Session(wish, dask=address) as session:
        return session.run(
            shard=part,
            kernel=kernel,
            on_progress=on_progress,
            on_finds=on_finds,
            on_trouble=on_trouble,
        )


def open_ledger(path: str | os.PathLike[str]) -> LedgerView:
    """Open a ledger for reading; a hunt may be writing to it at the same time.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    LedgerView
        Its status, finds, loops, histogram and history; use it in a `with` statement.

    Raises
    ------
    LedgerError
        If it is not a sound ledger.

    Examples
    --------
    >>> import os, tempfile
    >>> from search import hunt, open_ledger
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "all.db")
    ...     _ = hunt("enumerate", deck="4:1:1:0:0", ledger=path, workers=1)
    ...     with open_ledger(path) as ledger:
    ...         ledger.status()["deals"], ledger.best(top=1)[0].deal
    ('30', 'Q--/--J')
    """
    return LedgerView(Ledger(Path(path)))


def _number(name: str, value: int | None, least: int, most: int | None = None) -> int | None:
    return None if value is None else checked_whole(name, value, least, most, error=CampaignError)


def _time(seconds: float | None) -> float | None:
    if seconds is None:
        return None
    try:
        number = float(seconds)
    except (TypeError, ValueError):
        number = math.nan
    if not 0 < number <= MOST_SECONDS:
        raise CampaignError(f"seconds {seconds!r}: expected a number above 0, at most {MOST_SECONDS:,}")
    return number
