"""Reading a deal: every reading of the text is tried, and only where all agree is one told."""

from __future__ import annotations

import re
from typing import NamedTuple

from camicia.cards import ITALIAN, STANDARD, Deal
from camicia.checks import shortened
from camicia.codes import MAX_CARDS
from camicia.errors import DealError
from camicia.notation.faces import FACES, TRIED
from camicia.notation.layouts import DECKS, Laid, taken_apart
from camicia.notation.table import Chosen, chosen
from camicia.results import counted

#: One deck without a mark between the hands is taken for a deal if it has as many cards as a deck that is
#: played with; other sizes are more often a deal whose mark was lost.
DECK_SIZES = (STANDARD.size, ITALIAN.size)

#: No deal is longer: a card is a face, a suit, quotes, a comma and a space.
MAX_CHARACTERS = 1_000_000

#: How one deck is dealt, and the layout that says so.
DEALS = {"cut": "deck", "alternately": "alternate"}

_NATIVE = re.compile(r"\s*+[-JQKA]*+/[-JQKA]*+\s*+")


#: How the fault of a card begins.
_UNKNOWN = "unknown card"


class _Reading(NamedTuple):
    deal: Deal
    faces: str
    layout: str


class _Faults:
    """The fault of the reading that came furthest, which is the one that was meant."""

    def __init__(self) -> None:
        self._reached = -2
        self._text = self._hint = ""

    def __str__(self) -> str:
        if self._hint or not self._text.startswith(_UNKNOWN):
            return self._text + self._hint
        return f"{self._text}, expected - (number card), J, Q, K or A, or the cards of another notation"

    def add(self, reached: int, text: str, hint: str = "") -> None:
        if reached > self._reached:
            self._reached, self._text, self._hint = reached, text, hint
        elif reached == self._reached and text == self._text and hint != self._hint:
            # Several ways of writing cards came to the same place: none of them is the one that was meant.
            self._hint = ""


def read_deal(
    text: str,
    *,
    notation: str | None = None,
    deal: str | None = None,
    bottom_first: bool | str = False,
) -> Deal:
    """Read a deal in any of the notations of `NOTATIONS`.

    Parameters
    ----------
    text : str
        The deal.
    notation : str, optional
        A name in `NOTATIONS`, or one for the cards and one for the hands, such as ``digits+bar``. Unless
        given it is detected from the text.
    deal : {"cut", "alternately"}, optional
        How one deck is dealt: A gets the first half, or A and B get a card each in turn. Unless given, a
        deck of 52 or 40 cards is cut.
    bottom_first : bool or "deck", optional
        Whether each hand is written bottom card first; of one deck, each hand after it was dealt. With
        ``"deck"`` it is the deck, before it is dealt.

    Returns
    -------
    Deal
        The deal. Suits are not kept.

    Raises
    ------
    DealError
        If the text is no deal, or can be read as different deals: the error has each, and the name that
        chooses it.

    Examples
    --------
    >>> str(read_deal("0 0 1 / 0 2 4")), str(read_deal("KS 10H | 2D AC"))
    ('--J/-QA', 'K-/-A')
    >>> str(read_deal("J-Q-", deal="alternately"))
    'JQ/--'
    >>> read_deal("234/432")
    Traceback (most recent call last):
    camicia.errors.DealError: deal '234/432': may be ---/--- (notation faces) or QKA/AKQ (notation digits)
    """
    if not isinstance(text, str):
        raise DealError(f"deal {shortened(text)}: expected text")
    if notation is None and deal is None and not bottom_first and _NATIVE.fullmatch(text):
        return Deal.parse(text)
    wanted = _wanted(notation, deal)
    if bottom_first not in (False, True, "deck"):
        raise DealError(f"bottom_first {bottom_first!r}: expected True, False or 'deck'")
    # Files begin with a mark of their byte order, and contests end with a number sign.
    plain = text.lstrip("\ufeff").strip()
    if wanted.layout == "judge":
        plain = plain.rstrip("#").rstrip()
    if len(plain) > MAX_CHARACTERS:
        raise DealError(
            f"deal {shortened(plain[:100])}: {len(plain):,} characters, expected at most {MAX_CHARACTERS:,}"
        )
    if not plain:
        raise DealError(f"deal {shortened(text)}: has no card")
    try:
        readings = _readings(plain, wanted, bottom_first)
    except DealError as error:
        raise DealError(f"deal {shortened(plain)}: {error}") from None
    if len({reading.deal for reading in readings}) == 1:
        return readings[0].deal
    raise DealError(f"deal {shortened(plain)}: may be {_choices(readings)}")


