"""The known record deals: the longest finite games and the loops that people have published."""

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
        When it was published, where that is known.
    finder : str
        Who found it, as the source writes the name.
    deal : Deal
        The deal.
    result : Result
        What its game comes to.
    source : str
        Where deal and finder are published.
    """

    year: int | None
    finder: str
    deal: Deal
    result: Result
    source: str

    def as_dict(self) -> dict[str, Any]:
        """The record under the field names that JSON and CSV use.

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
    """Return the known records, by deck and year.

    Examples
    --------
    >>> max(record.result.tricks for record in records())
    1164
    """
    text = files("camicia.data").joinpath("records.csv").read_text(encoding="utf-8")
    return tuple(map(_record, csv.DictReader(text.splitlines())))


def longest_known(deck: DeckLike, length: str) -> int | None:
    """Return the most cards or tricks of any known finite game of a deck; None if none is known.

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
        Those whose replay differs from the published result, with what it gives; empty if all is well.

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
