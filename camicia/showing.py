"""Show deals and states in notebooks: HTML that fetches nothing and suits light and dark pages."""

from __future__ import annotations

from camicia.codes import SYMBOLS, hand_text

#: Most cards of a deal in a one-line `repr`: twice as many as the usual decks have.
MOST_IN_LINE = 120

#: Most cards of a hand that are drawn.
MOST_DRAWN = 120

#: Colours derive from the page's own, more or less faint, so they suit any page.
_CARD = (
    "display:inline-block;box-sizing:border-box;width:1.35em;margin:1px;padding:.1em 0;text-align:center;"
    "border:1px solid currentColor;border-radius:.2em;"
)
_NUMBER = f"{_CARD}opacity:.35"
_PAYMENT = f"{_CARD}font-weight:bold;background:rgba(128,128,128,.25)"


def short_notation(hand_a: bytes, hand_b: bytes) -> str:
    """Return the notation of two hands; for a long deal, the first cards of each hand and their number.

    Examples
    --------
    >>> short_notation(b"\\1\\0", b"\\0")
    'J-/-'
    >>> short_notation(bytes(500), bytes(3))
    '------------------------------------------------------------… (500)/--- (3)'
    """
    if len(hand_a) + len(hand_b) <= MOST_IN_LINE:
        return f"{hand_text(hand_a)}/{hand_text(hand_b)}"
    half = MOST_IN_LINE // 2
    return "/".join(
        f"{hand_text(hand[:half])}{'…' if len(hand) > half else ''} ({len(hand):,})"
        for hand in (hand_a, hand_b)
    )


def hands_html(hands: dict[str, bytes], kind: str) -> str:
    """Draw two hands as cards, one row each.

    Parameters
    ----------
    hands : dict of str to bytes
        Card codes, top card first, by the name of the hand.
    kind : str
        What the hands are, for screen readers.

    Examples
    --------
    >>> html = hands_html({"A": b"\\1", "B": b"\\0"}, "deal")
    >>> html.count("<span"), "http" in html
    (2, False)
    """
    rows = "".join(
        f'<div style="margin:.2em 0"><b>{name}</b> {_cards_html(hand)} <small>{len(hand):,}</small></div>'
        for name, hand in hands.items()
    )
    return f'<div role="img" aria-label="{kind} {short_notation(*hands.values())}">{rows}</div>'


def _cards_html(hand: bytes) -> str:
    drawn = "".join(
        f'<span style="{_PAYMENT if code else _NUMBER}">{SYMBOLS[code] if code else "–"}</span>'
        for code in hand[:MOST_DRAWN]
    )
    return f"{drawn}…" if len(hand) > MOST_DRAWN else drawn
