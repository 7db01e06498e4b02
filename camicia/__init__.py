"""Camicia (Beggar-My-Neighbour): play deals exactly, one or a hundred million.

Random dealing, ranking in bulk and walking back are imported on first use.
"""

import importlib
from typing import TYPE_CHECKING, Any

from camicia.cards import ITALIAN, STANDARD, Deal, Deck
from camicia.errors import CamiciaError, DealError, DeckError, KernelError, RankError
from camicia.results import Result, Status, as_columns, winner_name
from camicia.simulate import simulate, simulate_game, simulate_many
from camicia.version import __version__

if TYPE_CHECKING:
    from camicia import known_cycles, notation, records, rules
    from camicia.ancestry.ancestors import Ancestor, Cycle, Predecessor, Tree, predecessors, walk
    from camicia.ancestry.improving import Improvement, improve
    from camicia.ancestry.states import State
    from camicia.dealing import play_random, random_deals, unrank_many
    from camicia.records import Record, longest_known
    from camicia.records import records as known_records

__all__ = [
    "ITALIAN",
    "STANDARD",
    "Ancestor",
    "CamiciaError",
    "Cycle",
    "Deal",
    "DealError",
    "Deck",
    "DeckError",
    "Improvement",
    "KernelError",
    "Predecessor",
    "RankError",
    "Record",
    "Result",
    "State",
    "Status",
    "Tree",
    "__version__",
    "as_columns",
    "improve",
    "known_cycles",
    "known_records",
    "longest_known",
    "notation",
    "play_random",
    "predecessors",
    "random_deals",
    "records",
    "rules",
    "simulate",
    "simulate_game",
    "simulate_many",
    "unrank_many",
    "walk",
    "winner_name",
]

#: Names imported on first use, which keeps the import of Camicia short: the defining module, and the name
#: there.
_LATER = {
    "Ancestor": ("camicia.ancestry.ancestors", "Ancestor"),
    "Cycle": ("camicia.ancestry.ancestors", "Cycle"),
    "Improvement": ("camicia.ancestry.improving", "Improvement"),
    "Predecessor": ("camicia.ancestry.ancestors", "Predecessor"),
    "Record": ("camicia.records", "Record"),
    "State": ("camicia.ancestry.states", "State"),
    "Tree": ("camicia.ancestry.ancestors", "Tree"),
    "improve": ("camicia.ancestry.improving", "improve"),
    "known_records": ("camicia.records", "records"),
    "longest_known": ("camicia.records", "longest_known"),
    "play_random": ("camicia.dealing", "play_random"),
    "predecessors": ("camicia.ancestry.ancestors", "predecessors"),
    "random_deals": ("camicia.dealing", "random_deals"),
    "unrank_many": ("camicia.dealing", "unrank_many"),
    "walk": ("camicia.ancestry.ancestors", "walk"),
}

#: Modules available as attributes without an import of their own.
_MODULES = ("known_cycles", "notation", "records", "rules")


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"camicia.{name}")
    if name not in _LATER:
        raise AttributeError(f"module 'camicia' has no attribute {name!r}")
    module, attribute = _LATER[name]
    value = globals()[name] = getattr(importlib.import_module(module), attribute)
    return value


def __dir__() -> list[str]:
    # Only the public names, not what this module imports for itself.
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
