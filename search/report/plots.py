"""Pictures of a ledger, drawn with matplotlib, which comes with the extra `report`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from camicia.records import records
from camicia.results import Status
from camicia.text import with_error
from search.finds import FINDS_PER_TREE
from search.ledger import Ledger
from search.report.drawing import figure_type, saved
from search.report.figures import figures
from search.report.history import binned, runs, work

#: Inches.
SIZE = (8, 5)

#: Finds that are marked: all that a list can hold.
TOP = 10_000

#: What stands in a picture of no games.
EMPTY = "nothing yet"


def drawn(ledger: Ledger, kind: str, form: str) -> bytes:
    """Draw a picture.

    Parameters
    ----------
    ledger : Ledger
        The ledger.
    kind : str
        A key of `KINDS`.
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
    KINDS[kind](ledger, axes)
    return saved(figure, form)


def _survival(ledger: Ledger, axes: Any) -> None:
    found = figures(ledger, TOP)
    shares = found.shares[found.shares > 0]
    axes.set(xlabel="tricks", ylabel="share of games still running", title=_title(found.document))
    if not len(shares):
        _say(axes, "the games are those of edited states" if found.edited else EMPTY)
        return
    axes.stairs(shares, label="games of this ledger", baseline=None)
    axes.set_yscale("log")
    if found.halving:
        halving = found.halving
        end = halving.tricks_of(float(shares[-1]))
        label = f"fitted: halves every {with_error(halving.tricks, halving.error)} tricks"
        axes.plot(
            [halving.start, end], [halving.share, halving.share_of(end + 1)], "--", color="C3", label=label
        )
    axes.legend()


def _rate(ledger: Ledger, axes: Any) -> None:
    found = figures(ledger, 1)
    what = "edited states a second" if found.edited else "deals a second"
    axes.set(xlabel="time (UTC)", ylabel=what, title=_title(found.document))
    bins = binned(work(ledger), runs(ledger))
    if not bins:
        _say(axes, EMPTY)
        return
    for stretch in bins:
        ends = [datetime.fromtimestamp(stretch.start + shift, UTC) for shift in (0, stretch.seconds)]
        axes.plot(ends, [stretch.rate] * 2, color="C0", linewidth=2)
    axes.set_ylim(bottom=0)
    axes.tick_params(axis="x", rotation=20)


def _finds(ledger: Ledger, axes: Any) -> None:
    found = figures(ledger, TOP)
    axes.set(xlabel="tricks", ylabel="cards", title=_title(found.document))
    finds = [find for trees in found.best.values() for tree in trees for find in tree]
    each = {find.deal: find.result for find in finds}
    known = [
        record.result
        for record in records()
        if record.deal.deck == found.deck and record.result.status is Status.FINISHED
    ]
    if found.edited:
        _say(axes, "walks among loops keep no finite games")
        return
    if not each and not known:
        _say(axes, EMPTY)
        return
    label = "finds of this ledger"
    if any(find.tree for find in finds):
        label += f" (of one tree at most {FINDS_PER_TREE} by each length)"
    axes.scatter([r.tricks for r in each.values()], [r.cards for r in each.values()], s=14, label=label)
    if known:
        axes.scatter(
            [r.tricks for r in known],
            [r.cards for r in known],
            s=40,
            marker="*",
            color="C3",
            label="known records",
        )
    axes.legend()


#: Every kind of picture.
KINDS: dict[str, Callable[[Ledger, Any], None]] = {"survival": _survival, "rate": _rate, "finds": _finds}


def _title(document: dict[str, Any]) -> str:
    if not document["campaigns"]:
        return "an empty ledger"
    return f"{document['strategy']}, deck {document['deck']}, {int(document['deals']):,} deals"


def _say(axes: Any, text: str) -> None:
    axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center", va="center")
