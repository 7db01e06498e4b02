"""Finds: deals worth keeping, choosing the best of them, and replaying them by the plain rules."""

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

#: Most finds of one tree in a list: a tree has about a thousand deals and would fill the list by itself.
FINDS_PER_TREE = 3

#: The tree number of a find that belongs to no tree; such finds are not limited.
NO_TREE = 0


class Find(NamedTuple):
    """A deal of the campaign's deck, with the usual cut, and the lengths of its game.

    Parameters
    ----------
    codes : bytes
        Card codes 0 to 4, hand A followed by hand B. Codes sort as ranks do.
    cards, tricks : int
        The lengths of its game; for a loop, up to the first repeated state.
    tree : int
        Number of the tree of ancestors it was found in, 0 for none. A deal lies in one tree only.
    """

    codes: bytes
    cards: int
    tricks: int
    tree: int = NO_TREE


def best(finds: Iterable[Find], by: Length, keep: int) -> list[Find]:
    """Return the longest finds, at most `FINDS_PER_TREE` of one tree; the smaller rank wins a tie.

    The best of a union are the best of the best of its parts, in whatever order they are joined.

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
    """Return the best by cards and the best by tricks, each deal once, longest first."""
    finds = set(finds)
    union = {find for by in LENGTHS for find in best(finds, by, keep)}
    return sorted(union, key=lambda find: (-find.cards, -find.tricks, find.codes))


def smallest(finds: Iterable[Find], keep: int) -> list[Find]:
    """Return the finds of smallest rank, each deal once; this is how loops are kept."""
    return sorted(set(finds), key=lambda find: find.codes)[:keep]


def deal_of(codes: bytes, deck: Deck) -> Deal:
    """Return the deal in a row of card codes, with the usual cut."""
    return Deal(codes[: deck.cut], codes[deck.cut :])


def replay(find: Find, deck: Deck, status: Status) -> Result:
    """Replay a find by the plain rules.

    Parameters
    ----------
    find : Find
        The claim to check.
    deck : Deck
        The deck it should belong to.
    status : Status
        The result that its game should have.

    Returns
    -------
    Result
        The full result from `camicia.rules`.

    Raises
    ------
    VerificationError
        If the deck, the status or a length differs.

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
