"""Charts and curves of games as drawings inside a page, coloured by the page's style.

A drawing is stretched to the available width; the labels at its edges are text of the page, and are not.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import lru_cache

from camicia.cards import Deal
from camicia.results import Result, Status, counted
from search.report.charts import Chart, Line, round_step
from search.report.pages import Markup, escaped, filled, joined
from search.report.player import MOST_CARDS
from search.report.traces import trace

#: Side of the square in which a chart is drawn, before it is stretched.
SIDE = 1000

#: Fewest decades on the logarithmic axis of a chart.
LEAST_DECADES = 2

#: Size of the small curve of a game, and its number of places.
SPARK_WIDTH, SPARK_HEIGHT, SPARK_PLACES = 120, 30, 60

#: How many times as many places a large curve has.
LARGE = 6

#: The longest game with a small curve: for longer ones it would take a second each.
LONGEST_SPARK = 100_000


def drawn_chart(chart: Chart) -> Markup:
    """Draw a chart, with its legend and its data for the script that reads it off.

    Returns
    -------
    Markup
        A figure, or a paragraph that says that there is nothing to draw.
    """
    if not chart.lines:
        return filled(
            '<p class="soft">{{title}}: {{empty}}.</p>', {"title": chart.title, "empty": chart.empty}
        )
    frame = _Frame(chart)
    hint = "Move over the chart, or use the arrow keys on it, to read values"
    hint += "; M goes to the next known record." if chart.marks else "."
    return filled(
        '<figure class="plot" data-chart="{{data}}" data-across="{{place}}">'
        "<figcaption>{{title}}</figcaption>"
        '<div class="plot-area"><span class="up">{{up}}</span><div class="heights">{{heights}}</div>'
        '<div class="frame" role="img" aria-label="{{title}}">'
        '<svg viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true">{{drawing}}</svg>'
        "{{marks}}"
        '<span class="cursor" hidden></span></div>{{places}}</div><p class="across">{{across}}</p>'
        '<p class="reading soft">{{hint}}</p>{{legend}}</figure>',
        {
            "data": frame.data(),
            "place": chart.place,
            "title": chart.title,
            "up": chart.up,
            "across": chart.across,
            "heights": frame.heights(),
            "drawing": frame.drawing(),
            "marks": frame.marks(),
            "places": frame.places(),
            "hint": hint,
            "legend": _legend(chart),
        },
    )


class _Frame:
    """Positions of a chart's values in its drawing."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        across = [x for line in chart.lines for x, _ in line.points] + [x for x, _ in chart.marks]
        up = [y for line in chart.lines for _, y in line.points]
        self.right = max(across) or 1.0
        self.decades = max(LEAST_DECADES, math.ceil(-math.log10(min(up)))) if chart.logarithmic else 0
        self.step = 0.0 if chart.logarithmic else round_step(max(up) or 1.0)
        self.top = 1.0 if chart.logarithmic else math.ceil((max(up) or 1.0) / self.step) * self.step

    def x(self, value: float) -> float:
        return SIDE * value / self.right

    def y(self, value: float) -> float:
        if self.chart.logarithmic:
            return SIDE * -math.log10(value) / self.decades
        return SIDE * (1 - value / self.top)

    def drawing(self) -> Markup:
        grid = "".join(f"M0 {self.y(value):.0f}H{SIDE}" for value, _ in self._levels())
        grid += "".join(f"M{self.x(value):.0f} 0V{SIDE}" for value in self._round_places())
        known = "".join(f"M{self.x(x):.1f} 0V{SIDE}" for x, _ in self.chart.marks)
        paths = [("grid", grid), ("mark-line", known)]
        # The main line is drawn last, over the others.
        paths += [(line.kind, self._path(line)) for line in reversed(self.chart.lines)]
        return Markup("".join(f'<path class="{kind}" d="{path}"/>' for kind, path in paths if path))

    def _path(self, line: Line) -> str:
        if line.kind.endswith("dots"):
            return "".join(f"M{self.x(x):.1f} {self.y(y):.1f}h0" for x, y in line.points)
        parts = []
        for place, (x, y) in enumerate(line.points):
            if line.steps and place:
                parts.append(f"H{self.x(x):.1f}V{self.y(y):.1f}")
            else:
                parts.append(f"{'L' if place else 'M'}{self.x(x):.1f} {self.y(y):.1f}")
        return "".join(parts)

    def _levels(self) -> list[tuple[float, Markup]]:
        """Return the heights that have a grid line, with their labels."""
        if self.chart.logarithmic:
            decades = range(0, self.decades + 1, -(-self.decades // 6))
            return [(10.0**-decade, _share_text(decade)) for decade in decades]
        number = round(self.top / self.step)
        return [(place * self.step, escaped(_short(place * self.step))) for place in range(number + 1)]

    def _round_places(self) -> list[float]:
        step = round_step(self.right)
        return [place * step for place in range(int(self.right / step * (1 + 1e-9)) + 1)]

    def heights(self) -> Markup:
        return joined(
            Markup(f'<span class="height" style="top:{self.y(value) / SIDE:.2%}">{text}</span>')
            for value, text in self._levels()
        )

    def places(self) -> Markup:
        texts = []
        for number, value in enumerate(self._round_places()):
            kind = "place minor" if number % 2 else "place"
            texts.append(
                f'<span class="{kind}" style="left:{self.x(value) / SIDE:.2%}">{_short(value)}</span>'
            )
        return Markup(f'<div class="places">{"".join(texts)}</div>')

    def marks(self) -> Markup:
        """Label the last mark; the others can be read off."""
        if not self.chart.marks:
            return Markup("")
        x, _ = max(self.chart.marks)
        text = '<span class="mark" style="right:{{right}}">longest known: {{x}}</span>'
        return filled(text, {"right": f"{1 - self.x(x) / SIDE:.2%}", "x": _short(x)})

    def data(self) -> str:
        chart = self.chart
        return json.dumps(
            {
                "left": 0,
                "right": self.right,
                "step": chart.step,
                "lines": [
                    {
                        "name": line.name.partition(":")[0],
                        "steps": line.steps,
                        "points": [[float(f"{x:.6g}"), float(f"{y:.4g}")] for x, y in line.points],
                    }
                    for line in chart.lines
                ],
                "marks": chart.marks,
                "reading": chart.reading,
                "whole": chart.whole,
                "inverse": chart.logarithmic,
                "logarithmic": chart.logarithmic,
            },
            separators=(",", ":"),
        )


def _legend(chart: Chart) -> Markup:
    keys = list(dict.fromkeys((line.kind, line.name) for line in chart.lines))
    if chart.marks:
        keys.append(("mark-line", "known records"))
    if len(keys) < 2:
        return Markup("")
    items = joined(
        filled(
            '<li><svg viewBox="0 0 40 10" aria-hidden="true"><path class="{{kind}}" d="M0 5H40"/></svg>'
            "{{name}}</li>",
            {"kind": kind, "name": name},
        )
        for kind, name in keys
    )
    return filled('<ul class="legend">{{items}}</ul>', {"items": items})


def _share_text(decade: int) -> Markup:
    if decade == 0:
        return Markup("all")
    return Markup(f"1/{10**decade:,}" if decade < 4 else f"10<sup>−{decade}</sup>")


def _short(value: float) -> str:
    """Return a round number as an axis label."""
    for scale, name in ((1e9, "G"), (1e6, "M")):
        if value >= scale:
            return f"{value / scale:.4g} {name}"
    return f"{value:,.0f}" if value >= 10 else f"{value:.3g}"


@lru_cache(maxsize=1000)
def spark(deal: str, result: Result, times: int = 1) -> Markup:
    """Draw the small curve of a game: how many cards hand A has, from the first card to the last.

    Parameters
    ----------
    deal : str
        The deal.
    result : Result
        Its result.
    times : int, optional
        Number of places of the curve, as a multiple of a small curve's.

    Examples
    --------
    >>> from camicia import simulate
    >>> spark("J--/-JA", simulate("J--/-JA"))[:18]
    '<svg class="spark"'
    """
    if result.cards > min(LONGEST_SPARK, MOST_CARDS):
        return Markup("")
    parsed = Deal.parse(deal)
    game = trace(parsed)
    held = [(cards, game.hands[cards][0]) for cards in game.starts]
    width = SPARK_WIDTH * times
    across, up = width / max(1, result.cards), SPARK_HEIGHT / parsed.size
    kept = _extremes(held, SPARK_PLACES * times)
    points = " ".join(f"{across * x:.0f} {SPARK_HEIGHT - up * y:.0f}" for x, y in kept)
    cycle = ""
    if result.status is Status.LOOP:
        start = across * (result.transient_cards or 0)
        cycle = f'<path class="cycle" d="M{start:.0f} 0H{width}V{SPARK_HEIGHT}H{start:.0f}z"/>'
    return Markup(
        f'<svg class="spark" viewBox="0 0 {width} {SPARK_HEIGHT}" preserveAspectRatio="none" '
        f'aria-hidden="true">{cycle}<path class="grid" d="M0 {SPARK_HEIGHT / 2:.0f}H{width}"/>'
        f'<path class="curve" d="M{points}"/></svg>'
    )


def _extremes(points: Sequence[tuple[int, int]], places: int) -> list[tuple[int, int]]:
    """Reduce many points to the lowest and highest of each stretch, so that no swing is lost."""
    length = -(-len(points) // places)
    if length < 3:
        return list(points)
    kept = {0, len(points) - 1}
    for start in range(0, len(points), length):
        stretch = range(start, min(start + length, len(points)))
        kept |= {min(stretch, key=lambda i: points[i][1]), max(stretch, key=lambda i: points[i][1])}
    return [points[place] for place in sorted(kept)]


def deal_link(deal: str, result: Result, large: bool = False) -> Markup:
    """Link a deal, with its small curve, to its game in the player; a loop, to where its cycle begins."""
    text = filled('<span class="deal">{{deal}}</span>', {"deal": deal})
    if result.cards > MOST_CARDS:
        return text
    start = f"&card={result.transient_cards}" if result.status is Status.LOOP else ""
    return filled(
        '<a class="game" href="#deal={{deal}}{{start}}" aria-label="Play the game of {{lengths}}">{{spark}}'
        '<span class="see">play</span></a>{{text}}',
        {
            "deal": deal,
            "start": start,
            "lengths": f"{counted(result.cards, 'card')}, {counted(result.tricks, 'trick')}",
            "spark": spark(deal, result, LARGE if large else 1),
            "text": text,
        },
    )
