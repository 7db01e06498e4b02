"""How a card is written: as a symbol, a digit, a face, a face and a suit, or one Unicode character."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from camicia.codes import NUMBER, SYMBOLS

#: What may stand between two cards.
_BETWEEN = r"[\s,;]*+"

#: Hyphens that other programs put for a number card. Dashes are not among them: a word processor makes one
#: dash of two hyphens, so it is unclear how many cards it stands for.
_HYPHENS = "-\u2010\u2011\u2212"

#: Suits in the order in which they are given out: spades, hearts, diamonds, clubs.
_SUIT_LETTERS, _SUIT_SYMBOLS = "SHDC", "♠♥♦♣"
_SUITS = _SUIT_LETTERS + _SUIT_LETTERS.lower() + _SUIT_SYMBOLS + "♤♡♢♧"
#: An invisible character that follows a suit where it is shown as a picture.
_PICTURE = "\ufe0f"

#: The first code point of each suit's playing cards less one: the ace is 1, the King 14.
_UNICODE_SUITS = (0x1F0A0, 0x1F0B0, 0x1F0C0, 0x1F0D0)
#: Place of a face in its suit's playing cards. 12 is the Knight, which this game has not.
_UNICODE_PLACES = {"A": 1, "J": 11, "Q": 13, "K": 14} | {str(pip): pip for pip in range(2, 11)}


class Faces:
    """Reads and writes cards in one way.

    Parameters
    ----------
    card : str
        A regular expression of one card, without groups.
    code : callable
        Gives the card code of a card that `card` matches.
    write : callable
        Writes a deal's cards, given all codes: hand A followed by hand B.
    between : str
        What is written between two cards.
    """

    def __init__(
        self, card: str, code: Callable[[str], int], write: Callable[[bytes], list[str]], between: str = ""
    ) -> None:
        self.write = write
        self.between = between
        self._card = re.compile(card)
        self._code = code
        # Possessive: what was read is never read another way, so that the match ends where the fault is.
        self._hand = re.compile(f"(?:{_BETWEEN}(?:{card}))*+{_BETWEEN}")

    def read(self, hand: str) -> bytes | int:
        """Read a hand: its card codes, or the place, from 0, of the first character that is no card."""
        match = self._hand.match(hand)
        end = match.end() if match else 0
        return bytes(map(self._code, self._card.findall(hand))) if end == len(hand) else end


@dataclass(frozen=True, slots=True)
class _Numbering:
    """Gives number cards and suits out in order, so that a deal is always written alike.

    The nth number card of a deal is the nth of 2 to 10 of spades, then of hearts, diamonds and clubs; the nth
    Jack, Queen, King or Ace is of the nth suit. So the standard deck has each of its cards once. A larger
    deck begins again.
    """

    face: Callable[[str, int], str]

    def __call__(self, codes: bytes) -> list[str]:
        met = [0] * len(SYMBOLS)
        cards = []
        for code in codes:
            nth, met[code] = met[code], met[code] + 1
            if code == NUMBER:
                cards.append(self.face(str(2 + nth % 9), nth // 9 % 4))
            else:
                cards.append(self.face(SYMBOLS[code], nth % 4))
        return cards


def _code_of_face(card: str) -> int:
    # A number card has neither letter; no letter of a suit is one of a payment card.
    return max(SYMBOLS.find(card.strip(_SUITS + _PICTURE).upper()), NUMBER)


def _code_of_playing_card(card: str) -> int:
    place = ord(card) & 0xF
    return {1: 4, 11: 1, 13: 2, 14: 3}.get(place, NUMBER)


def _symbols(symbols: str, also: str = "") -> Faces:
    """One character a card, in the order of the codes; read in any case, and number cards as `also` too."""
    number, payment_cards = symbols[0], symbols[1:]
    return Faces(
        f"[{re.escape(number + also + payment_cards.lower() + payment_cards.upper())}]",
        lambda card: max(symbols.find(card), symbols.lower().find(card), symbols.upper().find(card), NUMBER),
        lambda codes: [symbols[code] for code in codes],
    )


def _playing_cards() -> Faces:
    places = "".join(chr(suit + place) for suit in _UNICODE_SUITS for place in _UNICODE_PLACES.values())
    return Faces(
        f"[{places}]",
        _code_of_playing_card,
        _Numbering(lambda face, suit: chr(_UNICODE_SUITS[suit] + _UNICODE_PLACES[face])),
    )


def _short(face: str) -> str:
    return "T" if face == "10" else face


#: Some programs write T or X for the ten.
_FACE = "10|[2-9TXJQKAtxjqka]"
_SUIT = f"[{_SUITS}]{_PICTURE}?+"
#: Beside a suit, 0 can be nothing but the ten.
_RANK = "(?:10|[02-9TXJQKAtxjqka])"

#: Every way in which cards are written, by name.
FACES = {
    "symbols": _symbols("-JQKA", also=_HYPHENS),
    "lower": _symbols("-jqka", also=_HYPHENS),
    "dots": _symbols(".JQKA"),
    "x": _symbols("XJQKA", also="x"),
    "digits": _symbols("01234"),
    # Never with hyphens or dots among them: the number in "3 J--/--K" counts deals, it is no card.
    "faces": Faces(_FACE, _code_of_face, _Numbering(lambda face, _: face), " "),
    "tens": Faces(_FACE, _code_of_face, _Numbering(lambda face, _: _short(face))),
    "suits": Faces(
        _RANK + _SUIT, _code_of_face, _Numbering(lambda face, suit: face + _SUIT_LETTERS[suit]), " "
    ),
    "suit-signs": Faces(
        f"{_RANK}[{_SUIT_SYMBOLS}♤♡♢♧]{_PICTURE}?+",
        _code_of_face,
        _Numbering(lambda face, suit: face + _SUIT_SYMBOLS[suit]),
        " ",
    ),
    "suit-first": Faces(
        _SUIT + _RANK, _code_of_face, _Numbering(lambda face, suit: _SUIT_LETTERS[suit] + _short(face)), " "
    ),
    "playing-cards": _playing_cards(),
}

#: The ways that are tried on a text whose notation is not named. The others read no more than one of these.
TRIED = ("symbols", "dots", "faces", "digits", "suits", "suit-first", "playing-cards")
