"""The table of notations: every name, what it stands for, and an example."""

from __future__ import annotations

from typing import NamedTuple

from camicia.cards import Deal
from camicia.errors import DealError
from camicia.notation.faces import FACES
from camicia.notation.layouts import LAYOUTS

#: The deal of the examples.
EXAMPLE = Deal.parse("-AJ-K/Q--A-")


class Notation(NamedTuple):
    """One name of a notation.

    Parameters
    ----------
    name : str
        The name.
    kind : {"cards", "hands"}
        Whether it says how cards are written or how the hands are laid out. One name of each kind, with a
        plus between, is a notation too: ``digits+bar``.
    description : str
        What it looks like.
    example : str
        The deal ``-AJ-K/Q--A-``.
    """

    name: str
    kind: str
    description: str
    example: str

    @property
    def told(self) -> bool:
        """Whether a deal in it can be told; a deck of 52 or 40 cards that is cut in the middle can."""
        return self.kind == "cards" or LAYOUTS[self.name].tried


#: Every notation, by name.
NOTATIONS = {
    notation.name: notation
    for notation in (
        Notation("symbols", "cards", "`-` for a number card, and J, Q, K, A", "-AJ-K/Q--A-"),
        Notation("lower", "cards", "the same in lower case", "-aj-k/q--a-"),
        Notation("dots", "cards", "`.` for a number card", ".AJ.K/Q..A."),
        Notation("x", "cards", "`X` for a number card", "XAJXK/QXXAX"),
        Notation("digits", "cards", "penalties, 0 for a number card", "04103/20040"),
        Notation("faces", "cards", "2 to 10, J, Q, K, A", "2 A J 3 K / Q 4 5 A 6"),
        Notation("tens", "cards", "one character a card, T for ten", "2AJ3K/Q45A6"),
        Notation("suits", "cards", "a face, then S, H, D or C", "2S AS JS 3S KS / QS 4S 5S AH 6S"),
        Notation("suit-signs", "cards", "a face, then the suit's sign", "2♠ A♠ J♠ 3♠ K♠ / Q♠ 4♠ 5♠ A♥ 6♠"),
        Notation(
            "suit-first", "cards", "S, H, D or C, then a face, T for ten", "S2 SA SJ S3 SK / SQ S4 S5 HA S6"
        ),
        Notation("playing-cards", "cards", "the playing cards of Unicode", "🂢🂡🂫🂣🂮/🂭🂤🂥🂱🂦"),
        Notation("slash", "hands", "a slash between the hands", "-AJ-K/Q--A-"),
        Notation("bar", "hands", "a bar between the hands", "-AJ-K | Q--A-"),
        Notation("hyphen", "hands", "a hyphen between hands that have none", "04103-20040"),
        Notation("space", "hands", "a space, tab, comma or semicolon between the hands", "-AJ-K Q--A-"),
        Notation("lines", "hands", "a line for each hand", "-AJ-K\nQ--A-"),
        Notation("labels", "hands", "a line for each hand, with its number or letter", "1: -AJ-K\n2: Q--A-"),
        Notation("pair", "hands", "two strings or two lists, as in Python", '("-AJ-K", "Q--A-")'),
        Notation(
            "json",
            "hands",
            "a JSON object with `playerA` and `playerB`",
            '{"playerA": ["2", "A", "J", "3", "K"], "playerB": ["Q", "4", "5", "A", "6"]}',
        ),
        Notation("deck", "hands", "one deck, cut in the middle", "-AJ-KQ--A-"),
        Notation("alternate", "hands", "one deck, dealt a card to each in turn", "-QA-J--AK-"),
        Notation(
            "judge",
            "hands",
            "one deck in lines of 13, dealt alternately, each card onto the one before",
            "SK S6 S3 HA SJ S5 SA S4 S2 SQ",
        ),
    )
}


class Chosen(NamedTuple):
    """The halves of a notation that were named; None for one that was not."""

    faces: str | None
    layout: str | None


def chosen(notation: str | None) -> Chosen:
    """Find the halves of a notation's name.

    Raises
    ------
    DealError
        If a name is unknown, or both names are of one kind.

    Examples
    --------
    >>> chosen("digits+bar")
    Chosen(faces='digits', layout='bar')
    >>> chosen("deck")
    Chosen(faces=None, layout='deck')
    """
    if notation is None:
        return Chosen(None, None)
    faces = layout = None
    for name in str(notation).strip().lower().split("+"):
        if name in FACES and faces is None:
            faces = name
        elif name in LAYOUTS and layout is None:
            layout = name
        elif name in NOTATIONS:
            kind = NOTATIONS[name].kind
            raise DealError(
                f"notation {notation!r}: two names for the {kind}, expected one, such as digits+bar"
            )
        else:
            raise DealError(
                f"notation {str(notation)[:60]!r}: expected {', '.join(NOTATIONS)}, or two as digits+bar"
            )
    return Chosen(faces, layout)
