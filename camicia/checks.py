"""Checks of arguments: whole numbers of any integer type, sequences, and arrays."""

from __future__ import annotations

import operator
import sys
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from camicia.errors import CamiciaError, DealError

if TYPE_CHECKING:
    import numpy.typing as npt


def whole_number(value: Any) -> int | None:
    """Convert a value of any integer type to an int; None for a bool or anything else.

    Examples
    --------
    >>> import numpy as np
    >>> whole_number(np.int64(7)), whole_number(True), whole_number(7.0)
    (7, None, None)
    """
    if isinstance(value, (bool, np.bool_)):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def checked_whole(
    what: str,
    value: Any,
    least: int,
    most: int | None = None,
    *,
    error: type[CamiciaError] = CamiciaError,
) -> int:
    """Check a whole number of any integer type, and return it as an int.

    Parameters
    ----------
    what : str
        The name of the number, for the message.
    value : int
        The number.
    least, most : int
        The smallest and the largest allowed; no upper limit unless `most` is given.
    error : type of CamiciaError, optional
        The error to raise.

    Raises
    ------
    CamiciaError
        If it is not a whole number in this range.

    Examples
    --------
    >>> checked_whole("threads", 2, 1)
    2
    """
    number = whole_number(value)
    if number is None or number < least or (most is not None and number > most):
        span = f"{least:,} up" if most is None else f"{least:,} to {most:,}"
        shown = shortened(value if number is None else number)
        raise error(f"{what} {shown}: expected a whole number from {span}")
    return number


def items_of(value: Iterable[Any], most: int | None = None) -> list[Any] | None:
    """Return the items of a sequence or other iterable; None if it is neither, or cannot be iterated.

    With `most`, at most one item more than that is read, so that even an endless iterable will do.

    Examples
    --------
    >>> items_of("ab"), items_of(7), items_of(iter(range(10**9)), 2)
    (['a', 'b'], None, [0, 1, 2])
    """
    try:
        return list(value if most is None else islice(value, most + 1))
    # A memoryview of two dimensions cannot be iterated, and raises NotImplementedError.
    except (TypeError, NotImplementedError):
        return None


def plain_array(array: npt.ArrayLike, *, error: type[CamiciaError] = DealError) -> npt.NDArray[Any]:
    """Return an array as a plain NumPy array, whatever subclass it is.

    A subclass may override anything, so its methods are not used beyond this point. A masked array is
    accepted if nothing in it is masked: a game needs all of its cards.

    Parameters
    ----------
    array : array_like
        The argument.
    error : type of CamiciaError, optional
        The error to raise.

    Raises
    ------
    DealError
        If it cannot be converted to an array, or an entry is masked.

    Examples
    --------
    >>> import numpy as np
    >>> type(plain_array(np.ma.array([0, 1]))).__name__
    'ndarray'
    """
    # Looked up, not imported, which takes 10 ms: without that module there is no masked array.
    masks = sys.modules.get("numpy.ma")
    if masks is not None and isinstance(array, masks.MaskedArray) and np.any(masks.getmaskarray(array)):
        raise error("masked array: entries of it are masked, expected none; fill them or leave them out")
    try:
        return np.asarray(array)
    except (TypeError, ValueError) as fault:
        raise error(f"array {shortened(array)}: not an array of numbers ({fault})") from None


def shortened(value: object, limit: int = 80) -> str:
    """Quote a value so that it fits in a one-line message.

    Examples
    --------
    >>> shortened("J" * 100, 10)
    "'JJJJJJJJ…"
    """
    try:
        text = " ".join(repr(value).split())
    except ValueError:
        # Python refuses to write an int of more than 4,300 digits.
        text = f"a number of {int(value).bit_length():,} bits" if isinstance(value, int) else "a value"
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def checked_cut(cut: int | None, size: int) -> int:
    """Return the number of cards that hand A gets: the usual half, or `cut` if it can be made.

    Raises
    ------
    DealError
        If `cut` is not a whole number from 0 to `size`.

    Examples
    --------
    >>> checked_cut(None, 53), checked_cut(20, 53)
    (26, 20)
    """
    return size // 2 if cut is None else checked_whole("cut", cut, 0, size, error=DealError)
