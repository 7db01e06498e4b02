"""Deals in the notations of other programs: how they are detected, read and written.

A notation has two halves: how a card is written (`faces`) and how the two hands are laid out (`layouts`).
Each half has a name, and `digits+bar` names both.
"""

from camicia.notation.lines import read_deals
from camicia.notation.reading import read_deal
from camicia.notation.table import NOTATIONS, Notation
from camicia.notation.writing import write_deal

__all__ = ["NOTATIONS", "Notation", "read_deal", "read_deals", "write_deal"]
