"""The errors that Camicia raises on purpose. Each message quotes the value and says what was expected."""


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
    """An invalid deck: wrong notation or impossible counts."""


class DealError(CamiciaError, ValueError):
    """An invalid deal or state: an unknown card, no or two slashes, both hands empty, a wrong array."""


class RankError(CamiciaError, ValueError):
    """A rank that no deal of the deck has, or an invalid range of ranks."""


class KernelError(CamiciaError, RuntimeError):
    """A requested kernel that is unknown or cannot run on this machine."""
