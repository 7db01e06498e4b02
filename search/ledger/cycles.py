"""The cycles that a campaign has met: their names packed, and the sums over them that are kept as totals."""

from __future__ import annotations

from camicia.codes import SYMBOLS

#: The digits of a name: the cards, and the slash between the hands. A first digit of 1 keeps leading zeros.
_DIGITS = str.maketrans(f"{SYMBOLS}/", "012345")
_SYMBOLS = f"{SYMBOLS}/"


def packed(name: str) -> bytes:
    """Pack the name of a cycle into bytes: a million take 50 MB less than as text.

    Parameters
    ----------
    name : str
        A state, as in ``--J-/J-``, or a number of deals, a space and a state.

    Returns
    -------
    bytes
        The number of deals plus one (0 without it), with 7 bits a byte, the lowest first; then the state as a
        number of base 6, the highest byte first.

    Examples
    --------
    >>> packed("64 --J-/J-").hex(), unpacked(packed("64 --J-/J-"))
    ('41044b4a', '64 --J-/J-')
    """
    deals, _, state = name.rpartition(" ")
    number = int(deals) + 1 if deals else 0
    head = bytearray()
    while number > 127:
        head.append(number & 127 | 128)
        number >>= 7
    head.append(number)
    code = int(f"1{state.translate(_DIGITS)}", 6)
    return bytes(head) + code.to_bytes((code.bit_length() + 7) // 8)


def unpacked(data: bytes) -> str:
    """Return the name that `packed` packed; of other bytes, some text that is no name."""
    number, place = 0, 0
    for place, byte in enumerate(data):
        number |= (byte & 127) << 7 * place
        if byte < 128:
            break
    code = int.from_bytes(data[place + 1 :])
    symbols = []
    while code:
        code, digit = divmod(code, 6)
        symbols.append(_SYMBOLS[digit])
    # The first digit was only there to keep those after it.
    state = "".join(reversed(symbols[:-1]))
    return f"{number - 1} {state}" if number else state


def deals_of(name: str) -> int:
    """Return the number of deals in a cycle's name; 0 if it has none."""
    return int(name.partition(" ")[0]) if " " in name else 0
