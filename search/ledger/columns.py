"""The allowed values of each column of a ledger. A ledger may come from anyone: nothing in it is trusted."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from camicia.kinds import MOST_REMARK, Kind, decimal, line, one_of, optional, pattern, remark, shown, whole
from camicia.results import Status

#: Times are seconds since 1970, up to the last that can be printed (the end of the year 9999).
LATEST = 253_402_300_799

#: Rows of campaigns, origins and runs are numbered from 1.
MOST_ROWS = 1 << 31

#: Most tricks and cards of one game. The longest known game has 1,164 tricks; a report draws one point per
#: number of tricks, so this also bounds the cost of viewing a ledger.
MOST_TRICKS = 10**6
MOST_CARDS_PLAYED = 10**9

#: Most characters of an imported deal.
MOST_DEAL_TEXT = 70_000

#: Most characters of a campaign's identity, which includes the loops that a walk starts from.
MOST_IDENTITY = 1 << 20

#: Most bytes of a packed cycle: that of a deck of 256 cards has 90.
MOST_CYCLE = 120

_DEAL = re.compile(r"[-JQKA]*/[-JQKA]*", re.ASCII)
_DECK = re.compile(r"\d{1,5}(:\d{1,5}){4}", re.ASCII)


class RowError(ValueError):
    """A row that no version of Camicia writes; names table, row and column, and what was expected."""


_ROW = whole(1, MOST_ROWS)
_KERNEL = pattern("the name of a kernel, as in avx2", re.compile("([a-z][a-z0-9_]*)?"), 40)
_MOST_UNIT = (1 << 63) - 1
_UNIT = whole(0, _MOST_UNIT)
_TIME = whole(0, LATEST)
_COUNT = whole(0, (1 << 63) - 1)
_WORD = whole(-(1 << 63), (1 << 63) - 1)
_CARDS = whole(0, MOST_CARDS_PLAYED)
_TRICKS = whole(0, MOST_TRICKS)


def _result(cards: Kind, tricks: Kind) -> dict[str, Kind]:
    """Return the columns that hold a result, given the allowed values of its lengths."""
    return {
        "status": one_of(*map(str, Status)),
        "winner": one_of("A", "B", None),
        "cards": cards,
        "tricks": tricks,
        "transient_cards": optional(cards),
        "transient_tricks": optional(tricks),
        "cycle_cards": optional(cards),
        "cycle_tricks": optional(tricks),
    }


#: Fields of a find that are those of its result.
RESULT_FIELDS = tuple(_result(_CARDS, _TRICKS))

#: The allowed values of every column of every table, except the checksum. A campaign's identity, and names
#: and values of its totals, depend on its strategy and are checked in `search.strategies`.
KINDS: dict[str, dict[str, Kind]] = {
    "campaigns": {
        "id": _ROW,
        "identity": Kind(
            f"a text of at most {MOST_IDENTITY:,} characters",
            lambda value: isinstance(value, str) and len(value) <= MOST_IDENTITY,
        ),
        "version": line(),
        "made": _TIME,
    },
    "origins": {"id": _ROW, "campaign": _ROW, "kernel": _KERNEL, "host": line(), "version": line()},
    "blocks": {
        "campaign": _ROW,
        "unit": _UNIT,
        "step": whole(1, MOST_ROWS),
        "units": whole(1, (1 << 63) - 1),
        "games": _COUNT,
        "loops": _COUNT,
        "cards": _COUNT,
        "tricks": _COUNT,
        "checksum": _WORD,
        "milliseconds": _COUNT,
        "committed": _TIME,
        "origin": optional(_ROW),
    },
    "totals": {"campaign": _ROW, "name": line(1000), "value": decimal()},
    "cycles": {
        "campaign": _ROW,
        "cycle": Kind(
            f"1 to {MOST_CYCLE} bytes",
            lambda value: isinstance(value, bytes) and 1 <= len(value) <= MOST_CYCLE,
        ),
        "number": whole(1, (1 << 63) - 1),
    },
    "histogram": {"campaign": _ROW, "tricks": _TRICKS, "games": whole(1, (1 << 63) - 1)},
    "history": {
        "campaign": _ROW,
        "started": _TIME,
        "seconds": whole(1, LATEST),
        "units": _COUNT,
        "deals": _COUNT,
        "cards": _CARDS,
        "tricks": _TRICKS,
    },
    "finds": {
        "campaign": _ROW,
        "deal": pattern("a deal, as in -J/Q-", _DEAL),
        "rank": decimal(),
        **_result(_CARDS, _TRICKS),
        "tree": _WORD,
        "unit": _UNIT,
        "committed": _TIME,
    },
    "runs": {
        "id": _ROW,
        "campaign": _ROW,
        "started": _TIME,
        "seconds": whole(0, LATEST),
        "workers": whole(0, MOST_ROWS),
        "host": line(),
        "units": _COUNT,
        "deals": _COUNT,
    },
    "set_aside": {"campaign": _ROW, "unit": _UNIT, "reason": remark(), "noted": _TIME},
    "imported": {
        "deal": pattern("a deal, as in -J/Q-", _DEAL, MOST_DEAL_TEXT),
        "deck": pattern("a deck, as in 36:4:4:4:4", _DECK),
        # Hunted decks have at most 256 cards; imported deals may have any deck.
        **_result(_COUNT, _COUNT),
        "source": line(MOST_REMARK),
        "noted": _TIME,
    },
    "merged": {
        "id": _ROW,
        "birth": pattern("64 hexadecimal digits", re.compile("[0-9a-f]{64}")),
        "name": line(MOST_REMARK),
        "size": _COUNT,
        "changed": _WORD,
        "share": Kind("bytes", lambda value: isinstance(value, bytes)),
    },
}

_OF_TABLE = {table: tuple(kinds.items()) for table, kinds in KINDS.items()}


def check_row(table: str, values: Sequence[Any]) -> None:
    """Check that a row holds only allowed values.

    Raises
    ------
    RowError
        If it holds any other.

    Examples
    --------
    >>> try:
    ...     check_row("histogram", [1, 2_000_000, 7])
    ... except RowError as error:
    ...     print(error)
    table histogram, row 1 2000000: tricks is 2000000, expected a whole number from 0 to 1,000,000
    """
    for value, (column, kind) in zip(values, _OF_TABLE[table], strict=True):
        if not kind.accepts(value):
            raise row_fault(table, values, column, value, kind.expected)
    if (check := _WHOLE_ROWS.get(table)) and (fault := check(values)):
        column, expected = fault
        raise row_fault(table, values, column, values[list(KINDS[table]).index(column)], expected)


def row_fault(table: str, values: Sequence[Any], column: str, value: object, expected: str) -> RowError:
    """Return the error for a row, named by its first value, with the column and what was expected there."""
    key = " ".join(shown(item) for item in values[:2])
    return RowError(f"table {table}, row {key}: {column} is {shown(value)}, expected {expected}")


#: The fault of a row whose columns do not agree with each other: the column, and what was expected there.
Fault = tuple[str, str] | None


def _block_fault(values: Sequence[Any]) -> Fault:
    # By position, for speed: every opening reads thousands of these rows.
    _, unit, step, units, games, loops, cards, tricks, *_ = values
    if units == 1 and step != 1:
        return "step", "1, for a single unit"
    if unit + step * (units - 1) > _MOST_UNIT:
        return "units", "units with numbers of at most 63 bits"
    if loops > games:
        return "loops", f"at most the {games:,} games"
    if tricks > cards:
        return "tricks", f"at most the {cards:,} cards"
    return None


def _find_fault(values: Sequence[Any]) -> Fault:
    return _result_fault(dict(zip(KINDS["finds"], values, strict=True)))


def _imported_fault(values: Sequence[Any]) -> Fault:
    return _result_fault(dict(zip(KINDS["imported"], values, strict=True)))


def _result_fault(row: Mapping[str, Any]) -> Fault:
    parts = RESULT_FIELDS[4:]
    if row["status"] == Status.FINISHED:
        if row["winner"] is None:
            return "winner", "'A' or 'B', since the game is finished"
        return next(
            ((name, "NULL, since the game is finished") for name in parts if row[name] is not None), None
        )
    if row["winner"] is not None:
        return "winner", "NULL, since the game is a loop"
    for name in parts:
        if row[name] is None:
            return name, "a number, since the game is a loop"
    for length in ("cards", "tricks"):
        transient, cycle = row[f"transient_{length}"], row[f"cycle_{length}"]
        if cycle == 0 or transient + cycle != row[length]:
            return length, f"the sum of transient and cycle, {transient:,} and {cycle:,}"
    return None


def _run_fault(values: Sequence[Any]) -> Fault:
    _, _, started, seconds, *_ = values
    if started + seconds > LATEST:
        return "seconds", "those of a run that ends before the year 10000"
    return None


_WHOLE_ROWS: dict[str, Callable[[Sequence[Any]], Fault]] = {
    "blocks": _block_fault,
    "finds": _find_fault,
    "imported": _imported_fault,
    "runs": _run_fault,
}
