"""Card codes, and the ways to write them: the notation of the field, lists of faces, and hands of codes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from camicia.checks import items_of, plain_array, shortened
from camicia.errors import DealError

if TYPE_CHECKING:
    import numpy.typing as npt

#: A payment card's code is its penalty; every number card has code 0.
NUMBER, JACK, QUEEN, KING, ACE = range(5)

#: One character per card code, in the order of the codes.
SYMBOLS = "-JQKA"

#: The face printed on each card, with its code.
FACES = {str(pip): NUMBER for pip in range(2, 11)} | {face: code for code, face in enumerate(SYMBOLS)}

#: The largest deal that can be played. Places in a hand are kept as 16-bit numbers.
MAX_CARDS = 65_535

#: Every card code, in order.
CODES = bytes(range(5))

_SLASH = b"\x05"
_SYMBOL_OF_CODE = bytes.maketrans(CODES, SYMBOLS.encode())
#: A character outside the notation is not found (-1), and so gets 6, a code that no card has.
_CODE_OF_SYMBOL = bytes((SYMBOLS + "/").find(chr(byte)) % 7 for byte in range(256))


def hand_text(hand: bytes) -> str:
    """Write card codes in the notation of the field, top card first.

    Examples
    --------
    >>> hand_text(b"\\0\\4")
    '-A'
    """
    return hand.translate(_SYMBOL_OF_CODE).decode()


def codes_of_notation(text: object) -> tuple[bytes, bytes]:
    """Read both hands of a deal in the notation of the field.

    Raises
    ------
    DealError
        If there is not exactly one slash, or a character is not one of ``-JQKA``.

    Examples
    --------
    >>> codes_of_notation("-A/K-")
    (b'\\x00\\x04', b'\\x03\\x00')
    """
    if not isinstance(text, str):
        raise DealError(f"deal {shortened(text)}: expected a string such as 'J--/-J-'")
    codes = text.strip().encode("ascii", "replace").translate(_CODE_OF_SYMBOL)
    hand_a, slash, hand_b = codes.partition(_SLASH)
    if not slash or (hand_a + hand_b).strip(CODES):
        raise DealError(f"deal {shortened(text.strip())}: {_fault_of_notation(text.strip())}")
    return hand_a, hand_b


def _fault_of_notation(text: str) -> str:
    if unknown := re.search("[^JQKA/-]", text):
        return (
            f"unknown card {unknown[0]!r} at place {unknown.start() + 1}, "
            "expected - (number card), J, Q, K or A"
        )
    slashes = text.count("/")
    many = f"{slashes or 'no'} slash{'es' * (slashes > 1)}"
    return f"{many}, expected one between hand A and hand B, as in J--/-J-"


def codes_of_faces(player: str, faces: Iterable[str]) -> bytes:
    """Read a hand given as faces; `player` names its owner in messages.

    Raises
    ------
    DealError
        If a face is unknown, or the hand is not a list.

    Examples
    --------
    >>> codes_of_faces("A", ["10", "K"])
    b'\\x00\\x03'
    """
    listed = items_of(faces, MAX_CARDS)
    if listed is None:
        raise DealError(
            f"hand {player} {shortened(faces)}: expected a list of faces such as ['2', 'A', '10']"
        )
    codes = bytearray()
    for place, face in enumerate(listed, start=1):
        if not isinstance(face, str) or face not in FACES:
            raise DealError(
                f"hand {player}: unknown face {shortened(face)} at place {place}, "
                "expected 2 to 10, -, J, Q, K or A"
            )
        codes.append(FACES[face])
    return bytes(codes)


def checked_codes(array: npt.ArrayLike, dimensions: int) -> npt.NDArray[np.uint8]:
    """Convert card codes in an array of any integer type, or anything that makes one, to a uint8 array.

    A uint8 array with a deal per row is returned unchecked: its codes are checked as they are played.

    Parameters
    ----------
    array : array_like of integers
        The codes.
    dimensions : int
        1 for the cards of one deal, 2 for a deal per row.

    Raises
    ------
    DealError
        If it has the wrong shape, holds anything but the numbers 0 to 4, or an entry is masked.

    Examples
    --------
    >>> checked_codes([[1, 0], [0, 4]], 2).tolist()
    [[1, 0], [0, 4]]
    """
    # Bytes are text to NumPy; their memory is not.
    codes = plain_array(memoryview(array) if isinstance(array, (bytes, bytearray)) else array)
    if codes.ndim != dimensions or codes.dtype.kind not in "iu":
        shape = "(cards,)" if dimensions == 1 else "(n, cards)"
        raise DealError(
            f"array of dtype {codes.dtype} and shape {codes.shape}: expected card codes 0 to {ACE}, "
            f"whole numbers in the shape {shape}"
        )
    if codes.dtype == np.uint8 and dimensions == 2:
        return codes
    if wrong := np.argwhere((codes < NUMBER) | (codes > ACE))[:1].tolist():
        *row, place = wrong[0]
        what = f"row {row[0]}" if row else "deal"
        raise DealError(f"{what} holds {codes[tuple(wrong[0])]} at place {place}: card codes are 0 to {ACE}")
    return codes.astype(np.uint8)


def codes_of_hand(hand: bytes | str | Sequence[int] | np.ndarray[Any, Any]) -> bytes:
    """Return a hand of card codes as bytes, checked.

    Raises
    ------
    DealError
        If it is not a sequence of whole numbers from 0 to 4.

    Examples
    --------
    >>> codes_of_hand([0, 4])
    b'\\x00\\x04'
    """
    if type(hand) is bytes and not hand.strip(CODES):
        return hand
    if isinstance(hand, str):
        raise DealError(f"hand {hand!r}: expected card codes 0 to 4; Deal.parse reads notation")
    # Not bytes(hand): for an array that copies the memory, which holds codes only if every item is a byte.
    items: list[Any] | None = items_of(hand, MAX_CARDS)
    if items is None:
        raise DealError(f"hand {shortened(hand)}: expected card codes 0 to 4")
    try:
        codes = bytes(items)
    except (TypeError, ValueError) as error:
        raise DealError(f"hand {shortened(hand)}: expected card codes 0 to 4 ({error})") from None
    if codes.strip(CODES):
        raise DealError(f"hand {shortened(hand)}: expected card codes 0 to 4")
    return codes
