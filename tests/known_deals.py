"""The known deals, and random deals of many decks."""

from __future__ import annotations

import csv
import random
from typing import NamedTuple

from places import DATA

from camicia import rules
from camicia.cards import Deal
from camicia.results import Status

KNOWN_DEALS = DATA / "known_deals.csv"

#: The columns of a known deal that hold numbers; empty for a finished game's loop lengths.
LENGTHS = ("cards", "tricks", "transient_cards", "transient_tricks", "cycle_cards", "cycle_tricks")


class KnownDeal(NamedTuple):
    """A deal with its right result, known from elsewhere."""

    name: str
    deck: str
    text: str
    deal: Deal
    status: str
    winner: str | None
    lengths: tuple[int | None, ...]


def read_known_deals() -> list[KnownDeal]:
    """Return every known deal."""
    with KNOWN_DEALS.open(newline="") as file:
        return [
            KnownDeal(
                row["name"],
                row["deck"],
                row["deal"],
                Deal.parse(row["deal"]),
                row["status"],
                row["winner"] or None,
                tuple(int(row[length]) if row[length] else None for length in LENGTHS),
            )
            for row in csv.DictReader(file)
        ]


def lengths_of(result) -> tuple[int | None, ...]:
    """Return a result's lengths in the order of `LENGTHS`."""
    return tuple(getattr(result, length) for length in LENGTHS)


def cards_and_tricks(result) -> tuple[int, int]:
    """Return how long a game is."""
    return result.cards, result.tricks


def random_deal(generator: random.Random, largest: int = 80) -> Deal:
    """Return a deal of a random deck, with few or many payment cards, cut anywhere."""
    size = generator.randint(1, largest)
    payment_share = generator.choice((0, 0.05, 0.15, 0.3, 0.3, 0.5, 0.8, 1))
    ranks = generator.sample(range(1, 5), generator.randint(1, 4))
    codes = bytes(generator.choice(ranks) if generator.random() < payment_share else 0 for _ in range(size))
    cut = generator.choice((size // 2, size // 2, generator.randint(0, size)))
    return Deal(codes[:cut], codes[cut:])


def row_of(deal):
    """What `simulate_many` should say of a deal, by the rules."""
    result = rules.play(deal)
    winner = {"A": 0, "B": 1, None: 255}[result.winner]
    return (int(result.status is Status.LOOP), winner, result.cards, result.tricks)
