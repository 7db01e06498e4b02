"""The errors Camicia raises on purpose. Each message quotes the value and says what was expected."""


class CamiciaError(Exception):
    """Base of every error raised on purpose; catching it catches them all.

    Examples
    --------
    >>> from camicia import CamiciaError, Deck
    >>> try:
    ...     Deck.parse("36:4")
    ... except CamiciaError as error:
    ...     print(error)
    deck '36:4': expected five counts, numbers:J:Q:K:A, as in 36:4:4:4:4
    """


class DeckError(CamiciaError, ValueError):
    """A deck that cannot be: wrong notation or impossible counts."""


class DealError(CamiciaError, ValueError):
    """A deal or state that cannot be: unknown card, no or two slashes, both hands empty, wrong array."""


class RankError(CamiciaError, ValueError):
    """A rank that no deal of the deck has, or a range of ranks that is none."""


class KernelError(CamiciaError, RuntimeError):
    """A kernel that was asked for and is unknown or cannot run on this machine."""
