"""Camicia (Beggar-My-Neighbour): play deals exactly, one or a hundred million."""

from camicia.cards import ITALIAN, STANDARD, Deal, Deck
from camicia.dealing import play_random, random_deals, unrank_many
from camicia.errors import CamiciaError, DealError, DeckError, KernelError, RankError
from camicia.results import Result, Status
from camicia.simulate import simulate, simulate_game, simulate_many
from camicia.version import __version__

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
    "play_random",
    "random_deals",
    "simulate",
    "simulate_game",
    "simulate_many",
    "unrank_many",
]
