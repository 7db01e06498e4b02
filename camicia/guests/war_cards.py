"""War's cards and deals: their codes, notation in and out, and what makes them valid."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Self

from camicia.checks import shortened
from camicia.codes import MAX_CARDS
from camicia.errors import DealError

#: The low four bits of a card's code are its value, which is all that decides a trick. The fifth bit sets the
#: Queen, worth 2, apart from the two, and so on.
VALUE_BITS = 15
COURT = 16

#: The names of each card, with its code. A string has T for ten; a list may have either name.
CODES = {
    **{str(pip): pip for pip in range(2, 11)},
    "T": 10,
    **{face: COURT + value for value, face in enumerate("JQKA", start=1)},
}

#: The character of every code. A value that no number card has is shown as the court card of that value.
SYMBOLS = {code: face for face, code in CODES.items() if len(face) == 1} | {1: "J"}

#: The codes that a card may have.
VALID_CODES = bytes(sorted(SYMBOLS))

#: The standard deck, four of each face.
DECK = bytes(code for code in VALID_CODES if code != 1) * 4


class WarDeal(NamedTuple):
    """Two hands of War, each read top card first.

    Parameters
    ----------
    hand_a, hand_b : bytes
        Card codes: 2 to 10 for the number cards, 17 to 20 for Jack, Queen, King and Ace. The low four bits
        are the card's value; the values 1 to 10 themselves are valid codes too.

    Examples
    --------
    >>> deal = WarDeal.parse("2T/JA")
    >>> list(deal.hand_a), list(deal.hand_b), str(deal)
    ([2, 10], [17, 20], '2T/JA')
    """

    hand_a: bytes
    hand_b: bytes

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a deal: hand A, a slash, hand B, with ``T`` for a ten.

        White space around the text is ignored.

        Raises
        ------
        DealError
            If there is not exactly one slash, a card is unknown, both hands are empty, or there are too many
            cards.

        Examples
        --------
        >>> WarDeal.parse("23/TJ").hand_b
        b'\\n\\x11'
        """
        hand_a, slash, hand_b = text.strip().partition("/")
        if not slash or "/" in hand_b:
            many = "no slash" if not slash else f"{text.count('/')} slashes"
            raise DealError(
                f"deal {shortened(text.strip())}: {many}, expected one between hand A and hand B, "
                "as in 2TJ/345"
            )
        return cls.of(hand_a, hand_b)

    @classmethod
    def of(cls, hand_a: str | Iterable[str], hand_b: str | Iterable[str]) -> Self:
        """Make a deal from two hands, each a string or a list of faces.

        Raises
        ------
        DealError
            If a card is unknown, both hands are empty, or there are too many cards.

        Examples
        --------
        >>> WarDeal.of(["2", "10"], "JA") == WarDeal.parse("2T/JA")
        True
        """
        deal = cls(_codes("A", hand_a), _codes("B", hand_b))
        size = len(deal.hand_a) + len(deal.hand_b)
        if not size:
            raise DealError("deal '/': both hands are empty, expected at least one card")
        if size > MAX_CARDS:
            raise DealError(f"deal of {size:,} cards: expected at most {MAX_CARDS:,}")
        return deal

    def __str__(self) -> str:
        return f"{hand_text(self.hand_a)}/{hand_text(self.hand_b)}"


def hand_text(codes: Iterable[int]) -> str:
    """Write cards, top card first, one character each.

    Examples
    --------
    >>> hand_text([2, 10, 17])
    '2TJ'
    """
    return "".join(SYMBOLS[code] for code in codes)


def _codes(player: str, hand: Any) -> bytes:
    is_text = isinstance(hand, str)
    expected = "2 to 9, T (ten), J, Q, K or A" if is_text else "'2' to '10', 'T', 'J', 'Q', 'K' or 'A'"
    try:
        faces = list(hand)
    except TypeError:
        raise DealError(
            f"hand {player}: {shortened(hand)}: expected a string such as '2TJ' or a list of faces"
        ) from None
    codes = bytearray()
    for place, face in enumerate(faces, start=1):
        if not isinstance(face, str) or face not in CODES:
            raise DealError(
                f"hand {player}: unknown card {shortened(face)} at place {place}, expected {expected}"
            )
        codes.append(CODES[face])
    return bytes(codes)
