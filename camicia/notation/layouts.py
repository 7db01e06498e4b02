"""How other programs lay out the two hands: what stands between them, around them and before them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from camicia.errors import DealError


class Part(NamedTuple):
    """A hand or a deck, and its place in the text, from 0; None if it was put together."""

    text: str
    start: int | None


class Laid(NamedTuple):
    """One way of taking a text apart: the layout's name, and its two hands or its one deck."""

    layout: str
    parts: tuple[Part, ...]


#: What a program prints in front of a deal.
_PREFIX = re.compile(r"(?:starting\s++)?+(?:hands|deal|deck)\s*+:", re.IGNORECASE)
_PLAYER = r"(?:player|hand|p|deck)?+[ _]?+"
_LABEL_A = re.compile(rf"{_PLAYER}(?:1|a|one)\s*+[:=]", re.IGNORECASE)
_LABEL_B = re.compile(rf"(?<![^\s,;]){_PLAYER}(?:2|b|two)\s*+[:=]", re.IGNORECASE)
_QUOTED = re.compile(r"'([^']*+)'|\"([^\"]*+)\"")
#: Brackets with no bracket in them.
_BRACKETS = re.compile(r"[\[({]([^\[\](){}]*+)[\])}]")
_WRAPPING = " \t\r\n,;[](){}"
_BARS = re.compile(r"\|++")
_DOUBLE_SPACE = re.compile(r"\s{2,}")

#: Names of the hands in JSON, in any case and with or without an underscore.
_KEYS = (("playera", "playerb"), ("handa", "handb"), ("player1", "player2"), ("hand1", "hand2"),
         ("p1", "p2"), ("a", "b"), ("1", "2"))  # fmt: skip
#: Where JSON may hold what was asked for one level down.
_NESTED = ("input", "deal")


def taken_apart(text: str) -> Iterator[Laid]:
    """Yield every way in which a text can be two hands or one deck, without looking at the cards.

    Raises
    ------
    DealError
        If the text has a form that holds no deal: JSON without hands, three hands.
    """
    start = prefix.end() if (prefix := _PREFIX.match(text)) else 0
    if label := label_of(text, start):
        if other := second_label_of(text, label.end()):
            hands = (_stripped(text, label.end(), other.start()), _stripped(text, other.end(), len(text)))
            yield Laid("labels", hands)
            return
        raise DealError(f"has {text[: label.end()].strip()!r} but no second hand, such as '2:'")
    if text.startswith("{") and ":" in text:
        yield from _of_json(text)
        return
    part = _stripped(text, start, len(text))
    strings = list(_QUOTED.finditer(text, start))
    if len(strings) == 2 and not _QUOTED.sub("", text[start:]).strip(_WRAPPING):
        yield Laid("pair", tuple(Part(match[match.lastindex or 1], match.start() + 1) for match in strings))
        return
    # Quotes around cards say no more than the commas between them. Places are kept.
    plain = text.replace("'", " ").replace('"', " ") if strings else text
    groups = list(_BRACKETS.finditer(plain, start))
    if groups and not _BRACKETS.sub("", plain[start:]).strip(_WRAPPING):
        if len(groups) == 2:
            yield Laid("pair", tuple(Part(group[1], group.start(1)) for group in groups))
            return
        if len(groups) == 1:
            part = _stripped(plain, groups[0].start(1), groups[0].end(1))
    elif strings:
        part = _stripped(plain, start, len(plain))
    yield from _separated(part)


def label_of(text: str, start: int = 0) -> re.Match[str] | None:
    """The label of the first hand, such as ``1:``, if the text has one there."""
    return _LABEL_A.match(text, start)


def second_label_of(text: str, start: int = 0) -> re.Match[str] | None:
    """The label of the second hand, if there is one further on."""
    return _LABEL_B.search(text, start)


def _separated(part: Part) -> Iterator[Laid]:
    text = part.text
    for name, mark in (("slash", "/"), ("bar", "|")):
        if mark in text:
            # Two bars side by side are one, for programs that think of tables.
            pieces = text.split("/") if name == "slash" else _BARS.split(text)
            if len(pieces) != 2:
                raise DealError(f"{len(pieces)} hands with {mark!r} between, expected two")
            yield Laid(name, _placed(part, pieces))
            return
    seen = set()
    for name, split in _splits(text):
        pieces = [piece for piece in map(str.strip, split) if piece]
        if len(pieces) == 2 and (name, *pieces) not in seen:
            seen.add((name, *pieces))
            yield Laid(name, _placed(part, pieces))
    yield Laid("deck", (part,))


def _splits(text: str) -> Iterator[tuple[str, Sequence[str]]]:
    yield "lines", text.split("\n")
    yield "space", text.split()
    yield "space", _DOUBLE_SPACE.split(text)
    for mark in "\t;,":
        yield "space", text.split(mark)
    if text.count("-") == 1:
        yield "hyphen", text.split("-")


