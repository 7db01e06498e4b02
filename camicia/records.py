"""The known record deals: the longest finite games and the published loops."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from camicia import rules
from camicia.cards import Deal
from camicia.decks import DeckLike, as_deck
from camicia.results import Result, Status


class Record(NamedTuple):
    """A published deal with its result.

    Parameters
    ----------
    year : int or None
        Year of publication, if known.
    finder : str
        The finder's name, as written in the source.
    deal : Deal
        The deal.
    result : Result
        The result of its game.
    source : str
        The publication that names deal and finder.
    """

    year: int | None
    finder: str
    deal: Deal
    result: Result
    source: str

    def as_dict(self) -> dict[str, Any]:
        """The record under its JSON and CSV field names.

        Examples
        --------
        >>> records()[0].as_dict()["finder"]
        'Paulhus'
        """
        fields = self.result.as_dict()
        del fields["reason"], fields["kernel"]
        return {
            "year": self.year,
            "finder": self.finder,
            "deal": str(self.deal),
            "deck": str(self.deal.deck),
            **fields,
            "source": self.source,
        }


@cache
def records() -> tuple[Record, ...]:
    """Return the known records, ordered by deck and year.

    Examples
    --------
    >>> max(record.result.tricks for record in records())
    1164
    """
    text = files("camicia.data").joinpath("records.csv").read_text(encoding="utf-8")
    return tuple(map(_record, csv.DictReader(text.splitlines())))


def longest_known(deck: DeckLike, length: str) -> int | None:
    """Return the length of the longest known finite game of a deck; None if none is known.

    Parameters
    ----------
    deck : Deck or str
        The deck: a `Deck`, a name such as ``"standard"``, or counts.
    length : {"cards", "tricks"}
        Which of the two lengths.

    Examples
    --------
    >>> longest_known("standard", "cards"), longest_known("standard", "tricks")
    (8344, 1164)
    """
    deck = as_deck(deck)
    return max(
        (
            getattr(record.result, length)
            for record in records()
            if record.deal.deck == deck and record.result.status is Status.FINISHED
        ),
        default=None,
    )


def check() -> list[tuple[Record, Result]]:
    """Replay every record by the rules in plain Python.

    Returns
    -------
    list of (Record, Result)
        Records whose replay differs from the published result, with the replay; empty if all agree.

    Examples
    --------
    >>> check()
    []
    """
    replays = [(record, rules.play(record.deal)) for record in records()]
    return [(record, replay) for record, replay in replays if replay != record.result]


def _record(row: dict[str, str]) -> Record:
    loop: dict[str, Any] = {
        name: int(row[name])
        for name in ("transient_cards", "transient_tricks", "cycle_cards", "cycle_tricks")
        if row[name]
    }
    result = Result(
        Status(row["status"]), row["winner"] or None, int(row["cards"]), int(row["tricks"]), **loop
    )
    year = int(row["year"]) if row["year"] else None
    return Record(year, row["finder"], Deal.parse(row["deal"]), result, row["source"])
