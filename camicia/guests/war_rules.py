"""The rules of War in plain Python: the oracle of the compiled kernel, and the play-by-play."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

from camicia.errors import CamiciaError
from camicia.guests.war_cards import VALUE_BITS, WarDeal
from camicia.results import Status, counted

A, B = 0, 1

#: How a trick may be collected: the table in the order laid, or the winner's own cards before the loser's.
AS_LAID, WINNER_FIRST = COLLECT = ("as-laid", "winner-first")

#: Cards that a war costs each player: three laid on the table, and one turned up.
WAR_COST = 4


class WarResult(NamedTuple):
    """The result of one game of War.

    Parameters
    ----------
    status : Status
        ``Status.FINISHED`` or ``Status.LOOP``.
    winner : {"A", "B", None}
        The player who holds everything at the end; ``None`` for a loop.
    tricks : int
        Tricks played; for a loop, until a state recurs for the first time.
    cards : int
        Cards that the winner holds, which is all of them; for a loop, the cards that A holds.
    transient_tricks, cycle_tricks : int or None
        Loops only: the tricks before the first state that recurs, and from there to its return.
    reason : str
        A sentence that says who won, or that the game never ends.

    Examples
    --------
    >>> from camicia.guests.war import simulate_war
    >>> result = simulate_war("2T", "3J")
    >>> result.status, result.tricks, result.transient_tricks, result.cycle_tricks
    (<Status.LOOP: 'loop'>, 6, 2, 4)
    >>> result.reason
    'The game never ends: after 2 tricks it repeats the same 4 tricks, and player A holds 2 cards then.'
    """

    status: Status
    winner: str | None
    tricks: int
    cards: int
    transient_tricks: int | None = None
    cycle_tricks: int | None = None

    @property
    def reason(self) -> str:
        """Who won, or that the game never ends, in a sentence."""
        if self.status is Status.LOOP:
            return (
                f"The game never ends: after {counted(self.transient_tricks, 'trick')} it repeats the same "
                f"{counted(self.cycle_tricks, 'trick')}, and player A holds "
                f"{counted(self.cards, 'card')} then."
            )
        return (
            f"Player {self.winner} wins after {counted(self.tricks, 'trick')}, "
            f"with {counted(self.cards, 'card')} in hand."
        )

    def as_dict(self) -> dict[str, Any]:
        """The result under its JSON field names; transient and cycle only for a loop.

        Examples
        --------
        >>> from camicia.guests.war import simulate_war
        >>> simulate_war("3", "2").as_dict()["tricks"]
        1
        """
        fields: dict[str, Any] = {
            "status": str(self.status),
            "winner": self.winner,
            "tricks": self.tricks,
            "cards": self.cards,
        }
        if self.status is Status.LOOP:
            fields |= {"transient_tricks": self.transient_tricks, "cycle_tricks": self.cycle_tricks}
        return fields | {"reason": self.reason}


class Trick(NamedTuple):
    """One trick of a game.

    Parameters
    ----------
    number : int
        From 1.
    hand_a, hand_b : bytes
        Card codes of the hands before the trick, top card first.
    table : bytes
        Card codes in the order they were laid.
    winner : {"A", "B"}
        The player who takes the table.
    """

    number: int
    hand_a: bytes
    hand_b: bytes
    table: bytes
    winner: str


class WarGame:
    """A game of War in progress.

    Parameters
    ----------
    deal : WarDeal
        The deal.
    collect : str, optional
        How a trick is collected: ``"as-laid"`` or ``"winner-first"``.

    Attributes
    ----------
    hands : tuple of two deques of int
        Card codes in each hand, top card first.
    tricks : int
        Tricks played so far.
    winner : int or None
        The winner, once the game is over: 0 for A, 1 for B.

    Examples
    --------
    >>> game = WarGame(WarDeal.parse("3/2J"))
    >>> trick = game.play_trick()
    >>> trick.winner, list(game.hands[0])
    ('A', [3, 2])
    """

    def __init__(self, deal: WarDeal, collect: str = AS_LAID) -> None:
        self.hands = (deque(deal.hand_a), deque(deal.hand_b))
        self.collect = checked_collect(collect)
        self.tricks = 0
        self.winner = self._winner()

    def state(self) -> tuple[bytes, bytes]:
        """Return both hands as values, in order: the state that must recur for a game to be a loop."""
        hand_a, hand_b = self.hands
        return bytes(card & VALUE_BITS for card in hand_a), bytes(card & VALUE_BITS for card in hand_b)

    def play_trick(self) -> Trick:
        """Play one trick, with any wars in it."""
        hands, before = self.hands, (bytes(self.hands[A]), bytes(self.hands[B]))
        laid: tuple[list[int], list[int]] = ([], [])
        table = []

        def lay(player: int) -> int:
            card = hands[player].popleft()
            table.append(card)
            laid[player].append(card)
            return card & VALUE_BITS

        card_a, card_b = lay(A), lay(B)
        winner = None
        while card_a == card_b and winner is None:
            for player in (A, B):
                if winner is None and len(hands[player]) < WAR_COST:
                    # A player who cannot pay for a war lays all cards left, and the other takes them.
                    while hands[player]:
                        lay(player)
                    winner = 1 - player
            if winner is None:
                for _ in range(WAR_COST):
                    card_a, card_b = lay(A), lay(B)
        if winner is None:
            winner = A if card_a > card_b else B
        taken = table if self.collect == AS_LAID else laid[winner] + laid[1 - winner]
        hands[winner].extend(taken)
        self.tricks += 1
        self.winner = self._winner()
        return Trick(self.tricks, *before, bytes(table), "AB"[winner])

    def _winner(self) -> int | None:
        hand_a, hand_b = self.hands
        return None if hand_a and hand_b else A if hand_a else B


def checked_collect(collect: str) -> str:
    """Return a way of collecting, checked.

    Raises
    ------
    CamiciaError
        If it is not one of `COLLECT`.

    Examples
    --------
    >>> checked_collect("winner-first")
    'winner-first'
    """
    if collect not in COLLECT:
        raise CamiciaError(f"collect {collect!r}: expected {' or '.join(map(repr, COLLECT))}")
    return collect


def play_by_play(deal: WarDeal, collect: str = AS_LAID) -> Iterator[Trick]:
    """Play a deal trick by trick, to its end or to the first state that recurs.

    Examples
    --------
    >>> from camicia.guests.war_cards import hand_text
    >>> [(trick.winner, hand_text(trick.table)) for trick in play_by_play(WarDeal.parse("34/5"))]
    [('B', '35'), ('A', '43'), ('B', '45'), ('B', '34')]
    """
    game = WarGame(deal, collect)
    seen = set()
    while game.winner is None and (state := game.state()) not in seen:
        seen.add(state)
        yield game.play_trick()


def play(deal: WarDeal, collect: str = AS_LAID) -> WarResult:
    """Play a deal by the letter of the rules.

    Parameters
    ----------
    deal : WarDeal
        The deal.
    collect : str, optional
        How a trick is collected: ``"as-laid"`` or ``"winner-first"``.

    Returns
    -------
    WarResult
        Its exact result.

    Raises
    ------
    CamiciaError
        If there is no such way of collecting.

    Examples
    --------
    >>> play(WarDeal.parse("34/5")).winner
    'B'
    """
    game = WarGame(deal, collect)
    # When each state was first seen, in tricks.
    seen: dict[tuple[bytes, bytes], int] = {}
    while game.winner is None:
        transient = seen.setdefault(game.state(), game.tricks)
        if transient != game.tricks:
            cycle = game.tricks - transient
            return WarResult(Status.LOOP, None, game.tricks, len(game.hands[A]), transient, cycle)
        game.play_trick()
    return WarResult(Status.FINISHED, "AB"[game.winner], game.tricks, len(game.hands[game.winner]))
