"""The hunt for the longest games: `hunt` runs one, `open_ledger` shows what it has found.

Each name is imported on first use and nothing else is: the command imports this package before it can handle
Ctrl-C.
"""

#: As in `typing`, which takes time to import.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from search.session import Outcome, hunt, open_ledger

__all__ = ["Outcome", "hunt", "open_ledger"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from search import session

    return getattr(session, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
