"""Complete searches: consecutive deals in the kernel's own form, and what playing all of them comes to."""

import random

import numpy as np
import pytest

from camicia import ITALIAN, STANDARD, Deck, RankError, simulate_many, unrank_many
from camicia.kernels import available_kernels
from camicia.stepping import DealRange
from search.account import Account
from search.scan import scan_ranks

#: Decks of every form of the lanes, with gaps too wide for a link, and decks that the lanes cannot hold.
DECKS = [
    Deck(0, 1, 0, 0, 1),
    Deck(3, 0, 0, 0, 0),
    Deck(8, 1, 1, 1, 1),
    Deck(12, 2, 2, 2, 0),
    Deck(18, 2, 2, 2, 2),
    Deck(0, 4, 4, 4, 4),
    Deck(30, 0, 0, 0, 2),
    Deck(61, 1, 0, 0, 1),
    Deck(88, 1, 1, 0, 0),
    Deck(41, 4, 4, 4, 4),
    Deck(35, 16, 0, 0, 0),
    Deck(60, 5, 5, 5, 5),
    ITALIAN,
    STANDARD,
]


@pytest.mark.parametrize("deck", DECKS, ids=str)
def test_consecutive_deals_are_those_of_their_ranks(deck):
    chance = random.Random(str(deck))
    total = deck.deal_count
    for start in (0, max(0, total - 3000), chance.randrange(total), chance.randrange(total)):
        deals = DealRange(deck, start, capacity=512)
        at, stop = start, min(start + 3000, total)
        while at < stop:
            count = min(stop - at, chance.choice([1, 2, 63, 511, 512, 513]))
            assert np.array_equal(deals.take(count), unrank_many(deck, range(at, at + count)))
            at += count


def test_consecutive_deals_of_many_decks():
    chance = random.Random(5)
    for _ in range(100):
        deck = Deck(chance.randrange(1, 42), chance.randrange(1, 5), *(chance.randrange(5) for _ in range(3)))
        start = chance.randrange(deck.deal_count)
        count = min(1000, deck.deal_count - start)
        deals = DealRange(deck, start).take(count)
        assert np.array_equal(deals, unrank_many(deck, range(start, start + count)))


def test_a_range_of_deals_starts_within_the_deck():
    with pytest.raises(RankError, match="rank 2: expected a whole number from 0 to 1"):
        DealRange(Deck(1, 1, 0, 0, 0), 2)


def of_rows(deck, ranks, finds_kept=50):
    """The account of a range, dealt as rows of card codes and played by the ring."""
    account = Account(deck.size, finds_kept, finds_kept)
    deals = unrank_many(deck, ranks)
    account.add(deals, simulate_many(deals, kernel="ring"), ranks.start)
    return counted(account)


def counted(account):
    names = ("games", "loops", "cards", "tricks", "checksum", "most_cards", "most_cards_games")
    return {name: getattr(account, name) for name in names} | {
        "histogram": account.histogram(),
        "finds": set(account.finds()),
        "loop_finds": account.loop_finds(),
    }


@pytest.mark.parametrize("kernel", [name for name in available_kernels() if name != "reference"])
@pytest.mark.parametrize("deck", [*DECKS, Deck(1, 0, 0, 0, 0)], ids=str)
def test_a_range_counts_as_its_rows_do(deck, kernel):
    start = random.Random(str(deck)).randrange(deck.deal_count)
    ranks = range(start, min(start + 20_000, deck.deal_count))
    account = Account(deck.size, 50, 50)
    assert scan_ranks(account, deck, ranks.start, ranks.stop, kernel) == kernel
    assert counted(account) == of_rows(deck, ranks)


@pytest.mark.parametrize("kernel", available_kernels())
def test_every_deal_of_a_small_deck(kernel):
    deck = Deck(8, 1, 1, 1, 1)
    account = Account(deck.size, 100, 100)
    scan_ranks(account, deck, 0, deck.deal_count, kernel)
    assert (account.games, account.loops) == (11_880, 0)
    assert (account.cards, account.tricks) == (174_846, 30_590)
    assert (account.most_cards, max(account.histogram())) == (64, 12)


@pytest.mark.parametrize("kernel", [name for name in available_kernels() if name != "reference"])
def test_every_deal_of_a_deck_with_loops(kernel):
    deck = Deck(12, 2, 2, 2, 0)
    account = Account(deck.size, 100, 100)
    scan_ranks(account, deck, 0, deck.deal_count, kernel)
    assert (account.games, account.loops) == (1_670_760, 15)
    assert (account.most_cards, max(account.histogram())) == (362, 63)
