"""Finds: which are kept, in whatever order they come, and their replay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from camicia import Deal, Deck, Status
from search.errors import VerificationError
from search.finds import FINDS_PER_TREE, Find, best, best_by_either, replay, smallest


@st.composite
def find_lists(draw):
    """Some finds with few different lengths and trees, so that there are ties; a deal is one find."""
    numbers = draw(st.lists(st.integers(0, 60), max_size=60))
    return [Find(bytes([n]), n * 7 % 5, n * 3 % 4, n * 5 % 3) for n in numbers]


@given(find_lists(), find_lists(), st.integers(0, 8), st.sampled_from(["cards", "tricks"]))
def test_the_best_of_a_union_are_the_best_of_the_bests(one, other, keep, by):
    joined = best([*best(one, by, keep), *best(other, by, keep)], by, keep)
    assert joined == best(one + other, by, keep)


@given(find_lists(), find_lists(), st.integers(0, 8))
def test_joining_lists_by_either_length_keeps_what_the_whole_keeps(one, other, keep):
    parts = [*best_by_either(one, keep), *best_by_either(other, keep)]
    assert best_by_either(parts, keep) == best_by_either(one + other, keep)
    assert smallest([*smallest(one, keep), *smallest(other, keep)], keep) == smallest(one + other, keep)


@given(find_lists(), st.integers(0, 8))
def test_lists_are_sorted_limited_and_without_repetition(finds, keep):
    chosen = best(finds, "cards", keep)
    assert len(chosen) <= keep and len(set(chosen)) == len(chosen)
    assert chosen == sorted(chosen, key=lambda find: (-find.cards, find.codes))
    trees = [find.tree for find in chosen if find.tree]
    assert all(trees.count(tree) <= FINDS_PER_TREE for tree in trees)


LOOP = Deal.parse("J--/-J-")


def find_of(deal, cards, tricks):
    return Find(deal.hand_a + deal.hand_b, cards, tricks)


def test_a_true_find_replays():
    result = replay(find_of(LOOP, 8, 3), LOOP.deck, Status.LOOP)
    assert (result.transient_cards, result.cycle_tricks, result.kernel) == (2, 2, "reference")


@pytest.mark.parametrize(
    ("cards", "tricks", "status", "deck"),
    [
        (9, 3, Status.LOOP, LOOP.deck),
        (8, 2, Status.LOOP, LOOP.deck),
        (8, 3, Status.FINISHED, LOOP.deck),
        (8, 3, Status.LOOP, Deck(3, 3, 0, 0, 0)),
    ],
)
def test_a_false_find_does_not(cards, tricks, status, deck):
    with pytest.raises(VerificationError, match="J--/-J-"):
        replay(find_of(LOOP, cards, tricks), deck, status)
