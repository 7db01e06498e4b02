"""A game of Crazy Eights: whose turn it is, the legal moves, and a simple rule by which a side can play."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from camicia.deals.sampling import checked_seed
from camicia.errors import CamiciaError
from camicia.guests.crazy_eights import (
    EIGHT,
    HAND_SIZE,
    SUITS,
    DiscardPile,
    Hand,
    card_name,
    checked_card,
    points_of,
    rank_of,
    shuffled,
    shuffled_deck,
    suit_of,
)

#: Cards dealt to each side.
CARDS_DEALT = 7


class Move(NamedTuple):
    """A move by a side.

    Parameters
    ----------
    side : int
        The side that moved, from 0.
    action : {"play", "draw", "reshuffle", "pass"}
        Before a draw a reshuffle may be needed: the discards, but for the top one, become the stock.
    card : int or None
        The card played or drawn.
    suit : int or None
        The suit named for an eight.
    """

    side: int
    action: str
    card: int | None = None
    suit: int | None = None


class EightsGame:
    """A game in progress.

    Side 0 begins. A side whose hand has a card that fits lays one. Otherwise it draws, card by card, until
    one fits; if its hand is full, or neither stock nor discards have a card left to draw, it passes. Whoever
    has no card left wins. If all sides pass in turn, no one can ever play again, and the lowest hand wins.

    Parameters
    ----------
    seed : int
        Seed of the deck's order and of reshuffling, 0 to 2**64 - 1.
    sides : int, optional
        Number of sides.
    deck : sequence of int, optional
        The cards in dealing order, instead of a shuffled deck of 52; each at most once.
    dealt : int, optional
        Cards dealt to each side.
        hand_size : int, optional
        Cards that a hand can hold.

    Attributes
    ----------
    hands : tuple of Hand
        The sides' hands, all in one block of memory.
    stock : list of int
        The cards to draw, the next card last.
    pile : DiscardPile
        The discards.
    side : int
        Whose turn it is.
    over : bool
        Whether the game is over.

    Raises
    ------
    CamiciaError
        If the seed is impossible, a card is invalid or repeated, or the deck is too small to deal.

    Examples
    --------
    >>> game = EightsGame(1)
    >>> [len(hand) for hand in game.hands], len(game.stock), len(game.pile)
    ([7, 7], 37, 1)
    """

    def __init__(
        self,
        seed: int,
        *,
        sides: int = 2,
        deck: Sequence[int] | None = None,
        dealt: int = CARDS_DEALT,
        hand_size: int = HAND_SIZE,
    ) -> None:
        self._generator = random.Random(checked_seed(seed))
        order = shuffled_deck(seed) if deck is None else [checked_card(card) for card in deck]
        if len(set(order)) != len(order):
            doubled = next(card for card in order if order.count(card) > 1)
            raise CamiciaError(f"deck: {card_name(doubled)} is there twice")
        if len(order) <= sides * dealt:
            raise CamiciaError(
                f"deck of {len(order)} cards: expected more than {sides * dealt} to deal {dealt} to each side"
            )
        memory = memoryview(bytearray(sides * hand_size))
        self.hands = tuple(
            Hand(hand_size, memory[side * hand_size : (side + 1) * hand_size]) for side in range(sides)
        )
        self.stock = order[::-1]
        for _ in range(dealt):
            for hand in self.hands:
                hand.draw(self.stock.pop())
        self.pile = DiscardPile([self.stock.pop()])
        self.side = 0
        self.over = False
        # Number of sides that have passed in a row.
        self._passes = 0

    @property
    def hand(self) -> Hand:
        """The hand of the side whose turn it is."""
        return self.hands[self.side]

    def fitting(self) -> list[int]:
        """The places in the present hand of the cards that may be laid."""
        return [place for place, card in enumerate(self.hand) if self.pile.takes(card)]

    def draw(self) -> list[Move]:
        """Draw until a card fits; pass if none can be drawn. Call it only when nothing fits.

        Returns
        -------
        list of Move
            What happened, in order.

        Raises
        ------
        CamiciaError
            If a card fits already, or the game is over.
        """
        self._check_goes_on()
        if self.fitting():
            raise CamiciaError("a card in hand fits: lay it")
        side = self.side
        moves: list[Move] = []
        while not self.hand.is_full and self._restock(moves):
            card = self.stock.pop()
            self.hand.draw(card)
            moves.append(Move(side, "draw", card))
            if self.pile.takes(card):
                return moves
        moves.append(Move(side, "pass"))
        self._passes += 1
        self.over = self._passes == len(self.hands)
        self._next_side()
        return moves

    def play(self, place: int, suit: int | None = None) -> Move:
        """Lay the card at a place of the present hand.

        Parameters
        ----------
        place : int
            From 0.
        suit : int, optional
            The suit to name for an eight (default: the eight's own).

        Raises
        ------
        CamiciaError
            If the card does not fit, a suit is named for a card that is not an eight, or the game is over.
        """
        self._check_goes_on()
        card = self.hand[place]
        if not self.pile.takes(card):
            raise CamiciaError(f"{card_name(card)} does not fit {self.top_text()}")
        if rank_of(card) == EIGHT and suit is None:
            suit = suit_of(card)
        side = self.side
        self.hand.discard(place, self.pile, suit)
        self._passes = 0
        self.over = not len(self.hand)
        self._next_side()
        return Move(side, "play", card, suit)

    def play_by_rule(self) -> list[Move]:
        """Take the present side's whole turn by a simple rule.

        It lays the first card that fits, an eight only if no other fits; with an eight it names the suit of
        which most cards are left in hand.

        Examples
        --------
        >>> game = EightsGame(1)
        >>> while not game.over:
        ...     moves = game.play_by_rule()
        >>> game.winner, moves[-1].action
        (0, 'play')
        """
        side = self.side
        moves = [] if self.fitting() else self.draw()
        if self.over or self.side != side:
            return moves
        places = self.fitting()
        place = min(places, key=lambda place: rank_of(self.hand[place]) == EIGHT)
        suit = self.best_suit(place) if rank_of(self.hand[place]) == EIGHT else None
        return [*moves, self.play(place, suit)]

    def best_suit(self, place: int) -> int:
        """Return the most frequent suit of the present hand, without the card at a place and other eights."""
        left = [card for other, card in enumerate(self.hand) if other != place and rank_of(card) != EIGHT]
        counts = [sum(suit_of(card) == suit for card in left) for suit in range(len(SUITS))]
        return counts.index(max(counts))

    def points(self) -> list[int]:
        """What each side still has in hand, in points."""
        return [sum(map(points_of, hand)) for hand in self.hands]

    @property
    def winner(self) -> int | None:
        """Who has no card left, else who has the lowest hand; None for a draw, or while the game is on."""
        if not self.over:
            return None
        points = self.points()
        best = min(points)
        return points.index(best) if points.count(best) == 1 else None

    def top_text(self) -> str:
        """Name the top card of the pile, and the suit to follow if it is an eight.

        Examples
        --------
        >>> EightsGame(1).top_text()
        '6 of Hearts'
        """
        top = self.pile.top
        if rank_of(top) != EIGHT:
            return card_name(top)
        suit = suit_of(top) if self.pile.suit is None else self.pile.suit
        return f"{card_name(top)}, suit to follow: {SUITS[suit]}"

    def _restock(self, moves: list[Move]) -> bool:
        """Ensure a card to draw, shuffling the discards if necessary; returns whether there is one."""
        if not self.stock and (under := self.pile.take_under()):
            self.stock = shuffled(under, self._generator)
            moves.append(Move(self.side, "reshuffle"))
        return bool(self.stock)

    def _next_side(self) -> None:
        self.side = (self.side + 1) % len(self.hands)

    def _check_goes_on(self) -> None:
        if self.over:
            raise CamiciaError("the game is over")
