"""Loops to start a walk from: the published ones, and small ones met in random play."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from camicia.ancestry.ancestors import Cycle, State
from camicia.cards import Deck
from camicia.deals.sampling import DealStream
from camicia.errors import CamiciaError
from camicia.records import records
from camicia.results import Status
from search.finds import deal_of
from search.scan.account import Account
from search.scan.scan import scan_deals

#: Where a walk may start: from the published loops of the deck, or from small ones.
START = ("known", "small")

#: Most loops written into a campaign: its identity is sent along with every unit.
MOST_STARTS = 256

#: Sizes of the small decks, and their payment cards. Random play hardly ever meets loops of larger ones.
SMALL_SIZES = range(10, 23, 2)
SMALL_PAYMENTS = range(2, 9)

#: Deals played of each small deck; all together take about a second.
SMALL_DEALS = 1 << 15

#: Loops taken from each small deck.
SMALL_KEPT = 30


def known_loops(deck: Deck) -> list[State]:
    """The published loops of a deck, each cycle once.

    Examples
    --------
    >>> from camicia import STANDARD
    >>> len(known_loops(STANDARD))
    1
    """
    return distinct(
        State.from_deal(record.deal)
        for record in records()
        if record.deal.deck == deck and record.result.status is Status.LOOP
    )


def small_loops(deck: Deck, seed: int) -> list[State]:
    """Loops of decks of at most 22 cards, and of fewer than the deck's, met in random play.

    Examples
    --------
    >>> all(state.size <= 22 for state in small_loops(Deck(12, 2, 2, 2, 0), 7))
    True
    """
    states: list[State] = []
    for unit, small in enumerate(small_decks(deck)):
        account = Account(small.size, 0, SMALL_KEPT)
        stream = DealStream(small, seed, unit)
        deals = -(-SMALL_DEALS // stream.deals_per_shuffle) * stream.deals_per_shuffle
        scan_deals(account, stream, 0, deals)
        states += [State.from_deal(deal_of(find.codes, small)) for find in account.loop_finds()]
    return distinct(states)


def small_decks(deck: Deck) -> list[Deck]:
    """Return small decks whose cards are all in the deck, taking payment cards from its ranks in turn.

    Examples
    --------
    >>> [str(small) for small in small_decks(Deck(28, 4, 4, 4, 0))][:3]
    ['8:1:1:0:0', '7:1:1:1:0', '6:2:1:1:0']
    """
    decks: list[Deck] = []
    for size, payment in product(SMALL_SIZES, SMALL_PAYMENTS):
        counts = [0] * 5
        while sum(counts[1:]) < min(payment, deck.payment_cards):
            for code in range(1, 5):
                if counts[code] < deck.counts[code] and sum(counts[1:]) < payment:
                    counts[code] += 1
        counts[0] = min(size - sum(counts[1:]), deck.counts[0])
        small = Deck(*counts)
        if small not in decks and 4 <= small.size <= deck.size:
            decks.append(small)
    return decks


def distinct(states: Iterable[State]) -> list[State]:
    """The smallest state of each cycle that the states fall into, each once, as many as are kept."""
    found: dict[str, State] = {}
    for state in states:
        if len(found) == MOST_STARTS:
            break
        try:
            cycle = Cycle.of(state)
        except CamiciaError:
            continue
        found.setdefault(cycle.name, cycle.states[0])
    return list(found.values())


def written(states: Iterable[State]) -> str:
    """Join states into one text for a campaign's settings."""
    return " ".join(str(state) for state in states)
