"""The ways to hunt, by name. A new one is a module here, and an import and an entry below."""

from __future__ import annotations

from search.errors import CampaignError
from search.strategies.base import CYCLE, CYCLE_SUMS, Strategy
from search.strategies.climb import Climb, core_rates
from search.strategies.enumerate import Enumerate
from search.strategies.loops import Loops
from search.strategies.request import Request
from search.strategies.sample import Sample

#: All strategies, in the order of the help.
STRATEGIES: dict[str, Strategy] = {
    strategy.name: strategy for strategy in (Climb(), Sample(), Enumerate(), Loops())
}

#: The strategy of `camicia search` when none is named.
DEFAULT_STRATEGY = Climb.name


def strategy_named(name: str) -> Strategy:
    """Return the strategy with a name.

    Raises
    ------
    CampaignError
        If there is no such strategy.

    Examples
    --------
    >>> strategy_named("sample").name
    'sample'
    """
    try:
        return STRATEGIES[name]
    except KeyError:
        raise CampaignError(
            f"strategy {name!r}: unknown to this version, expected one of {', '.join(STRATEGIES)}"
        ) from None


__all__ = [
    "CYCLE",
    "CYCLE_SUMS",
    "DEFAULT_STRATEGY",
    "STRATEGIES",
    "Request",
    "Strategy",
    "core_rates",
    "strategy_named",
]
