"""Write large numbers and long times in readable words."""

from __future__ import annotations

import math
import os

_SCALES = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))

_UNITS = (
    (365.25 * 86400, "year"),
    (86400.0, "day"),
    (3600.0, "hour"),
    (60.0, "minute"),
    (1.0, "second"),
)


def file_name(path: str | os.PathLike[str]) -> str:
    """Return a file's name as text for ledgers, documents and pages; undecodable bytes become escapes.

    Examples
    --------
    >>> file_name("hunt.db"), file_name(os.fsdecode(b"caf\\xe9.db"))
    ('hunt.db', 'caf\\\\xe9.db')
    """
    name = os.fspath(path)
    try:
        name.encode()
    except UnicodeEncodeError:
        return os.fsencode(name).decode(errors="backslashreplace")
    return name


def large_number(number: float) -> str:
    """Write a number to two or three figures.

    Examples
    --------
    >>> large_number(950), large_number(12_345), large_number(2.53e9), large_number(6.5e20)
    ('950', '12,300', '2.53 billion', '6.5e20')
    """
    if not math.isfinite(number):
        return "more than can be said"
    if number < 100:
        return f"{number:.3g}"
    if number >= 1e15:
        mantissa, exponent = f"{number:.1e}".split("e")
        return f"{mantissa}e{int(exponent)}"
    for scale, name in _SCALES:
        if number >= 0.9995 * scale:
            return f"{number / scale:.3g} {name}"
    rounded = round(number, 2 - math.floor(math.log10(number)))
    return f"{rounded:,.0f}"


def long_time(seconds: float) -> str:
    """Write a time to two or three figures, in the largest unit that fits.

    Examples
    --------
    >>> long_time(0.2), long_time(90), long_time(3600), long_time(4e9), long_time(1e17)
    ('less than a second', '1.5 minutes', '1 hour', '127 years', '3.17 billion years')
    """
    if seconds < 1:
        return "less than a second"
    for length, name in _UNITS:
        if seconds >= 0.9995 * length:
            text = large_number(float(f"{seconds / length:.3g}") if seconds < math.inf else seconds)
            return f"{text} {name}{'' if text == '1' else 's'}"
    return "1 second"


#: Units of a rough time: the number of seconds from which each is used, its length, and its name.
_ROUGH_UNITS = (
    (1.5 * 365.25 * 86400, 365.25 * 86400, "year"),
    (26 * 7 * 86400.0, 365.25 / 12 * 86400, "month"),
    (14 * 86400.0, 7 * 86400.0, "week"),
    (48 * 3600.0, 86400.0, "day"),
    (120 * 60.0, 3600.0, "hour"),
    (120.0, 60.0, "minute"),
    (0.0, 1.0, "second"),
)


def rough_time(seconds: float) -> str:
    """Write a time as you would say it: to two figures, in a unit that is easy to picture.

    Examples
    --------
    >>> rough_time(95), rough_time(5400), rough_time(6.6e6), rough_time(1.42e9), rough_time(3e14)
    ('95 seconds', '90 minutes', '11 weeks', '45 years', '9.5 million years')
    """
    if seconds < 1:
        return "less than a second"
    if not math.isfinite(seconds):
        return "more years than can be said"
    length, name = next((length, name) for least, length, name in _ROUGH_UNITS if seconds >= least)
    number = float(f"{seconds / length:.2g}")
    return f"{large_number(number)} {name}{'' if number == 1 else 's'}"


def with_error(value: float, error: float) -> str:
    """Write a value with its error, to two figures of the error.

    Examples
    --------
    >>> with_error(19.9031, 0.1372), with_error(20.00012, 0.00079)
    ('19.90 ± 0.14', '20.00012 ± 0.00079')
    """
    places = min(8, max(0, 1 - math.floor(math.log10(error)))) if error > 0 else 8
    return f"{value:.{places}f} ± {error:.{places}f}"


def duration_text(seconds: float) -> str:
    """Write a time for people.

    Examples
    --------
    >>> duration_text(59), duration_text(5400), duration_text(200000)
    ('59 s', '1 h 30 min', '2 d 7 h')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s" if whole < 600 else f"{whole // 60} min"
    if whole < 86400:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // 86400} d {whole % 86400 // 3600} h"


def rate_text(rate: float) -> str:
    """Write deals per second for people.

    Examples
    --------
    >>> rate_text(8_123_456), rate_text(950)
    ('8.12 M/s', '950/s')
    """
    if rate >= 1e6:
        return f"{rate / 1e6:.2f} M/s"
    return f"{rate / 1e3:.1f} k/s" if rate >= 1e4 else f"{rate:,.0f}/s"
