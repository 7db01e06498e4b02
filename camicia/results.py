"""The result of a game: its status, winner and lengths."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from camicia.checks import shortened, whole_number
from camicia.errors import CamiciaError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Status(enum.StrEnum):
    """How a game goes: it finishes, or it is a loop and never ends.

    Examples
    --------
    >>> Status("loop") is Status.LOOP, str(Status.FINISHED)
    (True, 'finished')

    The codes of `simulate_many` are accepted too:

    >>> from camicia import simulate_many
    >>> Status(simulate_many(["-/-"])[0]["status"])
    <Status.FINISHED: 'finished'>
    """

    FINISHED = "finished"
    LOOP = "loop"

    @classmethod
    def _missing_(cls, value: object) -> Status | None:
        # Array scalars of any number type compare equal to these codes; True is not a code.
        if not hasattr(value, "__index__") or isinstance(value, bool):
            return None
        return _STATUS.get(int(value))


#: By code in the rows of `simulate_many`.
_STATUS = {0: Status.FINISHED, 1: Status.LOOP}
_WINNER: dict[int, Literal["A", "B"] | None] = {0: "A", 1: "B", 255: None}


def winner_name(code: int | np.integer[Any]) -> Literal["A", "B"] | None:
    """Return the winner for a code in a row of `simulate_many`; None for a loop.

    Parameters
    ----------
    code : int
        0, 1 or 255, as in the field ``winner``.

    Raises
    ------
    CamiciaError
        If it is any other code.

    Examples
    --------
    >>> from camicia import simulate_many, winner_name
    >>> [winner_name(row["winner"]) for row in simulate_many(["J--/-J-", "-/-", "A/-"])]
    [None, 'B', 'A']
    """
    number = whole_number(code)
    if number not in _WINNER:
        raise CamiciaError(f"winner {shortened(code)}: expected 0 (A), 1 (B) or 255 (none)")
    return _WINNER[number]


def as_columns(rows: npt.NDArray[np.void]) -> dict[str, list[Any]]:
    """Return the results of many games as columns with readable values, for `pandas` and `polars`.

    Parameters
    ----------
    rows : structured array, shape (n,)
        What `simulate_many` or `play_random` returns.

    Returns
    -------
    dict of str to list
        ``status`` ("finished", "loop"), ``winner`` ("A", "B", None), ``cards`` and ``tricks``;
        ``pandas.DataFrame(as_columns(rows))`` and ``polars.DataFrame(as_columns(rows))`` turn it into tables.

    Examples
    --------
    >>> from camicia import as_columns, simulate_many
    >>> as_columns(simulate_many(["J--/-J-", "-/-"]))
    {'status': ['loop', 'finished'], 'winner': [None, 'B'], 'cards': [8, 2], 'tricks': [3, 1]}
    """
    return {
        "status": [str(_STATUS[code]) for code in rows["status"].tolist()],
        "winner": [_WINNER[code] for code in rows["winner"].tolist()],
        "cards": rows["cards"].tolist(),
        "tricks": rows["tricks"].tolist(),
    }


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """The result of one game. Results are equal if the games are, whatever kernels played them.

    For a loop, `cards` and `tricks` are those played when the first repeated state is reached: the
    transient and one turn of the cycle. All lengths count cards played, or tricks collected.

    Parameters
    ----------
    status : Status
        ``Status.FINISHED`` or ``Status.LOOP``.
    winner : {"A", "B", None}
        The player who holds everything at the end; ``None`` for a loop.
    cards, tricks : int
        Cards played and tricks collected, the final trick included.
    transient_cards, transient_tricks : int or None
        Loops only: played before the first state that recurs.
    cycle_cards, cycle_tricks : int or None
        Loops only: played from that state to its return.
    reason : str
        A sentence that says who won and why, or that the game never ends.
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
    kernel: str = field(default="", compare=False)

    def __repr__(self) -> str:
        return f"Result({', '.join(f'{name}={value!r}' for name, value in self._lengths().items())})"

    def _repr_html_(self) -> str:
        return f"<span>{self.reason}</span>"

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
        """The result under its JSON and CSV field names; transient and cycle only for a loop.

        Examples
        --------
        >>> from camicia import simulate
        >>> simulate("-/-").as_dict()["cards"]
        2
        """
        return self._lengths() | {"reason": self.reason, "kernel": self.kernel}

    def _lengths(self) -> dict[str, Any]:
        """Status, winner and lengths; transient and cycle only for a loop."""
        fields: dict[str, Any] = {
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
        return fields


def counted(number: int | None, noun: str) -> str:
    """Write a number with its noun, in the plural where needed.

    Examples
    --------
    >>> counted(1, "card"), counted(8344, "card")
    ('1 card', '8,344 cards')
    """
    return f"{number or 0:,} {noun}{'' if number == 1 else 's'}"
