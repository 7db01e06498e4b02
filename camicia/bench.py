"""The bench: the speed at which the frozen deals are played, and the signature of their results.

Speeds are compared with a yardstick. The signature is a hash of the results alone. It is the same on every
kernel and machine; a change that should not alter results must not alter it.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib.resources import files
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from camicia.cards import STANDARD, Deal
from camicia.checks import checked_whole
from camicia.kernels import yardstick
from camicia.kernels.dispatch import available_kernels
from camicia.kernels.rows import Prepared
from camicia.simulate import simulate_many

#: Least duration of a timing in seconds: quicker work is repeated.
LEAST_SECONDS = 0.02

#: How many times the array that `simulate_many` plays repeats the frozen deals: 65,536 deals make the fixed
#: cost of a call negligible.
IN_ARRAY = 32

#: The same for the kernel alone: 16,384 deals, the number prepared at a time elsewhere.
IN_BATCH = 8

#: Deals for the reference, which is thousands of times slower: fewer deals time it well enough.
REFERENCE_DEALS = 128

#: Most rounds: more take so long that they must be a typing error.
MOST_ROUNDS = 1000


class Work(NamedTuple):
    """Something to time.

    Parameters
    ----------
    what : str
        What it is, in words.
    kernel : str
        The kernel that plays; empty for the yardstick.
    deals : int
        Deals that one call plays.
    play : callable
        Plays them.
    """

    what: str
    kernel: str
    deals: int
    play: Callable[[], object]


class Timing(NamedTuple):
    """The speed of some work.

    Parameters
    ----------
    what, kernel : str
        Those of the work.
    deals_per_s : float
        Deals per second of wall-clock time, the median over the rounds.
    deals_per_cpu_s : float
        Deals per second of the processor time of this process, all its threads together, the median over the
        rounds.
    ratio : float
        Speed relative to the yardstick, by processor time: the median of the ratios of the rounds.
    spread : float
        Difference between the largest and the smallest of those ratios, divided by `ratio`.
    """

    what: str
    kernel: str
    deals_per_s: float
    deals_per_cpu_s: float
    ratio: float
    spread: float


@cache
def frozen_deals() -> npt.NDArray[np.uint8]:
    """Return the deals of the bench: 2,048 random deals of 52 cards, all of which finish.

    Examples
    --------
    >>> frozen_deals().shape
    (2048, 52)
    """
    text = files("camicia.data").joinpath("bench_deals.txt").read_text(encoding="ascii")
    deals = np.stack([Deal.parse(line).to_array() for line in text.splitlines()])
    deals.flags.writeable = False
    return deals


def signature(kernel: str) -> str:
    """Return the signature of a kernel's results: 16 hexadecimal digits.

    It is the beginning of the SHA-256 of status, winner, cards and tricks of the frozen deals, each as a
    little-endian 64-bit number, deal by deal.

    Examples
    --------
    >>> signature("ring") == signature("ring")
    True
    """
    rows = simulate_many(frozen_deals(), kernel=kernel)
    fields = np.stack([rows[name].astype("<i8") for name in ("status", "winner", "cards", "tricks")], axis=1)
    return hashlib.sha256(fields.tobytes()).hexdigest()[:16]


def works(kernels: Sequence[str] | None = None) -> list[Work]:
    """Return what the bench times on each kernel: the kernel alone, and `simulate_many` from an array.

    The kernel alone plays deals already prepared in its own form; `simulate_many` checks the card codes,
    converts them to that form and writes the results into an array.

    Parameters
    ----------
    kernels : sequence of str, optional
        The kernels (default: all that this machine can run).

    Examples
    --------
    >>> [(work.what, work.kernel, work.deals) for work in works(["ring"])]
    [('kernel alone', 'ring', 16384), ('simulate_many', 'ring', 65536)]
    """
    found = []
    for name in available_kernels() if kernels is None else kernels:
        deals = frozen_deals()[:REFERENCE_DEALS] if name == "reference" else frozen_deals()
        batch, array = (
            deals if name == "reference" else np.tile(deals, (times, 1)) for times in (IN_BATCH, IN_ARRAY)
        )
        prepared = Prepared(STANDARD, len(batch))
        prepared.put(np.ascontiguousarray(batch), STANDARD.cut)
        found += [
            Work("kernel alone", name, len(batch), partial(prepared.play, name)),
            Work("simulate_many", name, len(array), partial(simulate_many, array, kernel=name)),
        ]
    return sorted(found, key=lambda work: work.what)


def measure(rounds: int = 5, work: Sequence[Work] | None = None) -> tuple[list[Timing], Timing]:
    """Time work and the yardstick in turn, so that a drift in the machine's speed affects all alike.

    Parameters
    ----------
    rounds : int, optional
        Timings of each, 1 to 1,000; a first round is not counted.
    work : sequence of Work, optional
        What to time (default: what `works` returns).

    Returns
    -------
    list of Timing, Timing
        That of each work, and the yardstick's own.

    Raises
    ------
    CamiciaError
        If the number of rounds is impossible.

    Examples
    --------
    >>> timings, yard = measure(rounds=1, work=works(["ring"])[:1])
    >>> timings[0].what, timings[0].kernel, timings[0].ratio > 0, yard.ratio
    ('kernel alone', 'ring', True, 1.0)
    """
    rounds = checked_whole("rounds", rounds, 1, MOST_ROUNDS)
    deals = np.array(frozen_deals())
    cards, tricks = np.zeros((2, len(deals)), np.int64)
    everything = [
        Work("yardstick", "", len(deals), lambda: yardstick.play_rows(deals, cards, tricks)),
        *(works() if work is None else work),
    ]
    calls = [max(1, math.ceil(LEAST_SECONDS / _seconds(item, 1)[0])) for item in everything]
    # Deals per second by the clock and by processor time, of each work in each round.
    rates = [
        [
            tuple(number * item.deals / seconds for seconds in _seconds(item, number))
            for item, number in zip(everything, calls, strict=True)
        ]
        for _ in range(rounds)
    ]
    timings = []
    for place, item in enumerate(everything):
        ratios = [rate[place][1] / rate[0][1] for rate in rates]
        ratio = median(ratios)
        clock, processor = (median(rate[place][which] for rate in rates) for which in (0, 1))
        timings.append(
            Timing(item.what, item.kernel, clock, processor, ratio, (max(ratios) - min(ratios)) / ratio)
        )
    return timings[1:], timings[0]


def _seconds(work: Work, calls: int) -> tuple[float, float]:
    """Seconds that some calls take, by the clock and of processor time."""
    clock, processor = perf_counter(), process_time()
    for _ in range(calls):
        work.play()
    # Avoid a division by zero if the clock has not moved.
    return max(perf_counter() - clock, 1e-9), max(process_time() - processor, 1e-9)
