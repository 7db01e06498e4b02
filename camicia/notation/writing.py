"""Writing a deal: what is written can always be read back under the same name."""

from __future__ import annotations

from camicia.cards import Deal
from camicia.checks import shortened
from camicia.errors import DealError
from camicia.notation.faces import FACES
from camicia.notation.layouts import LAYOUTS
from camicia.notation.reading import read_deal
from camicia.notation.table import chosen


def write_deal(deal: Deal, notation: str = "symbols") -> str:
    """Write a deal in one of the notations of `NOTATIONS`.

    A deal knows no suits, and number cards have no faces. Where a notation asks for them they are given out
    in order: the nth number card is the nth of 2 to 10 of spades, then of hearts, diamonds and clubs, and
    the nth Jack is of the nth suit, so that the standard deck has each of its cards once.

    Parameters
    ----------
    deal : Deal
        The deal.
    notation : str, optional
        A name in `NOTATIONS`, or one for the cards and one for the hands, such as ``digits+bar``.

    Returns
    -------
    str
        The text. ``read_deal(text, notation=notation)`` is the deal again.

    Raises
    ------
    DealError
        If there is no such notation, or it cannot hold the deal: `deck` holds only deals cut in the middle.

    Examples
    --------
    >>> deal = Deal.parse("J-A/-Q-")
    >>> write_deal(deal, "digits+bar"), write_deal(deal, "suits")
    ('104 | 020', 'JS 2S AS / 3S QS 4S')
    """
    names = chosen(notation)
    layout = LAYOUTS[names.layout or "slash"]
    faces = FACES[names.faces or layout.faces]
    cards = faces.write(deal.hand_a + deal.hand_b)
    cut = len(deal.hand_a)
    text = layout.write(cards[:cut], cards[cut:], faces.between)
    try:
        if text is not None and read_deal(text, notation=notation) == deal:
            return text
    except DealError:
        # Such as a hyphen between hands of hyphens.
        pass
    raise DealError(f"deal {shortened(str(deal))}: cannot be written in notation {notation}")
