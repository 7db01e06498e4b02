"""The rules of the game in plain Python: the oracle of every kernel, and the play-by-play."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from camicia.cards import Deal
from camicia.results import Result, Status

A, B = 0, 1


class Game:
    """A game in progress, open to inspection between two cards.

    Parameters
    ----------
    deal : Deal
        The deal to play.

    Attributes
    ----------
    hands : tuple of two deques of int
        Card codes in each hand, top card first.
    pile : list of int
        Card codes on the table, in the order they were laid.
    player : int
        The player whose turn it is: 0 for A, 1 for B.
    penalty : int
        Number cards that `player` still owes, 0 if nobody owes anything.
    cards, tricks : int
        Cards played and tricks collected so far.
    winner : int or None
        The winner, once the game is over.

    Examples
    --------
    >>> game = Game(Deal.parse("J/-J"))
    >>> game.play_card()
    >>> game.player, game.penalty, game.pile
    (1, 1, [1])
    """

    def __init__(self, deal: Deal) -> None:
        self.hands = (deque(deal.hand_a), deque(deal.hand_b))
        self.pile: list[int] = []
        self.player = A
        self.penalty = 0
        self.cards = 0
        self.tricks = 0
        # A player without a card at the start cannot lead; no card is played and no trick collected.
        self.winner = None if deal.hand_a else B

    def play_card(self) -> None:
        """Let the player whose turn it is lay a card, or lose if no card is left."""
        player, other = self.player, 1 - self.player
        if not self.hands[player]:
            self._collect(other)
            return
        card = self.hands[player].popleft()
        self.pile.append(card)
        self.cards += 1
        if card:
            self.player, self.penalty = other, card
        elif not self.penalty:
            self.player = other
        elif self.penalty > 1:
            self.penalty -= 1
        else:
            self._collect(other)

    def _collect(self, winner: int) -> None:
        """Put the pile under the winner's hand; the winner leads, unless the game is over."""
        self.hands[winner].extend(self.pile)
        self.pile.clear()
        self.tricks += 1
        self.player, self.penalty = winner, 0
        if not self.hands[1 - winner]:
            self.winner = winner

    @property
    def at_start_of_round(self) -> bool:
        """Whether the pile is empty, so that whoever plays next leads."""
        return not self.pile


def play_by_play(deal: Deal) -> Iterator[Game]:
    """Play a deal card by card, showing the game at its start and after each card or collection.

    The same `Game` is yielded each time, changed. A game that loops ends at its first repeated state.

    Parameters
    ----------
    deal : Deal
        The deal to play.

    Yields
    ------
    Game
        The game in progress.

    Examples
    --------
    >>> [game.cards for game in play_by_play(Deal.parse("J/-"))]
    [0, 1, 2]
    """
    result = play(deal)
    game = Game(deal)
    yield game
    # The end is known from `play`, so no states need be kept here to detect a repeat.
    while not (game.at_start_of_round and game.tricks == result.tricks):
        game.play_card()
        yield game


def play(deal: Deal) -> Result:
    """Play a deal by the letter of the rules.

    Parameters
    ----------
    deal : Deal
        The deal to play.

    Returns
    -------
    Result
        Its exact result; for a loop, with transient and cycle.

    Examples
    --------
    >>> play(Deal.parse("J--/-JA")).tricks
    4
    """
    # Keep one state at a time, each for twice as many tricks as the one before: a cycle is found once it is
    # shorter than that (Brent's algorithm). All states of a large deck's game would not fit in memory.
    game = Game(deal)
    kept, kept_until = _Start(game), 1
    while game.winner is None:
        _play_trick(game)
        if game.winner is None and kept.is_that_of(game):
            return _result_of_loop(deal, game.tricks - kept.tricks)
        if game.tricks == kept_until:
            kept, kept_until = _Start(game), 2 * kept_until + 1
    return Result(Status.FINISHED, "AB"[game.winner], game.cards, game.tricks, kernel="reference")


class _Start:
    """A copy of the state at the start of a round."""

    def __init__(self, game: Game) -> None:
        self.hands = (game.hands[A].copy(), game.hands[B].copy())
        self.player = game.player
        self.tricks = game.tricks

    def is_that_of(self, game: Game) -> bool:
        return self.player == game.player and self.hands == game.hands


def _play_trick(game: Game) -> None:
    tricks = game.tricks
    while game.tricks == tricks:
        game.play_card()


def _result_of_loop(deal: Deal, cycle_tricks: int) -> Result:
    """Find the first state that recurs: from there on two games, one a cycle ahead, are equal."""
    game, ahead = Game(deal), Game(deal)
    for _ in range(cycle_tricks):
        _play_trick(ahead)
    while (game.player, game.hands) != (ahead.player, ahead.hands):
        _play_trick(game)
        _play_trick(ahead)
    return Result(
        Status.LOOP,
        None,
        ahead.cards,
        ahead.tricks,
        transient_cards=game.cards,
        transient_tricks=game.tricks,
        cycle_cards=ahead.cards - game.cards,
        cycle_tricks=cycle_tricks,
        kernel="reference",
    )
