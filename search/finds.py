"""Finds: deals worth keeping, which of them are the best, and their replay by the rules themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple

from camicia.cards import Deal, Deck
from camicia.results import Result, Status
from camicia.rules import play
from search.errors import VerificationError

#: The two lengths that finds are ranked by.
Length = Literal["cards", "tricks"]
LENGTHS: tuple[Length, ...] = ("cards", "tricks")

#: Finds of one tree that a list may hold: a tree has a thousand, and would fill the list by itself.
FINDS_PER_TREE = 3

#: The tree of a find that comes from none; such finds are not limited.
NO_TREE = 0


class Find(NamedTuple):
    """A deal of the campaign's deck, usual cut, with its lengths.

    Parameters
    ----------
    codes : bytes
        Card codes 0 to 4, hand A followed by hand B. Codes sort as ranks do.
    cards, tricks : int
        The lengths of its game; of a loop, those when the first repeated state is reached.
    tree : int
        Names the tree of ancestors it was found in, 0 for none. A deal lies in one tree only.
    """

    codes: bytes
    cards: int
    tricks: int
    tree: int = NO_TREE


def best(finds: Iterable[Find], by: Length, keep: int) -> list[Find]:
    """The longest finds, ties to the smaller rank, at most `FINDS_PER_TREE` of one tree.

    The best of a union are the best of the bests of its parts, in whatever order they are joined.

    Parameters
    ----------
    finds : iterable of Find
        May hold the same deal more than once.
    by : {"cards", "tricks"}
        The length that counts.
    keep : int
        How many.

    Examples
    --------
    >>> [find.cards for find in best([Find(b"a", 5, 1), Find(b"b", 7, 1), Find(b"b", 7, 1)], "cards", 9)]
    [7, 5]
    """
    of_tree: Counter[int] = Counter()
    chosen: list[Find] = []
    for find in sorted(set(finds), key=lambda find: (-getattr(find, by), find.codes)):
        if len(chosen) == keep:
            break
        if find.tree == NO_TREE or of_tree[find.tree] < FINDS_PER_TREE:
            of_tree[find.tree] += 1
            chosen.append(find)
    return chosen


def best_by_either(finds: Iterable[Find], keep: int) -> list[Find]:
    """The best by cards and the best by tricks, each deal once, longest first."""
    finds = set(finds)
    union = {find for by in LENGTHS for find in best(finds, by, keep)}
    return sorted(union, key=lambda find: (-find.cards, -find.tricks, find.codes))


def smallest(finds: Iterable[Find], keep: int) -> list[Find]:
    """The finds of smallest rank, each deal once; what is kept of the loops."""
    return sorted(set(finds), key=lambda find: find.codes)[:keep]


def deal_of(codes: bytes, deck: Deck) -> Deal:
    """The deal of a row of card codes, with the usual cut."""
    return Deal(codes[: deck.cut], codes[deck.cut :])


def replay(find: Find, deck: Deck, status: Status) -> Result:
    """Play a find again by the letter of the rules.

    Parameters
    ----------
    find : Find
        What is claimed.
    deck : Deck
        The deck it should be of.
    status : Status
        The result that its game should have.

    Returns
    -------
    Result
        The whole result of `camicia.rules`.

    Raises
    ------
    VerificationError
        If the deck, the status or a length is another.

    Examples
    --------
    >>> from camicia import Deck
    >>> replay(Find(b"\\1\\0\\0\\0\\1\\0", 8, 3), Deck(4, 2, 0, 0, 0), Status.LOOP).cycle_cards
    6
    """
    deal = deal_of(find.codes, deck)
    if deal.deck != deck:
        raise VerificationError(f"find {deal}: is of deck {deal.deck}, expected {deck}")
    result = play(deal)
    claimed = (status, find.cards, find.tricks)
    if (result.status, result.cards, result.tricks) != claimed:
        raise VerificationError(
            f"find {deal}: reported as {status}, {find.cards} cards, {find.tricks} tricks, but by the rules "
            f"it is {result.status}, {result.cards} cards, {result.tricks} tricks"
        )
    return result
