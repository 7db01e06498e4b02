"""The page that shows what a ledger holds."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from camicia.cards import Deck
from camicia.results import counted
from camicia.text import large_number, long_time, with_error
from camicia.version import __version__
from search.finds import LENGTHS
from search.ledger import Ledger, StoredFind
from search.report.charts import survival_chart
from search.report.figures import NEW, OURS, Figures, Walks, figures
from search.report.pages import Markup, asset, escaped, filled, page
from search.strategies import strategy_named

#: The longest games that a page lists by each length, unless told otherwise.
TOP = 20

#: Deals of a cycle that a page lists.
DEALS_OF_A_CYCLE = 5

#: Cells of these columns are numbers.
_NUMBERS = {
    "#",
    "cards",
    "tricks",
    "deals",
}


def report_page(ledger: Ledger, top: int = TOP) -> Markup:
    """Make the page of a ledger.

    Parameters
    ----------
    ledger : Ledger
        The ledger.
    top : int, optional
        How many of the longest games to list by each length.

    Returns
    -------
    Markup
        A whole HTML page that needs nothing else.
    """
    found = figures(ledger, top)
    sections = [*_overview(found), *_survival(found), *_times(found), *_finds(found), *_loops(found)]
    return page(
        "report.html",
        {
            "title": _title(found),
            "ledger": found.document["ledger"],
            "made": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
            "version": __version__,
            "report_style": asset("report.css"),
            "sections": _joined([*sections, *_origins(found)]),
            "script": asset("report.js"),
        },
    )


def _title(found: Figures) -> str:
    if not found.deck:
        return "A hunt for long games of Camicia"
    aim = "games of Camicia that never end" if found.edited else "long games of Camicia"
    return f"A hunt for {aim}: {found.document['strategy']}, deck {found.deck}"


def _overview(found: Figures) -> list[Markup]:
    document = found.document
    deals = int(document["deals"])
    if not deals:
        return [Markup("<p>The ledger is empty: no unit of work is done yet.</p>")]
    what = "edited states" if found.edited else "deals"
    note = counted(document["units"], "walk" if found.edited else "unit")
    if found.deck and not found.edited:
        note += f"; {_share(deals, found.deck)}"
    items = [(what, f"{deals:,}", note)]
    if found.rate:
        items.append((f"{what} a second", large_number(found.rate[0]), found.rate[1]))
    loops = int(document["loops"])
    items.append(("loops", f"{loops:,}", f"1 in {large_number(deals / loops)}" if loops else "none"))
    if found.walks:
        walks = found.walks
        items.append(("cycles of the deck", f"{walks.cycles:,}", _origins_text(walks)))
        items.append(("cycles with deals", f"{walks.with_deals:,}", counted(walks.deals, "deal")))
    # The means of edited states would say something about the walk only.
    for length in () if found.edited else LENGTHS:
        mean = document[f"mean_{length}"]
        if mean is not None:
            campaigns = document["campaigns"]
            error = campaigns[0].get(f"mean_{length}_error") if len(campaigns) == 1 else None
            value, _, spread = with_error(mean, error).partition(" ") if error else (f"{mean:.3f}", "", "")
            items.append((f"mean {length}", value, spread))
    for length, find in document["longest"].items():
        if find:
            others = "tricks" if length == "cards" else "cards"
            items.append((f"most {length}", f"{find[length]:,}", f"with {find[others]:,} {others}"))
    cells = _joined(
        filled(
            "<div><dt>{{name}}</dt><dd>{{value}}<small>{{note}}</small></dd></div>",
            dict(zip(("name", "value", "note"), item, strict=True)),
        )
        for item in items
    )
    return [filled('<dl class="figures">{{cells}}</dl>', {"cells": cells})]


def _share(deals: int, deck: Deck) -> str:
    """How many deals of all these are."""
    return (
        "as many as there are"
        if deals >= deck.deal_count
        else f"1 in {large_number(deck.deal_count / deals)} of all"
    )


def _origins_text(walks: Walks) -> str:
    """How many cycles are published, of this program, and new."""
    if walks.origins is None:
        return ""
    known, ours, new = (walks.origins[name] for name in ("published", OURS, NEW))
    return f"{known:,} published, {ours:,} found before by {OURS}, {new:,} new"


def _survival(found: Figures) -> list[Markup]:
    if not len(found.shares):
        return []
    parts = [
        Markup("<h2>Games still running</h2>"),
        survival_chart(found.shares, found.halving),
    ]
    keys = [("curve", "games of this ledger")]
    if found.halving:
        halving = found.halving
        length = with_error(halving.tricks, halving.error)
        keys.append(("fitted", f"fitted: halves every {length} tricks"))
        text = (
            f"The law is fitted to the {counted(halving.games, 'game')} of more than {halving.start:,} "
            f"tricks: the number of games still running halves every {length} tricks. The error is one "
            "standard deviation. Deals made from one shuffle depend on one another; the error is enlarged by "
            "as much as that enlarges the error of the mean."
        )
    elif strategy_named(found.document["strategy"]).plays == "random":
        text = "There are too few long games yet to fit a law."
    else:
        text = "These deals were not drawn at random: no law is fitted to them."
    legend = _joined(
        filled(
            '<li><svg class="chart" viewBox="0 0 40 10" aria-hidden="true">'
            '<path class="{{name}}" d="M0 5H40"/></svg>{{text}}</li>',
            {"name": name, "text": label},
        )
        for name, label in keys
    )
    parts += [filled('<ul class="legend">{{legend}}</ul>', {"legend": legend}), _paragraph(text)]
    return parts


def _times(found: Figures) -> list[Markup]:
    if found.deals_left is not None and found.rate:
        rate, what = found.rate
        left = found.deals_left
        text = (
            f"About {large_number(left)} deals are left to play: {long_time(left / rate)} at "
            f"{large_number(rate)} deals a second, the rate of {what}."
        )
        if not left:
            text = "The search is complete: every deal of its range was played."
        return [Markup("<h2>Expected times</h2>"), _paragraph(text)]
    if not found.forecasts or not found.rate or not found.halving:
        return []
    rows = [
        (
            f"{item.tricks:,}" + (f": {item.name}" if item.name else ""),
            large_number(item.deals),
            long_time(item.seconds) if item.exists else "probably no deal of this deck is that long",
            f"× {item.factor:.2g}",
        )
        for item in found.forecasts
    ]
    rate, what = found.rate
    halving = found.halving
    text = (
        f"Computed from the fitted law: of the finite games, 1 in {large_number(1 / halving.share)} has more "
        f"than {halving.start:,} tricks, and beyond that the number halves every {halving.tricks:.2f} tricks."
        " The deals to play are the inverse of the share of games that long; the time is that at "
        f"{large_number(rate)} deals a second, the rate of {what}. Both are means: the time to the first "
        "such game is exponentially distributed, and half of all hunts need less than 0.7 times the mean. "
        "The last column is the factor by which the error of the law may put them out. Whether the law "
        "holds as far as the records nobody knows."
    )
    if found.gain:
        gain = found.gain
        text += (
            " Climbing finds long games more often than they are dealt: the "
            f"{counted(gain.trees, 'best tree')} each hold a deal of at least {gain.tricks:,} tricks, "
            f"{large_number(gain.times)} times as many as so many random deals would, and the deals to play "
            "are divided by this."
        )
    table = _table(("tricks, at least", "deals to play", "expected time", "known up to"), rows)
    return [Markup("<h2>Expected times</h2>"), table, _paragraph(text)]


def _finds(found: Figures) -> list[Markup]:
    parts = [Markup("<h2>Longest games</h2>")]
    # Walks among loops keep no finite games.
    if found.edited or not int(found.document["deals"]):
        return []
    if not found.best["cards"]:
        return [*parts, _paragraph("None yet.")]
    for length, trees in found.best.items():
        rows = [
            (str(place), f"{tree[0].result.cards:,}", f"{tree[0].result.tricks:,}", _tree(tree))
            for place, tree in enumerate(trees, start=1)
        ]
        shown = " open" if length == "cards" else ""
        parts.append(
            filled(
                "<details{{open}}><summary>By {{length}}</summary>{{table}}</details>",
                {
                    "open": Markup(shown),
                    "length": length,
                    "table": _table(("#", "cards", "tricks", "deal"), rows),
                },
            )
        )
    if any(len(tree) > 1 for trees in found.best.values() for tree in trees):
        parts.append(
            _paragraph(
                "Games that run into one state are of one tree of ancestors. Each line has the longest game "
                "of a tree; the others that the ledger keeps of it are folded below."
            )
        )
    if found.known_tricks:
        parts.append(_paragraph(f"The longest known game of this deck has {found.known_tricks:,} tricks."))
    return parts


def _tree(tree: Sequence[StoredFind]) -> Markup:
    """The longest deal of a tree, with the others folded under it."""
    longest, *others = tree
    if not others:
        return _deal(longest.deal)
    lines = _joined(
        filled(
            '<div>{{deal}} <span class="soft">{{lengths}}</span></div>',
            {
                "deal": _deal(find.deal),
                "lengths": f"{counted(find.result.cards, 'card')}, {counted(find.result.tricks, 'trick')}",
            },
        )
        for find in others
    )
    return filled(
        "{{deal}}<details><summary>{{number}} more of its tree</summary>{{lines}}</details>",
        {"deal": _deal(longest.deal), "number": len(others), "lines": lines},
    )


def _loops(found: Figures) -> list[Markup]:
    loops = int(found.document["loops"])
    if not loops and not found.cycles:
        return []
    listed = sum(len(cycle.deals) for cycle in found.cycles)
    if found.walks:
        walks = found.walks
        text = f"The walks met {counted(walks.cycles, 'cycle')} of exactly the deck"
        text += f": {_origins_text(walks)}" if walks.origins else ""
        text += f". Balanced deals fall into {walks.with_deals:,} of them, {walks.deals:,} in all."
    else:
        text = f"{counted(loops, 'deal')} met so far never ended."
    parts = [Markup("<h2>Games that never end</h2>"), _paragraph(text)]
    if not found.cycles:
        return parts
    text = (
        f"The ledger lists {counted(listed, 'deal')} in {counted(len(found.cycles), 'cycle')}. The lengths "
        "are those of the cycle; each deal is shown with the tricks before the cycle begins."
    )
    if any(cycle.origin for cycle in found.cycles):
        text += " A cycle is new if the catalogue of the command camicia loops does not have it."
    rows = [
        (
            f"{cycle.cards:,}",
            f"{cycle.tricks:,}",
            f"{len(cycle.deals):,}",
            _joined([_origin(cycle.origin), _deals_of(cycle.deals)]),
        )
        for cycle in found.cycles
    ]
    return [*parts, _paragraph(text), _table(("cards", "tricks", "deals", "those of smallest rank"), rows)]


def _origin(origin: str | None) -> Markup:
    """A line that says whether a cycle is known; none where the catalogue has no cycle of the deck."""
    if origin is None:
        return Markup("")
    text = {NEW: "a new cycle", OURS: f"known: found before by {OURS}"}.get(origin, f"known: {origin}")
    return filled('<div class="soft">{{text}}</div>', {"text": text})


def _deals_of(finds: Sequence[StoredFind]) -> Markup:
    lines = [
        filled(
            '<div>{{deal}} <span class="soft">{{tricks}}</span></div>',
            {"deal": _deal(find.deal), "tricks": counted(find.result.transient_tricks, "trick") + " before"},
        )
        for find in finds[:DEALS_OF_A_CYCLE]
    ]
    return _joined(lines)


def _origins(found: Figures) -> list[Markup]:
    parts = []
    for campaign in found.document["campaigns"]:
        rows = [
            ("seed", campaign["seed"]),
            ("unit size", f"{int(campaign['unit_size']):,} deals"),
            ("deals", f"{int(campaign['deals']):,} in {counted(campaign['units'], 'unit')}"),
            *strategy_named(campaign["strategy"]).lines(campaign),
            ("time of all workers", long_time(campaign["worker_seconds"])),
            ("checksum", campaign["checksum"]),
        ]
        for origin in campaign["origins"]:
            rows.append(
                ("done by", f"kernel {origin['kernel']} on {origin['host']}, version {origin['version']}")
            )
        for run in campaign["runs"]:
            when = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(run["started"]))
            rows.append(
                (
                    "run",
                    f"{when}, {long_time(run['seconds'])} on {counted(run['workers'], 'worker')} "
                    f"of {run['host']}",
                )
            )
        parts.append(_table(("", f"campaign {campaign['identity']}"), rows))
    if not parts:
        return []
    return [
        Markup("<h2>Where it comes from</h2>"),
        filled(
            "<details><summary>Campaigns, machines and runs</summary>{{parts}}</details>",
            {"parts": _joined(parts)},
        ),
    ]


def _deal(deal: str) -> Markup:
    return filled('<span class="deal">{{deal}}</span>', {"deal": deal})


def _paragraph(text: str) -> Markup:
    return filled("<p>{{text}}</p>", {"text": text})


def _table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> Markup:
    def row(tag: str, cells: Sequence[str]) -> Markup:
        numbers = [' class="number"' if name in _NUMBERS else "" for name in names]
        inner = "".join(
            f"<{tag}{number}>{escaped(cell)}</{tag}>" for number, cell in zip(numbers, cells, strict=True)
        )
        return Markup(f"<tr>{inner}</tr>")

    body = _joined(row("td", cells) for cells in rows)
    return filled(
        '<div class="scroll"><table><thead>{{head}}</thead><tbody>{{body}}</tbody></table></div>',
        {"head": row("th", names), "body": body},
    )


def _joined(parts: Iterable[Markup]) -> Markup:
    return Markup("\n".join(parts))