def _wanted(notation: str | None, deal: str | None) -> Chosen:
    faces, layout = chosen(notation)
    if deal is None:
        return Chosen(faces, layout)
    if deal not in DEALS:
        raise DealError(f"deal {str(deal)[:60]!r}: expected {' or '.join(DEALS)}, how one deck is dealt")
    if layout == "judge" and deal == "alternately":
        return Chosen(faces, layout)
    if layout not in (None, "deck", DEALS[deal]):
        raise DealError(f"deal {deal!r}: is for one deck, and notation {layout} is not")
    return Chosen(faces, DEALS[deal])


def _readings(text: str, wanted: Chosen, bottom_first: bool | str) -> list[_Reading]:
    """Every reading of a text; at least one."""
    faults = _Faults()
    readings = []
    # Hyphens alone are number cards, or one of them is the mark between the hands.
    only_symbols = isinstance(FACES["symbols"].read(text), bytes)
    for laid in taken_apart(text):
        layout = laid.layout
        if layout == "deck" and wanted.layout in DECKS:
            layout = wanted.layout
        if wanted.layout not in (None, layout):
            faults.add(-1, _fault_of_layout(layout, wanted.layout))
            continue
        if layout == "hyphen" and wanted == (None, None) and only_symbols:
            faults.add(
                len(text), "the hyphen may be a card or the mark between the hands; notation hyphen or deck"
            )
            continue
        for name in (wanted.faces,) if wanted.faces else TRIED:
            codes = _codes(laid, name, faults)
            if codes is None:
                continue
            if layout == "deck" and wanted.layout is None and len(codes[0]) not in DECK_SIZES:
                met = f"no mark between the hands of {counted(len(codes[0]), 'card')}"
                faults.add(
                    len(text), f"{met}; notation deck cuts them in the middle, deal alternately deals them"
                )
                continue
            hand_a, hand_b = _dealt(codes, layout, bottom_first)
            if not 1 <= len(hand_a) + len(hand_b) <= MAX_CARDS:
                faults.add(len(text), f"{len(hand_a) + len(hand_b):,} cards, expected 1 to {MAX_CARDS:,}")
                continue
            readings.append(_Reading(Deal(hand_a, hand_b), name, layout))
    if not readings:
        raise DealError(str(faults))
    return readings


def _codes(laid: Laid, name: str, faults: _Faults) -> list[bytes] | None:
    hands = []
    for player, part in zip("AB", laid.parts, strict=False):
        codes = FACES[name].read(part.text)
        if isinstance(codes, int):
            fault = _fault_of_card(part.text, codes, part.start, player)
            faults.add((part.start or 0) + codes, fault, f" (notation {name})")
            return None
        hands.append(codes)
    return hands


def _fault_of_card(text: str, place: int, start: int | None, player: str) -> str:
    if start is None:
        where = f"of hand {player} at place {text.count(',', 0, place) + 1}"
        card = text[place : place + 20].partition(",")[0]
    else:
        where, card = f"at place {start + place + 1}", text[place]
    hint = "; a dash may be one hyphen or two" if card in "–—" else ""
    return f"{_UNKNOWN} {card!r} {where}{hint}"


def _fault_of_layout(found: str, wanted: str) -> str:
    if wanted in DECKS:
        return f"has two hands (notation {found}), expected one deck"
    return f"not in notation {wanted}"


def _dealt(codes: list[bytes], layout: str, bottom_first: bool | str) -> tuple[bytes, bytes]:
    """The two hands, top card first, of what was written."""
    if len(codes) == 2:
        hand_a, hand_b = codes
    else:
        (deck,) = codes
        if bottom_first == "deck":
            deck = deck[::-1]
        if layout == "deck":
            hand_a, hand_b = deck[: len(deck) // 2], deck[len(deck) // 2 :]
        else:
            hand_a, hand_b = deck[::2], deck[1::2]
    if bottom_first is True or layout == "judge":
        hand_a, hand_b = hand_a[::-1], hand_b[::-1]
    return hand_a, hand_b


def _choices(readings: list[_Reading]) -> str:
    """Say which deals a text may be, and the name that chooses each."""
    first: dict[Deal, _Reading] = {}
    for reading in readings:
        first.setdefault(reading.deal, reading)
    if len({reading[1:] for reading in first.values()}) < len(first):
        deals = (shortened(str(deal), 60)[1:-1] for deal in first)
        return f"{' or '.join(deals)}; put a slash between the hands"
    texts = []
    for reading in first.values():
        others = [other for other in readings if other.deal != reading.deal]
        if all(other.faces != reading.faces for other in others):
            name = reading.faces
        elif all(other.layout != reading.layout for other in others):
            name = reading.layout
        else:
            name = f"{reading.faces}+{reading.layout}"
        texts.append(f"{shortened(str(reading.deal), 60)[1:-1]} (notation {name})")
    return " or ".join(texts)