def _stripped(text: str, start: int, end: int) -> Part:
    piece = text[start:end]
    return Part(piece.strip(), start + len(piece) - len(piece.lstrip()))


def _placed(part: Part, pieces: Sequence[str]) -> tuple[Part, ...]:
    """Find where the pieces of a part stand."""
    parts, place = [], 0
    for piece in pieces:
        place = part.text.index(piece, place)
        parts.append(Part(piece, (part.start or 0) + place))
        place += len(piece)
    return tuple(parts)


def _of_json(text: str) -> Iterator[Laid]:
    if '"' not in text:
        # A dictionary as Python prints it.
        text = text.replace("'", '"')
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DealError(f"starts like JSON but is none ({str(error)[:80]})") from None
    values = _hands_of(document)
    if isinstance(values, str):
        yield from taken_apart(values.strip())
        return
    yield Laid(
        "json", tuple(Part(_hand_of_json(value, "AB"[place]), None) for place, value in enumerate(values))
    )


def _hands_of(document: dict[str, Any]) -> str | tuple[Any, Any]:
    """The two hands of a JSON object, or a deal in another notation."""
    plain = {key.replace("_", "").replace(" ", "").lower(): value for key, value in document.items()}
    for key_a, key_b in _KEYS:
        if key_a in plain and key_b in plain:
            return plain[key_a], plain[key_b]
    for key in _NESTED:
        value = plain.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, dict):
            return _hands_of(value)
    keys = ", ".join(repr(key[:20]) for key in list(document)[:5]) or "no key"
    raise DealError(f"JSON with {keys}: expected 'playerA' and 'playerB', or 'deal'")


def _hand_of_json(value: Any, player: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        for place, card in enumerate(value, start=1):
            text = str(card)
            if isinstance(card, bool) or not isinstance(card, str | int) or not text or len(text) > 4:
                raise DealError(f"hand {player}: unknown card {text[:20]!r} at place {place}")
        return ", ".join(map(str, value))
    raise DealError(f"hand {player}: expected a list of cards")


class Layout(NamedTuple):
    """How two hands are put together; None where a deal of these sizes cannot be written so."""

    write: Callable[[list[str], list[str], str], str | None]
    #: How the cards are written unless named.
    faces: str = "symbols"
    #: Whether it may be read without being named.
    tried: bool = True


def _around(mark: str, spaced: str) -> Layout:
    """Hands with a mark between; if the cards have spaces between, the mark has its own form."""

    def write(hand_a: list[str], hand_b: list[str], between: str) -> str:
        return f"{between.join(hand_a)}{spaced if between else mark}{between.join(hand_b)}"

    return Layout(write)


def _labels(hand_a: list[str], hand_b: list[str], between: str) -> str:
    return f"1: {between.join(hand_a)}\n2: {between.join(hand_b)}"


def _pair(hand_a: list[str], hand_b: list[str], between: str) -> str:
    return f'("{between.join(hand_a)}", "{between.join(hand_b)}")'


def _json(hand_a: list[str], hand_b: list[str], between: str) -> str:
    return json.dumps({"playerA": hand_a, "playerB": hand_b}, ensure_ascii=False)


def _deck(hand_a: list[str], hand_b: list[str], between: str) -> str | None:
    deck = hand_a + hand_b
    return between.join(deck) if len(hand_a) == len(deck) // 2 else None


def _alternate(hand_a: list[str], hand_b: list[str], between: str) -> str | None:
    deck = _dealt_from(hand_a, hand_b)
    return between.join(deck) if deck else None


def _judge(hand_a: list[str], hand_b: list[str], between: str) -> str | None:
    deck = _dealt_from(hand_a[::-1], hand_b[::-1])
    if not deck:
        return None
    return "\n".join(between.join(deck[place : place + 13]) for place in range(0, len(deck), 13))


def _dealt_from(hand_a: list[str], hand_b: list[str]) -> list[str] | None:
    """The deck from which these hands were dealt, a card to each in turn."""
    if len(hand_a) - len(hand_b) not in (0, 1):
        return None
    deck = [""] * (len(hand_a) + len(hand_b))
    deck[::2], deck[1::2] = hand_a, hand_b
    return deck


#: Every layout, by name.
LAYOUTS = {
    "slash": _around("/", " / "),
    "bar": _around(" | ", " | "),
    "hyphen": _around("-", " - "),
    "space": _around(" ", "  "),
    "lines": _around("\n", "\n"),
    "labels": Layout(_labels),
    "pair": Layout(_pair),
    "json": Layout(_json, faces="faces"),
    "deck": Layout(_deck),
    "alternate": Layout(_alternate, tried=False),
    "judge": Layout(_judge, faces="suit-first", tried=False),
}

#: Layouts of one deck.
DECKS = ("deck", "alternate", "judge")
