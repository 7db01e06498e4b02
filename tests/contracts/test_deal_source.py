"""What every source of deals promises: deals of its deck, the same in pieces of any size, in every form."""

from importlib import import_module

import numpy as np
import pytest

from camicia import ITALIAN, STANDARD, Deal, DealError, Deck
from camicia.deals.given import GivenDeals
from camicia.deals.sampling import DealStream
from camicia.deals.source import DealSource
from camicia.deals.stepping import DealRange
from camicia.kernels.dispatch import runnable_modules
from camicia.kernels.rows import Prepared

#: How a source of each kind is made, of any deck. A new kind is tested by being listed.
SOURCES = {
    DealStream: lambda deck: DealStream(deck, 7, 3),
    DealRange: lambda deck: DealRange(deck, deck.deal_count // 3),
    GivenDeals: lambda deck: GivenDeals(deck, DealStream(deck, 7, 3).take(500)),
}

DECKS = (STANDARD, ITALIAN, Deck(12, 2, 2, 0, 0), Deck(9, 0, 0, 0, 3), Deck(200, 1, 2, 3, 4))


@pytest.fixture(params=SOURCES, ids=lambda kind: kind.__name__)
def made(request):
    """Makes a source of a deck, always the same."""
    return SOURCES[request.param]


@pytest.fixture(params=DECKS, ids=str)
def deck(request):
    return request.param


def available(deck):
    """Deals that a source can be asked for: no more than the deck has ranks left."""
    return min(700, deck.deal_count - deck.deal_count // 3)


def test_every_kind_is_listed():
    for name in runnable_modules("camicia") | runnable_modules("search"):
        import_module(name)

    def below(kind):
        return {kind, *(further for child in kind.__subclasses__() for further in below(child))}

    assert below(DealSource) - {DealSource} == set(SOURCES)


def test_deals_are_deals_of_the_deck(made, deck):
    deals = made(deck).take(available(deck))
    assert deals.dtype == np.uint8 and deals.shape == (available(deck), deck.size)
    assert all(Deal.from_array(cards).deck == deck for cards in deals)


@pytest.mark.parametrize("piece", [1, 63, 64, 65, 311])
def test_pieces_of_any_size_make_no_difference(made, deck, piece):
    whole = made(deck).take(available(deck))
    source = made(deck)
    pieces = [source.take(min(piece, len(whole) - start)) for start in range(0, len(whole), piece)]
    assert (np.concatenate(pieces) == whole).all()


def test_the_kernels_form_holds_the_same_deals(made, deck):
    count = available(deck)
    prepared = Prepared(deck, count)
    source = made(deck)
    # Written twice over, the second time onto what is there.
    source.prepare(prepared, count // 2)
    source.prepare(prepared, count - count // 2)
    deals, cuts = prepared.deals()
    expected = made(deck).take(count)[count // 2 :]
    assert (deals[: len(expected)] == expected).all() and (cuts == deck.cut).all()


def test_a_source_knows_its_deck(made, deck):
    source = made(deck)
    assert isinstance(source, DealSource) and source.deck == deck and source.size == deck.size


def test_a_batch_of_another_deck_or_too_small_is_refused(made):
    with pytest.raises(ValueError, match="there is room for"):
        made(STANDARD).prepare(Prepared(ITALIAN, 10), 10)
    with pytest.raises(ValueError, match="there is room for"):
        made(STANDARD).prepare(Prepared(STANDARD, 10), 11)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "shape"),
        ([[1, 0, 0]], "shape"),
        ([[1, 0, 0, 0], [1, 1, 0, 0]], "row 1 holds"),
        ([[9, 0, 0, 0]], "row 0"),
    ],
)
def test_given_deals_are_deals_of_the_deck(rows, message):
    with pytest.raises(DealError, match=message):
        GivenDeals(Deck(3, 1, 0, 0, 0), np.array(rows, np.uint8))
