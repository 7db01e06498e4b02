"""Check ranks against a deck, and read and write them in decimal digits, however many."""

from __future__ import annotations

import re

from camicia.checks import whole_number
from camicia.errors import RankError

#: Cards of each code in a deck.
Counts = tuple[int, int, int, int, int]

#: A rank in an error message is cut to this many digits: the ranks of the largest decks have 40,000.
DIGITS_QUOTED = 40


def checked_rank(counts: Counts, rank: int, total: int) -> int:
    """Check a rank, and return it as an int.

    Parameters
    ----------
    counts : tuple of five int
        Cards of each code in the deck.
    rank : int
        The rank, of any integer type.
    total : int
        Number of deals of the deck.

    Raises
    ------
    RankError
        If `rank` is not a whole number from 0 to ``total - 1``.

    Examples
    --------
    >>> from camicia.deals.ranks import checked_rank
    >>> checked_rank((2, 1, 0, 0, 1), 11, 12)
    11
    """
    number = whole_number(rank)
    if number is None or not 0 <= number < total:
        raise RankError(
            f"rank {_quoted(rank)}: expected a whole number from 0 to {_quoted(total - 1)} "
            f"for deck {':'.join(map(str, counts))}"
        )
    return number


def checked_range(counts: Counts, start: int, stop: int | None, total: int) -> tuple[int, int]:
    """Check a range of ranks, and return it as two ints; `stop` is exclusive, and None means to the end.

    Parameters
    ----------
    counts : tuple of five int
        Cards of each code in the deck.
    start, stop : int or None
        First rank, and the rank to stop before.
    total : int
        Number of deals of the deck.

    Raises
    ------
    RankError
        Unless ``0 <= start <= stop <= total``.

    Examples
    --------
    >>> from camicia.deals.ranks import checked_range
    >>> checked_range((2, 1, 0, 0, 1), 3, None, 12)
    (3, 12)
    """
    first = whole_number(start)
    last = total if stop is None else whole_number(stop)
    if first is None or last is None or not 0 <= first <= last <= total:
        raise RankError(
            f"ranks from {_quoted(start)} to {_quoted(total if stop is None else stop)}: expected whole "
            f"numbers in order from 0 to {_quoted(total)} for deck {':'.join(map(str, counts))}"
        )
    return first, last


def rank_text(rank: int) -> str:
    """Write a rank, or a number of deals, in decimal digits, however many it has.

    Python's own `str` refuses an int of more than 4,300 digits; decks of some thousand cards have such ranks.

    Examples
    --------
    >>> from camicia.deals.ranks import rank_text
    >>> rank_text(106954227391669), len(rank_text(10**5000))
    ('106954227391669', 5001)
    """
    # Imported here because it is rarely needed, and takes milliseconds.
    import decimal

    return format(decimal.Decimal(rank), "f")


def parse_rank(text: str) -> int:
    """Read a rank written in decimal digits, however many it has.

    Parameters
    ----------
    text : str
        Digits, with or without underscores or commas between groups, and white space around them.

    Returns
    -------
    int
        The number; `Deck.unrank` checks whether a deck has such a rank.

    Raises
    ------
    RankError
        If the text is anything else.

    Examples
    --------
    >>> from camicia.deals.ranks import parse_rank
    >>> parse_rank("106_954_227_391_669")
    106954227391669
    """
    digits = text.strip()
    if not re.fullmatch(r"\d+([_,]\d+)*", digits, re.ASCII):
        raise RankError(f"rank {_quoted(digits)}: expected a whole number from 0 up, in decimal digits")
    import decimal

    return int(decimal.Decimal(re.sub("[_,]", "", digits)))


def _quoted(value: object) -> str:
    """Return a value as an error message shows it: on one line, and shortened."""
    number = whole_number(value)
    text = repr(value) if number is None else rank_text(number)
    return text if len(text) <= DIGITS_QUOTED else f"{text[:DIGITS_QUOTED]}… ({len(text)} characters)"


def parse_bound(text: str) -> int:
    """Read a rank in any usual form: ``1000000``, ``1_000_000`` or ``1e6``.

    Raises
    ------
    RankError
        If it is not a whole number from 0 up.

    Examples
    --------
    >>> parse_bound("1e6"), parse_bound("7")
    (1000000, 7)
    """
    if match := re.fullmatch(r"\s*(\d{1,9})[eE](\d{1,5})\s*", text, re.ASCII):
        power: int = 10 ** int(match[2])
        return int(match[1]) * power
    return parse_rank(text)
