"""Walks among loops, for deals that never end."""

from search.strategies.loops.strategy import BOUNDS, Loops, cycles_met

__all__ = ["BOUNDS", "Loops", "cycles_met"]
