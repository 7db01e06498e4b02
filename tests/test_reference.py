"""The rules in plain Python, against results worked out by others or by hand."""

import pytest
from known_deals import lengths_of

from camicia import Deal, Status
from camicia.rules import Game, play, play_by_play


def test_known_deals(known):
    result = play(known.deal)
    assert (result.status, result.winner, lengths_of(result)) == (known.status, known.winner, known.lengths)
    assert result.kernel == "reference"


def test_play_by_play_shows_every_card_and_ends_as_play_does(known):
    result = play(known.deal)
    shown = 0
    for game in play_by_play(known.deal):
        assert game.cards in (shown, shown + 1)
        shown = game.cards
        assert len(game.hands[0]) + len(game.hands[1]) + len(game.pile) == known.deal.size
    assert (game.cards, game.tricks) == (result.cards, result.tricks)
    assert (game.winner is None) == (result.status is Status.LOOP)


def test_a_payment_card_while_paying_obliges_the_other():
    game = Game(Deal.parse("A--/-Q--"))
    game.play_card()
    assert (game.player, game.penalty) == (1, 4)
    game.play_card()
    assert (game.player, game.penalty) == (1, 3)
    game.play_card()
    assert (game.player, game.penalty, game.pile) == (0, 2, [4, 0, 2])


def test_the_pile_goes_under_the_hand_in_the_order_it_was_laid():
    # A lays a number card, B a Jack, A pays it with a Queen, B owes two and lays two number cards.
    game = Game(Deal.parse("-Q-/J--K"))
    while not game.tricks:
        game.play_card()
    assert [bytes(hand) for hand in game.hands] == [b"\0\0\1\2\0\0", b"\3"]
    assert (game.player, game.cards, game.winner) == (0, 5, None)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("-/-", "Player B wins after 2 cards and 1 trick: player A has no card left."),
        (
            "J--/-J-",
            "The game never ends: after 2 cards and 1 trick it repeats the same 6 cards and 2 tricks.",
        ),
    ],
)
def test_reasons_for_people(text, reason):
    assert play(Deal.parse(text)).reason == reason
