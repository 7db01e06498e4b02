"""The charts of a ledger: their contents, for pages and pictures alike."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from camicia.cards import Deck
from camicia.records import Record, records
from camicia.results import Status, counted
from camicia.text import with_error
from search.finds import FINDS_PER_TREE
from search.ledger import Ledger
from search.report.figures import Figures
from search.report.history import Clock, binned, history, runs

#: Text for a chart without games.
EMPTY = "nothing yet"

#: Units of an axis of time, each with the shortest chart it is for, in seconds.
_TIMES = ((3 * 86400, 86400, "days"), (3 * 3600, 3600, "hours"), (300, 60, "minutes"), (0, 1, "seconds"))


class Line(NamedTuple):
    """A line of a chart, or a set of dots.

    Parameters
    ----------
    name : str
        Its name in the legend; lines with one name have one entry.
    kind : {"curve", "fitted", "known", "dots", "known-dots"}
        How it is drawn.
    points : list of (float, float)
        In order across; in a line of steps, each value holds up to the next point.
    steps : bool
        Whether it is a line of steps.
    """

    name: str
    kind: str
    points: list[tuple[float, float]]
    steps: bool = False


@dataclass(frozen=True)
class Chart:
    """The contents of a chart.

    Parameters
    ----------
    title : str
        What it shows.
    across, up : str
        The labels of its axes.
    lines : list of Line
        The main line first. Empty if there is nothing to draw.
    logarithmic : bool
        Whether `up` is on a logarithmic scale, of shares.
    marks : list of (float, str)
        Places across that are marked, and their labels.
    place, reading : str
        Wording of a place across and a value, with ``{x}`` and ``{y}``; for a share, ``{y}`` is its inverse.
    whole : str
        How the share of all games is worded.
    step : float or None
        The distance between two places that can be read off; None if these are the points of the first line.
    empty : str
        Text if there is nothing to draw.
    """

    title: str
    across: str
    up: str
    lines: list[Line]
    logarithmic: bool = False
    marks: list[tuple[float, str]] = field(default_factory=list)
    place: str = "{x}"
    reading: str = "{y}"
    whole: str = ""
    step: float | None = None
    empty: str = EMPTY


def survival_chart(ledger: Ledger, found: Figures) -> Chart:
    """The share of games still running after n tricks, the fitted law, and the known records."""
    shares = [float(share) for share in found.shares if share > 0]
    lines, marks = [], []
    if shares:
        # The share is constant until another trick is collected.
        steps = [(float(tricks), share) for tricks, share in enumerate([*shares, shares[-1]])]
        lines.append(Line("games of this ledger", "curve", steps, steps=True))
    if shares and found.halving and found.deck:
        halving = found.halving
        known = known_records(found.deck)
        # Draw the law as far as the longest known game, to show how far away it is.
        end = max([halving.tricks_of(shares[-1]), *(record.result.tricks for record in known)])
        name = f"fitted: halves every {with_error(halving.tricks, halving.error)} tricks"
        ends = [(place, halving.share_of(place + 1)) for place in (float(halving.start), float(end))]
        # Smaller shares cannot be represented.
        if ends[-1][1] > 1e-300:
            lines.append(Line(name, "fitted", ends))
            marks = [(float(record.result.tricks), record_words(record)) for record in known]
    return Chart(
        "Games still running after a number of tricks",
        "tricks",
        "share of games still running",
        lines,
        logarithmic=True,
        marks=marks,
        place="After {x} tricks",
        reading="1 in {y} games still running",
        whole="all games still running",
        step=1,
        empty="the games are those of edited states" if found.edited else EMPTY,
    )


def rate_chart(ledger: Ledger, found: Figures) -> Chart:
    """The rate of the hunt, over the time in which it was running."""
    clock = Clock(runs(ledger))
    bins = binned(history(ledger), clock.spans)
    what = "edited states" if found.edited else "deals"
    seconds, unit = _time_unit(sum(each.seconds for each in bins))
    points = [(clock(each.start) / seconds, each.rate) for each in bins]
    if points:
        points.append((clock(bins[-1].start + bins[-1].seconds) / seconds, bins[-1].rate))
    return Chart(
        f"{what.capitalize()} a second over time",
        f"{unit} of hunting",
        f"{what} a second",
        [Line(f"{what} a second", "curve", points, steps=True)] if points else [],
        place=f"After {{x}} {unit}",
        reading=f"{{y}} {what} a second",
    )


def best_chart(ledger: Ledger, found: Figures) -> Chart:
    """The most tricks of any game so far, over the time in which the hunt was running."""
    clock = Clock(runs(ledger))
    total = sum(end - start for start, end in clock.spans)
    seconds, unit = _time_unit(total)
    points: list[tuple[float, float]] = []
    # The history has the longest game of each stretch, though the lists may have longer ones since.
    for stretch in [] if found.edited else history(ledger):
        if stretch.tricks > (points[-1][1] if points else 0):
            place = clock(stretch.end) / seconds
            if points and points[-1][0] == place:
                points.pop()
            points.append((place, float(stretch.tricks)))
    lines = []
    if points and total:
        points.append((total / seconds, points[-1][1]))
        lines.append(Line("longest game so far", "curve", points, steps=True))
        lengths = {record.result.tricks for record in known_records(found.deck)} if found.deck else set()
        # The longest first: of lines with one name, it is the one that is read off.
        for tricks in sorted(lengths, reverse=True):
            ends = [(place, float(tricks)) for place in (0.0, total / seconds)]
            lines.append(Line("known records", "known", ends))
    return Chart(
        "The longest game so far over time",
        f"{unit} of hunting",
        "tricks",
        lines,
        place=f"After {{x}} {unit}",
        reading="{y} tricks",
        empty="walks among loops keep no finite games" if found.edited else EMPTY,
    )


def finds_chart(ledger: Ledger, found: Figures) -> Chart:
    """Cards against tricks of the longest games, and of the known records."""
    finds = [find for trees in found.best.values() for tree in trees for find in tree]
    each = {find.deal: (float(find.result.tricks), float(find.result.cards)) for find in finds}
    name = "finds of this ledger"
    if any(find.tree for find in finds):
        name += f" (of one tree at most {FINDS_PER_TREE} by each length)"
    known = known_records(found.deck) if found.deck else []
    lines = [Line(name, "dots", sorted(each.values()))] if each else []
    if known and not found.edited:
        places = sorted((float(record.result.tricks), float(record.result.cards)) for record in known)
        lines.append(Line("known records", "known-dots", places))
    return Chart(
        "Cards and tricks of the longest games",
        "tricks",
        "cards",
        lines,
        empty="walks among loops keep no finite games" if found.edited else EMPTY,
    )


#: Every chart, by the name under which `camicia plot` draws it.
CHARTS: dict[str, Callable[[Ledger, Figures], Chart]] = {
    "survival": survival_chart,
    "rate": rate_chart,
    "best": best_chart,
    "finds": finds_chart,
}


def known_records(deck: Deck) -> list[Record]:
    """The known finite games of a deck.

    Examples
    --------
    >>> from camicia import STANDARD
    >>> max(record.result.tricks for record in known_records(STANDARD))
    1164
    """
    return [
        record for record in records() if record.deal.deck == deck and record.result.status is Status.FINISHED
    ]


def record_words(record: Record) -> str:
    """Say who found a record game, and when.

    Examples
    --------
    >>> from camicia import STANDARD
    >>> record_words(max(known_records(STANDARD), key=lambda record: record.result.tricks))
    'the record of Nessler, 2022: 8,344 cards, 1,164 tricks'
    """
    who = ", ".join(map(str, filter(None, (record.finder, record.year)))) or "an unknown finder"
    result = record.result
    return f"the record of {who}: {counted(result.cards, 'card')}, {counted(result.tricks, 'trick')}"


def round_step(most: float, number: int = 5) -> float:
    """Return a round number such that about `number` of them fit.

    Examples
    --------
    >>> round_step(1164), round_step(2.3), round_step(10)
    (200.0, 0.5, 2.0)
    """
    scale = 10.0 ** math.floor(math.log10(most / number))
    return next(factor * scale for factor in (1, 2, 5, 10) if factor * scale * (number + 1) >= most)


def _time_unit(seconds: float) -> tuple[int, str]:
    """The unit of an axis of so much time, in seconds, and its name."""
    return next((length, name) for least, length, name in _TIMES if seconds >= least)
