"""Crazy Eights' cards, hands of fixed memory and discard pile, after an implementation in Forth.

A card is a number from 1 to 52: thirteen diamonds, then hearts, clubs and spades, each from ace to king. A
hand is a run of bytes, cards first, then zeros; its memory is allocated once and never grows.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any

from camicia.deals.sampling import checked_seed
from camicia.errors import CamiciaError

#: Suits in the order of the cards' numbers.
SUITS = ("Diamonds", "Hearts", "Clubs", "Spades")

#: Ranks by card number modulo 13, so that the king, the thirteenth, is 0.
RANKS = ("King", "Ace", *map(str, range(2, 11)), "Jack", "Queen")

CARDS_PER_SUIT = 13
EIGHT = 8
DECK_SIZE = CARDS_PER_SUIT * len(SUITS)

#: Bytes of a hand.
HAND_SIZE = 12


def rank_of(card: int) -> int:
    """The rank of a card: 1 for an ace, 11 for a jack, 12 for a queen, 0 for a king.

    Examples
    --------
    >>> rank_of(34), rank_of(13)
    (8, 0)
    """
    return checked_card(card) % CARDS_PER_SUIT


def suit_of(card: int) -> int:
    """The suit of a card, as its place in `SUITS`.

    Examples
    --------
    >>> SUITS[suit_of(34)]
    'Clubs'
    """
    return (checked_card(card) - 1) // CARDS_PER_SUIT


def card_name(card: int) -> str:
    """Name a card.

    Parameters
    ----------
    card : int
        1 to 52.

    Raises
    ------
    CamiciaError
        If there is no such card.

    Examples
    --------
    >>> card_name(34), card_name(1), card_name(52)
    ('8 of Clubs', 'Ace of Diamonds', 'King of Spades')
    """
    return f"{RANKS[rank_of(card)]} of {SUITS[suit_of(card)]}"


def points_of(card: int) -> int:
    """Return a card's points at the end of a game: 50 for an eight, 10 for a court card, else its number.

    Examples
    --------
    >>> points_of(34), points_of(13), points_of(1), points_of(10)
    (50, 10, 1, 10)
    """
    rank = rank_of(card)
    return 50 if rank == EIGHT else min(rank or 10, 10)


def can_play(card: int, top: int, suit: int | None = None) -> bool:
    """Return whether a card may be laid on the top card of the discard pile.

    An eight always may. An eight takes its own suit, or the suit that was named when it was laid; any other
    card takes its rank or its suit.

    Parameters
    ----------
    card, top : int
        1 to 52.
    suit : int, optional
        The suit that was named for an eight on top, as its place in `SUITS` (default: the eight's own).

    Raises
    ------
    CamiciaError
        If there is no such card or suit.

    Examples
    --------
    >>> can_play(34, 1), can_play(2, 1), can_play(15, 1), can_play(14, 1)
    (True, True, False, True)
    >>> can_play(1, 34), can_play(27, 34), can_play(1, 34, suit=0)
    (False, True, True)
    """
    if rank_of(card) == EIGHT:
        return True
    if rank_of(top) == EIGHT:
        return suit_of(card) == (suit_of(top) if suit is None else checked_suit(suit))
    return rank_of(card) == rank_of(top) or suit_of(card) == suit_of(top)


def show(cards: Iterable[int]) -> str:
    """Write a hand in words.

    Examples
    --------
    >>> show([34, 13]), show(Hand())
    ('8 of Clubs, King of Diamonds', 'Empty Hand')
    """
    return ", ".join(map(card_name, cards)) or "Empty Hand"


class Hand:
    """A hand of fixed memory: cards first, then zeros.

    Parameters
    ----------
    size : int, optional
        Cards that it can hold.
    memory : bytearray or memoryview, optional
        The `size` bytes that it uses, such as a part of one bytearray for all hands; they are cleared
        (default: its own).

    Raises
    ------
    CamiciaError
        If the size is not a whole number from 1 up, or the memory is of another size, not of bytes, or
        cannot be written.

    Examples
    --------
    >>> hand = Hand()
    >>> for card in (2, 3, 4, 5, 6):
    ...     hand.draw(card)
    >>> pile = DiscardPile()
    >>> hand.discard(1, pile)
    3
    >>> list(hand), pile.top
    ([2, 6, 4, 5], 3)
    >>> hand.memory.tolist()
    [2, 6, 4, 5, 0, 0, 0, 0, 0, 0, 0, 0]
    """

    def __init__(self, size: int = HAND_SIZE, memory: bytearray | memoryview | None = None) -> None:
        if isinstance(size, bool) or not isinstance(size, int) or size < 1:
            raise CamiciaError(f"hand of size {size!r}: expected a whole number from 1 up")
        self.memory = _checked_memory(bytearray(size) if memory is None else memory, size)
        self.memory[:] = bytes(size)

    @property
    def size(self) -> int:
        """Cards that it can hold."""
        return len(self.memory)

    def __len__(self) -> int:
        # The place of the first zero, or the size of the memory if there is none.
        place = self.memory.tobytes().find(0)
        return self.size if place < 0 else place

    def __iter__(self) -> Iterator[int]:
        return iter(self.memory[: len(self)].tolist())

    def __getitem__(self, place: int) -> int:
        return self.memory[self._checked_place(place)]

    @property
    def is_full(self) -> bool:
        """Whether it has no room for another card."""
        return len(self) == self.size

    def draw(self, card: int) -> None:
        """Append a card.

        Raises
        ------
        CamiciaError
            If the hand is full, or there is no such card.

        Examples
        --------
        >>> hand = Hand(1)
        >>> hand.draw(34)
        >>> hand.draw(35)
        Traceback (most recent call last):
            ...
        camicia.errors.CamiciaError: 9 of Clubs: the hand is full, with 1 card; discard one first
        """
        name = card_name(card)
        count = len(self)
        if count == self.size:
            plural = "" if count == 1 else "s"
            raise CamiciaError(f"{name}: the hand is full, with {count} card{plural}; discard one first")
        self.memory[count] = card

    def discard(self, place: int, pile: DiscardPile, suit: int | None = None) -> int:
        """Put the card at a place on the discard pile, and move the last card of the hand into the gap.

        Parameters
        ----------
        place : int
            From 0.
        pile : DiscardPile
            Where the card goes; `can_play` says whether it may be laid there.
        suit : int, optional
            The suit named for an eight.

        Returns
        -------
        int
            The card.

        Raises
        ------
        CamiciaError
            If there is no card at that place, or a suit is named for a card that is not an eight.
        """
        card = self.memory[self._checked_place(place)]
        pile.put(card, suit)
        last = len(self) - 1
        self.memory[place] = self.memory[last]
        self.memory[last] = 0
        return card

    def _checked_place(self, place: int) -> int:
        count = len(self)
        if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < count:
            held = f"expected 0 to {count - 1}" if count else "the hand is empty"
            raise CamiciaError(f"place {place!r}: {held}")
        return place


class DiscardPile:
    """The discard pile, with the suit that was named for an eight on top.

    Parameters
    ----------
    cards : iterable of int, optional
        Its cards, top card last.

    Attributes
    ----------
    suit : int or None
        The suit named for the eight on top; None if none was.

    Examples
    --------
    >>> pile = DiscardPile([2])
    >>> pile.put(34, suit=0)
    >>> pile.top, SUITS[pile.suit], pile.takes(1), pile.takes(27)
    (34, 'Diamonds', True, False)
    >>> pile.take_under()
    [2]
    """

    def __init__(self, cards: Iterable[int] = ()) -> None:
        self._cards = [checked_card(card) for card in cards]
        self.suit: int | None = None

    def __len__(self) -> int:
        return len(self._cards)

    def __iter__(self) -> Iterator[int]:
        return iter(self._cards)

    @property
    def top(self) -> int:
        """The top card.

        Raises
        ------
        CamiciaError
            If the pile is empty.
        """
        if not self._cards:
            raise CamiciaError("discard pile: it is empty and has no top card")
        return self._cards[-1]

    def takes(self, card: int) -> bool:
        """Whether a card may be laid on it."""
        return can_play(card, self.top, self.suit)

    def put(self, card: int, suit: int | None = None) -> None:
        """Lay a card on top; a suit may be named for an eight."""
        if suit is not None and rank_of(card) != EIGHT:
            raise CamiciaError(f"{card_name(card)}: a suit may be named for an eight only")
        self.suit = None if suit is None else checked_suit(suit)
        self._cards.append(checked_card(card))

    def take_under(self) -> list[int]:
        """Take all cards except the top one, the lowest first."""
        under = self._cards[:-1]
        del self._cards[:-1]
        return under


def shuffled(cards: Iterable[int], generator: random.Random) -> list[int]:
    """Return cards in a random order that depends only on the generator, not on the version of Python.

    Examples
    --------
    >>> shuffled(range(1, 6), random.Random(1))
    [2, 5, 3, 4, 1]
    """
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        # Python only guarantees that the results of `random` stay the same.
        other = int(generator.random() * (last + 1))
        order[last], order[other] = order[other], order[last]
    return order


def shuffled_deck(seed: int) -> list[int]:
    """Return all 52 cards in random order.

    Parameters
    ----------
    seed : int
        0 to 2**64 - 1; the same seed gives the same order everywhere.

    Examples
    --------
    >>> deck = shuffled_deck(1)
    >>> show(deck[:2]), sorted(deck) == list(range(1, 53))
    ('9 of Spades, 9 of Clubs', True)
    """
    return shuffled(range(1, DECK_SIZE + 1), random.Random(checked_seed(seed)))


def checked_card(card: Any) -> int:
    """Return the number of a card, checked.

    Raises
    ------
    CamiciaError
        If it is not a whole number from 1 to 52.
    """
    if isinstance(card, bool) or not isinstance(card, int) or not 1 <= card <= DECK_SIZE:
        raise CamiciaError(f"card {card!r}: expected a whole number from 1 to {DECK_SIZE}")
    return card


def checked_suit(suit: Any) -> int:
    """Return a suit, as its place in `SUITS`, checked.

    Raises
    ------
    CamiciaError
        If there is no such suit.
    """
    if isinstance(suit, bool) or not isinstance(suit, int) or not 0 <= suit < len(SUITS):
        raise CamiciaError(f"suit {suit!r}: expected a whole number from 0 to {len(SUITS) - 1}")
    return suit


def _checked_memory(memory: bytearray | memoryview, size: int) -> memoryview:
    try:
        view = memoryview(memory)
    except TypeError:
        raise CamiciaError(
            f"memory of type {type(memory).__name__}: expected a bytearray or memoryview"
        ) from None
    if view.readonly or view.format != "B" or view.shape != (size,):
        raise CamiciaError(
            f"memory of shape {view.shape}, format {view.format!r}{', read-only' if view.readonly else ''}: "
            f"expected {size} bytes that can be written"
        )
    return view
