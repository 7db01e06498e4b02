"""The course of a game, for pictures of it."""

from __future__ import annotations

from typing import NamedTuple

from camicia.cards import Deal
from camicia.rules import play_by_play


class Call(NamedTuple):
    """The moment at which a hand had the fewest cards before it grew again.

    Parameters
    ----------
    held : int
        Its cards.
    cards : int
        Cards played up to then.
    """

    held: int
    cards: int


class Trace(NamedTuple):
    """The course of a game.

    Parameters
    ----------
    hands : list of (int, int)
        The cards in hand A and in hand B before each card, and at the end.
    payments : list of (int, int)
        For each payment card laid, how many cards had been played with it, and its code.
    starts : list of int
        The cards played at each start of a round, the end of the game included.
    calls : tuple of two Calls or Nones
        The closest call of each hand; None if a hand never collected a trick.
    """

    hands: list[tuple[int, int]]
    payments: list[tuple[int, int]]
    starts: list[int]
    calls: tuple[Call | None, Call | None]


def trace(deal: Deal) -> Trace:
    """Follow a game to its end, or to its first repeated state.

    Examples
    --------
    >>> game = trace(Deal.parse("J--/-JA"))
    >>> game.hands[:3], game.payments[:2], game.starts
    ([(3, 3), (2, 3), (4, 2)], [(1, 1), (4, 1)], [0, 2, 5, 8, 12])
    >>> game.calls[1]
    Call(held=1, cards=4)
    """
    hands: list[tuple[int, int]] = []
    payments, starts = [], []
    smallest: list[Call | None] = [None, None]
    calls: list[Call | None] = [None, None]
    player = tricks = 0
    for game in play_by_play(deal):
        now = len(game.hands[0]), len(game.hands[1])
        if game.pile and game.pile[-1] and game.cards == len(hands):
            payments.append((game.cards, game.pile[-1]))
        if hands:
            # Whoever laid the last card holds no more than before, even if the other collected at once.
            least = smallest[player]
            if least is None or now[player] < least.held:
                smallest[player] = Call(now[player], game.cards)
            if game.tricks > tricks:
                calls[game.player] = smallest[game.player]
        if game.at_start_of_round:
            starts.append(game.cards)
        if game.cards < len(hands):
            # A trick collected because a player had no card left: no card was played.
            hands.pop()
        hands.append(now)
        player, tricks = game.player, game.tricks
    return Trace(hands, payments, starts, (calls[0], calls[1]))
