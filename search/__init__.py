"""The hunt for the longest games: `hunt` runs one, `open_ledger` shows what it has found.

A name is imported when it is first asked for, so that workers and short commands need not wait for all of it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from search.session import Outcome, hunt, open_ledger

__all__ = ["Outcome", "hunt", "open_ledger"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("search.session"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
