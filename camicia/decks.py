"""The named decks, in one table."""

from __future__ import annotations

from camicia.cards import ITALIAN, STANDARD, Deck
from camicia.checks import shortened
from camicia.errors import DeckError

#: Decks by name. French cards are the 52 of the standard deck, with the same penalties.
NAMED_DECKS = {"standard": STANDARD, "italian": ITALIAN, "french": STANDARD}

#: What is accepted as a deck.
DeckLike = Deck | str

#: Ambiguous names, with the reason and the remedy.
_UNSETTLED = {
    "spanish": "is 28:4:4:4:0 if ace, two and three are the payment cards, as in Italy (italian), "
    "and 24:4:4:4:4 if sota, caballo, rey and ace are; give the counts",
}


def deck_named(text: str) -> Deck:
    """Read a deck: a name, in upper or lower case, or the counts ``numbers:J:Q:K:A``.

    Parameters
    ----------
    text : str
        Such as ``italian`` or ``28:4:4:4:0``.

    Raises
    ------
    DeckError
        If it is neither; the error lists the names.

    Examples
    --------
    >>> deck_named("Italian") == deck_named("28:4:4:4:0")
    True
    """
    name = text.strip().lower()
    if name in NAMED_DECKS:
        return NAMED_DECKS[name]
    if name in _UNSETTLED:
        raise DeckError(f"deck {text!r}: {_UNSETTLED[name]}")
    try:
        return Deck.parse(text)
    except DeckError as error:
        if any(map(str.isdigit, name)):
            raise
        raise DeckError(f"{error}; or {', '.join(NAMED_DECKS)}") from None


def deck_words(deck: Deck) -> str:
    """Name a deck: by its name if it has one, otherwise by its counts.

    Examples
    --------
    >>> deck_words(STANDARD), deck_words(ITALIAN), deck_words(Deck(12, 2, 2, 2, 0))
    ('standard deck', 'Italian deck', 'deck 12:2:2:2:0')
    """
    name = next((name for name, named in NAMED_DECKS.items() if named == deck), None)
    if name is None:
        return f"deck {deck}"
    return f"{'Italian' if name == 'italian' else name} deck"


def as_deck(deck: DeckLike) -> Deck:
    """Return a deck that is given as a `Deck`, by name or as counts.

    Raises
    ------
    DeckError
        If it is none of these.

    Examples
    --------
    >>> as_deck("12:2:2:2:0").size, as_deck("italian") == as_deck(ITALIAN)
    (18, True)
    """
    if isinstance(deck, Deck):
        return deck
    if isinstance(deck, str):
        return deck_named(deck)
    raise DeckError(
        f"deck {shortened(deck)}: expected a Deck, counts such as '36:4:4:4:4', or {', '.join(NAMED_DECKS)}"
    )
