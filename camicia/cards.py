"""Decks and deals: what makes them valid, and their ranks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from camicia.checks import checked_cut, checked_whole, shortened
from camicia.codes import (
    MAX_CARDS,
    checked_codes,
    codes_of_faces,
    codes_of_hand,
    codes_of_notation,
    hand_text,
)
from camicia.deals import ranking
from camicia.deals.ranks import checked_range
from camicia.errors import DealError, DeckError
from camicia.results import counted
from camicia.showing import hands_html, short_notation

if TYPE_CHECKING:
    import numpy.typing as npt


#: What is accepted as one hand of card codes.
Hand = bytes | Sequence[int] | np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True, order=True, repr=False)
class Deck:
    """How many number cards, Jacks, Queens, Kings and Aces there are.

    Parameters
    ----------
    numbers, jacks, queens, kings, aces : int
        Counts of each kind of card. A Jack's penalty is 1, a Queen's 2, a King's 3, an Ace's 4.

    Raises
    ------
    DeckError
        If a count is not a whole number from 0 up, or the deck has no card or more than 65,535.

    Examples
    --------
    >>> from camicia import Deck
    >>> deck = Deck(36, 4, 4, 4, 4)
    >>> str(deck), deck.size, deck.deal_count
    ('36:4:4:4:4', 52, 653534134886878245000)
    """

    numbers: int
    jacks: int
    queens: int
    kings: int
    aces: int

    def __post_init__(self) -> None:
        for field in ("numbers", "jacks", "queens", "kings", "aces"):
            # As many digits as `parse` reads; whether there are too many cards is said below.
            count = checked_whole(f"deck: {field}", getattr(self, field), 0, 999_999_999, error=DeckError)
            object.__setattr__(self, field, count)
        if not 1 <= self.size <= MAX_CARDS:
            raise DeckError(f"deck {self}: has {self.size} cards, expected 1 to {MAX_CARDS:,}")

    @classmethod
    def parse(cls, text: str) -> Deck:
        """Read the notation ``numbers:J:Q:K:A``.

        Parameters
        ----------
        text : str
            Five counts with colons between, such as ``36:4:4:4:4``.

        Raises
        ------
        DeckError
            If the text is not of that form or the counts are impossible.

        Examples
        --------
        >>> Deck.parse("28:4:4:4:0") == ITALIAN
        True
        """
        if not isinstance(text, str) or not re.fullmatch(r"\s*\d{1,9}(:\d{1,9}){4}\s*", text, re.ASCII):
            raise DeckError(
                f"deck {shortened(text)}: expected five counts, numbers:J:Q:K:A, as in 36:4:4:4:4"
            )
        return cls(*map(int, text.split(":")))

    @classmethod
    def of(cls, codes: bytes) -> Deck:
        """Count the cards of a deal, given as card codes 0 to 4.

        Examples
        --------
        >>> str(Deck.of(b"\\0\\0\\1\\4"))
        '2:1:0:0:1'
        """
        return cls(*(codes.count(code) for code in range(5)))

    def __str__(self) -> str:
        return ":".join(map(str, self.counts))

    def __repr__(self) -> str:
        return f"Deck({', '.join(map(str, self.counts))})"

    @property
    def counts(self) -> tuple[int, int, int, int, int]:
        """The five counts, indexed by card code."""
        return (self.numbers, self.jacks, self.queens, self.kings, self.aces)

    @property
    def size(self) -> int:
        """Number of cards."""
        return sum(self.counts)

    @property
    def payment_cards(self) -> int:
        """Number of payment cards: all that are not number cards."""
        return self.size - self.numbers

    @property
    def cut(self) -> int:
        """Cards that hand A gets in the usual cut: half, rounded down."""
        return self.size // 2

    @property
    def deal_count(self) -> int:
        """Number of different deals with the usual cut, exactly."""
        return ranking.deal_count(self.counts)

    @property
    def codes(self) -> bytes:
        """All cards as codes, number cards first: hand A then hand B of the deal of rank 0."""
        return b"".join(bytes([code]) * count for code, count in enumerate(self.counts))

    def rank(self, deal: Deal | str) -> int:
        """Find the place of a deal among all deals of this deck, from 0.

        The order is lexicographic, hand A followed by hand B, number card < J < Q < K < A.

        Parameters
        ----------
        deal : Deal or str
            A deal of this deck with the usual cut, as a `Deal` or in the notation of the field.

        Returns
        -------
        int
            From 0 to ``deal_count - 1``.

        Raises
        ------
        DealError
            If the deal is of another deck, or not cut in the middle.

        Examples
        --------
        >>> ITALIAN.rank("-JK--QKK-QQ---K--J--/------J-----------QJ")
        106954227391669
        """
        if isinstance(deal, str):
            deal = Deal.parse(deal)
        if deal.deck != self:
            raise DealError(f"deal {shortened(str(deal))}: is of deck {deal.deck}, expected deck {self}")
        if len(deal.hand_a) != self.cut:
            raise DealError(
                f"deal {shortened(str(deal))}: hand A has {counted(len(deal.hand_a), 'card')}, "
                f"expected {self.cut} of {self.size}: only deals cut in the middle have a rank"
            )
        return ranking.rank(self.counts, deal.hand_a + deal.hand_b)

    def unrank(self, rank: int) -> Deal:
        """Make the deal of a rank: the inverse of `rank`.

        Parameters
        ----------
        rank : int
            From 0 to ``deal_count - 1``.

        Raises
        ------
        RankError
            If there is no deal of that rank.

        Examples
        --------
        >>> str(ITALIAN.unrank(106954227391669))
        '-JK--QKK-QQ---K--J--/------J-----------QJ'
        """
        return self._cut_in_the_middle(ranking.unrank(self.counts, rank))

    def deals(self, start: int = 0, stop: int | None = None) -> Iterator[Deal]:
        """Make every deal of a range of ranks, in order, one at a time.

        Parameters
        ----------
        start : int
            Rank of the first deal.
        stop : int, optional
            Rank to stop before (default: the number of deals).

        Raises
        ------
        RankError
            Unless ``0 <= start <= stop <= deal_count``; at once, not when the first deal is asked for.

        Examples
        --------
        >>> [str(deal) for deal in Deck(2, 1, 0, 0, 1).deals(9)]
        ['A-/-J', 'A-/J-', 'AJ/--']
        """
        start, stop = checked_range(self.counts, start, stop, self.deal_count)
        return map(self._cut_in_the_middle, ranking.rows_between(self.counts, start, stop))

    def _cut_in_the_middle(self, codes: bytes) -> Deal:
        return Deal(codes[: self.cut], codes[self.cut :])


#: The 52-card deck.
STANDARD = Deck(36, 4, 4, 4, 4)

#: The Italian 40-card deck, whose ace, two and three cost 1, 2 and 3 cards.
ITALIAN = Deck(28, 4, 4, 4, 0)


@dataclass(frozen=True, slots=True, repr=False, init=False)
class Deal:
    """Two hands, each read top card first.

    Parameters
    ----------
    hand_a, hand_b : bytes
        Card codes 0 to 4, top card first; or any sequence of them, such as a list of ints or an array.
        Player A leads. Or `hand_a` alone: both hands in the notation that `parse` reads.

    Raises
    ------
    DealError
        If a code is not 0 to 4, both hands are empty, or there are more than 65,535 cards.

    Examples
    --------
    >>> from camicia import Deal
    >>> deal = Deal("J--/-J-")
    >>> str(deal), str(deal.deck), deal.balanced
    ('J--/-J-', '4:2:0:0:0', True)
    >>> str(deal.swapped)
    '-J-/J--'
    """

    hand_a: bytes
    hand_b: bytes

    def __init__(self, hand_a: Hand | str, hand_b: Hand | None = None) -> None:
        if hand_b is None:
            hand_a, hand_b = codes_of_notation(hand_a)
        hand_a, hand_b = codes_of_hand(hand_a), codes_of_hand(hand_b)
        if not 1 <= len(hand_a) + len(hand_b) <= MAX_CARDS:
            if not hand_a and not hand_b:
                raise DealError("deal '/': both hands are empty, expected at least one card")
            raise DealError(f"deal of {len(hand_a) + len(hand_b):,} cards: expected at most {MAX_CARDS:,}")
        object.__setattr__(self, "hand_a", hand_a)
        object.__setattr__(self, "hand_b", hand_b)

    @classmethod
    def parse(cls, text: str, *, notation: str | None = None) -> Deal:
        """Read the notation of the field: hand A, a slash, hand B, ``-`` for a number card.

        White space around the text is ignored.

        Parameters
        ----------
        text : str
            The deal.
        notation : str, optional
            That of another program, as for `camicia.notation.read_deal`; ``"any"`` detects it.

        Raises
        ------
        DealError
            If there is not exactly one slash, a character is not one of ``-JQKA``, both hands are empty, or
            the text may be several deals in other notations.

        Examples
        --------
        >>> Deal.parse("-A/K-").hand_b
        b'\\x03\\x00'
        >>> Deal.parse("2S JH | 10D QC", notation="any")
        Deal('-J/-Q')
        """
        if notation is None:
            return cls(*codes_of_notation(text))
        from camicia.notation import read_deal

        return read_deal(text, notation=None if notation == "any" else notation)

    @classmethod
    def from_cards(cls, hand_a: Iterable[str], hand_b: Iterable[str]) -> Deal:
        """Make a deal of two lists of faces.

        Parameters
        ----------
        hand_a, hand_b : iterable of str
            Faces, top card first: ``"2"`` to ``"10"`` or ``"-"`` for number cards, ``"J"``, ``"Q"``,
            ``"K"``, ``"A"``.

        Raises
        ------
        DealError
            If a face is unknown or both lists are empty.

        Examples
        --------
        >>> str(Deal.from_cards(["2", "A"], ["10", "K"]))
        '-A/-K'
        """
        return cls(codes_of_faces("A", hand_a), codes_of_faces("B", hand_b))

    @classmethod
    def from_array(cls, cards: npt.ArrayLike, cut: int | None = None) -> Deal:
        """Make a deal of one row of card codes, hand A followed by hand B.

        Parameters
        ----------
        cards : array of integers, shape (size,)
            Card codes 0 to 4.
        cut : int, optional
            Number of cards in hand A (default: the usual cut, ``size // 2``).

        Raises
        ------
        DealError
            If it is no array of whole numbers, has another shape or an unknown code, or the cut is not
            within it.

        Examples
        --------
        >>> str(Deal.from_array(Deal.parse("J-/-Q").to_array()))
        'J-/-Q'
        """
        row = checked_codes(cards, 1)
        cut = checked_cut(cut, row.size)
        return cls(row[:cut].tobytes(), row[cut:].tobytes())

    def to_array(self) -> npt.NDArray[np.uint8]:
        """Card codes as a uint8 array of shape ``(size,)``, hand A followed by hand B.

        Examples
        --------
        >>> Deal.parse("J-/-Q").to_array()
        array([1, 0, 0, 2], dtype=uint8)
        """
        return np.frombuffer(self.hand_a + self.hand_b, dtype=np.uint8).copy()

    def __str__(self) -> str:
        return f"{hand_text(self.hand_a)}/{hand_text(self.hand_b)}"

    def __repr__(self) -> str:
        return f"Deal({short_notation(self.hand_a, self.hand_b)!r})"

    def _repr_html_(self) -> str:
        return hands_html({"A": self.hand_a, "B": self.hand_b}, "deal")

    @property
    def deck(self) -> Deck:
        """The deck of both hands together."""
        return Deck.of(self.hand_a + self.hand_b)

    @property
    def size(self) -> int:
        """Number of cards in both hands."""
        return len(self.hand_a) + len(self.hand_b)

    @property
    def balanced(self) -> bool:
        """Whether the two hands are equal in number."""
        return len(self.hand_a) == len(self.hand_b)

    @property
    def swapped(self) -> Deal:
        """The deal with the hands exchanged, so that the other player leads."""
        return Deal(self.hand_b, self.hand_a)
