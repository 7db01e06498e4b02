"""Pictures of a ledger, drawn with Matplotlib (extra `report`)."""

from __future__ import annotations

from typing import Any

from camicia.decks import deck_words
from search.ledger import Ledger
from search.report.charts import CHARTS, Chart
from search.report.figures import Figures, figures
from search.report.saving import figure_type, saved

#: Inches.
SIZE = (8, 5)

#: Most finds that are marked: all that a list can hold.
TOP = 10_000

#: The style of each kind of line.
_STYLES: dict[str, dict[str, Any]] = {
    "curve": {"color": "C0"},
    "fitted": {"color": "C3", "linestyle": "--"},
    "known": {"color": "C4", "linestyle": "--"},
    "dots": {"color": "C0", "linestyle": "", "marker": "o", "markersize": 4},
    "known-dots": {"color": "C3", "linestyle": "", "marker": "*", "markersize": 8},
}


def drawn(ledger: Ledger, kind: str, form: str) -> bytes:
    """Draw a picture.

    Parameters
    ----------
    ledger : Ledger
        The ledger.
    kind : str
        A key of `CHARTS`.
    form : {"png", "svg"}
        The format.

    Returns
    -------
    bytes
        The content of a file.

    Raises
    ------
    CampaignError
        If matplotlib is not installed.
    """
    figure = figure_type()(figsize=SIZE, layout="constrained")
    axes = figure.add_subplot()
    axes.grid(alpha=0.3)
    found = figures(ledger, TOP)
    axes.set_title(_title(found))
    _draw(CHARTS[kind](ledger, found), axes)
    return saved(figure, form)


def _draw(chart: Chart, axes: Any) -> None:
    """Draw a chart with Matplotlib."""
    axes.set(xlabel=chart.across, ylabel=chart.up)
    if not chart.lines:
        axes.text(0.5, 0.5, chart.empty, transform=axes.transAxes, ha="center", va="center")
        return
    named = set()
    for line in chart.lines:
        across, up = [x for x, _ in line.points], [y for _, y in line.points]
        steps = {"drawstyle": "steps-post"} if line.steps else {}
        label = "" if line.name in named else line.name
        named.add(line.name)
        axes.plot(across, up, label=label, **_STYLES[line.kind], **steps)
    for place, (x, _) in enumerate(chart.marks):
        axes.axvline(x, color="C4", linewidth=0.8, alpha=0.6, label="" if place else "known records")
    if chart.logarithmic:
        axes.set_yscale("log")
    elif not any(line.kind.endswith("dots") for line in chart.lines):
        axes.set_ylim(bottom=0)
    if len(chart.lines) > 1 or chart.marks:
        axes.legend()


def _title(found: Figures) -> str:
    if not found.deck:
        return "an empty ledger"
    return f"{found.document['strategy']}, {deck_words(found.deck)}, {int(found.document['deals']):,} deals"
