"""What a game came to: its status, winner and lengths."""

from __future__ import annotations

import enum
from typing import Any, NamedTuple


class Status(enum.StrEnum):
    """How a game goes: it is finished, or it is a loop and never ends.

    Examples
    --------
    >>> Status("loop") is Status.LOOP, str(Status.FINISHED)
    (True, 'finished')
    """

    FINISHED = "finished"
    LOOP = "loop"


class Result(NamedTuple):
    """The result of one game.

    For a loop, `cards` and `tricks` are those played when the first repeated state is reached: the
    transient and one turn of the cycle. All lengths count cards played, or tricks collected.

    Parameters
    ----------
    status : Status
        ``Status.FINISHED`` or ``Status.LOOP``.
    winner : {"A", "B", None}
        Who holds everything at the end; ``None`` for a loop.
    cards, tricks : int
        Cards played and tricks collected, the final trick included.
    transient_cards, transient_tricks : int or None
        Loops only: played before the first state that recurs.
    cycle_cards, cycle_tricks : int or None
        Loops only: played from that state to its return.
    reason : str
        For people: who won and why, or that the game never ends.
    kernel : str
        The kernel that played the game.

    Examples
    --------
    >>> from camicia import simulate
    >>> result = simulate("J--/-J-")
    >>> result.status, result.cards, result.cycle_tricks
    (<Status.LOOP: 'loop'>, 8, 2)
    >>> result.reason
    'The game never ends: after 2 cards and 1 trick it repeats the same 6 cards and 2 tricks.'
    """

    status: Status
    winner: str | None
    cards: int
    tricks: int
    transient_cards: int | None = None
    transient_tricks: int | None = None
    cycle_cards: int | None = None
    cycle_tricks: int | None = None
    kernel: str = ""

    @property
    def reason(self) -> str:
        """Who won and why, or that the game never ends, in a sentence."""
        if self.status is Status.LOOP:
            return (
                f"The game never ends: after {counted(self.transient_cards, 'card')} and "
                f"{counted(self.transient_tricks, 'trick')} it repeats the same "
                f"{counted(self.cycle_cards, 'card')} and {counted(self.cycle_tricks, 'trick')}."
            )
        loser = "B" if self.winner == "A" else "A"
        return (
            f"Player {self.winner} wins after {counted(self.cards, 'card')} and "
            f"{counted(self.tricks, 'trick')}: player {loser} has no card left."
        )

    def as_dict(self) -> dict[str, Any]:
        """The result under the field names that JSON and CSV use; a loop's lengths only for a loop.

        Examples
        --------
        >>> from camicia import simulate
        >>> simulate("-/-").as_dict()["cards"]
        2
        """
        fields = {
            "status": str(self.status),
            "winner": self.winner,
            "cards": self.cards,
            "tricks": self.tricks,
        }
        if self.status is Status.LOOP:
            fields |= {
                "transient_cards": self.transient_cards,
                "transient_tricks": self.transient_tricks,
                "cycle_cards": self.cycle_cards,
                "cycle_tricks": self.cycle_tricks,
            }
        return fields | {"reason": self.reason, "kernel": self.kernel}


def counted(number: int | None, noun: str) -> str:
    """Write a number with its noun, in the plural where it is one.

    Examples
    --------
    >>> counted(1, "card"), counted(8344, "card")
    ('1 card', '8,344 cards')
    """
    return f"{number or 0:,} {noun}{'' if number == 1 else 's'}"
