"""Camicia (Beggar-My-Neighbour): play deals exactly, one or a hundred million.

What draws random deals, ranks many of them or walks back is imported when it is first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from camicia.cards import ITALIAN, STANDARD, Deal, Deck
from camicia.errors import CamiciaError, DealError, DeckError, KernelError, RankError
from camicia.results import Result, Status
from camicia.simulate import simulate, simulate_game, simulate_many
from camicia.version import __version__

if TYPE_CHECKING:
    from camicia.deals.ranking import unrank_many
    from camicia.deals.sampling import random_deals

#: Names that are imported when they are asked for, by their module.
_LATE = {
    "random_deals": "camicia.deals.sampling",
    "unrank_many": "camicia.deals.ranking",
}

__all__ = [
    "ITALIAN",
    "STANDARD",
    "CamiciaError",
    "Deal",
    "DealError",
    "Deck",
    "DeckError",
    "KernelError",
    "RankError",
    "Result",
    "Status",
    "__version__",
    "random_deals",
    "simulate",
    "simulate_game",
    "simulate_many",
    "unrank_many",
]


def __getattr__(name: str) -> Any:
    if name in _LATE:
        return getattr(import_module(_LATE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
