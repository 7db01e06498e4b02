"""The page about a ledger, in the order of a hunter's questions."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence

from camicia.cards import STANDARD, Deal, Deck
from camicia.decks import deck_words
from camicia.results import counted
from camicia.simulate import simulate
from camicia.text import large_number, long_time, with_error
from camicia.version import __version__
from search.finds import LENGTHS
from search.ledger import Ledger
from search.report.census import GAPS_NAMED
from search.report.charts import best_chart, rate_chart, survival_chart
from search.report.drawing import drawn_chart
from search.report.expected import expected_times
from search.report.figures import Figures, figures
from search.report.games import found_games, origins_text
from search.report.pages import Markup, asset, filled, folded, joined, page, paragraph, scripts, table
from search.report.player import MOST_CARDS, longest_record, player_parts
from search.strategies import strategy_named

#: How many of the longest games a page lists by each length, by default.
TOP = 20

#: Published mean lengths of random deals, each with its error, from 150 million deals.
KNOWN_MEANS = {STANDARD: {"cards": (254.69, 0.02), "tricks": (35.247, 0.003)}}

#: A mean that is off by more standard errors than this is not off by chance.
FAR = 4


def report_page(ledger: Ledger, top: int = TOP, *, reload_seconds: float | None = None) -> Markup:
    """Make the page of a ledger.

    Parameters
    ----------
    ledger : Ledger
        The ledger.
    top : int, optional
        Number of longest games to list by each length.
    reload_seconds : float, optional
        The page reloads itself after so many seconds; not while a game is open (default: never).

    Returns
    -------
    Markup
        A self-contained HTML page. An address that ends in ``#deal=J--/-J-`` shows that game in the player,
        which is part of the page.
    """
    found = figures(ledger, top)
    sections = (
        ("How long until something new?", expected_times(found)),
        ("What was found?", found_games(found)),
        ("Is all well?", _wellbeing(found)),
        ("How did it go?", _course(ledger, found)),
        ("Where it comes from", _origins(found)),
    )
    parts = [
        filled("<section><h2>{{name}}</h2>{{parts}}</section>", {"name": name, "parts": joined(parts)})
        for name, parts in sections
        if parts
    ]
    if not int(found.document["deals"]):
        parts.insert(0, paragraph("The ledger is empty: no unit of work is done yet."))
    shown = _first_deal(found)
    return page(
        "report.html",
        {
            "title": _title(found),
            "ledger": found.document["ledger"],
            "made": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
            "version": __version__,
            "reload": "" if reload_seconds is None else f"{max(1, round(reload_seconds))}",
            "report_style": asset("report.css"),
            "sections": joined(parts),
            **player_parts(shown, simulate(shown)),
            "script": scripts("plot.js", "report.js"),
        },
    )


def _first_deal(found: Figures) -> Deal:
    """Return the deal that the player shows if the address names none: the longest find."""
    for trees in found.best.values():
        if trees and trees[0][0].result.cards <= MOST_CARDS:
            return Deal.parse(trees[0][0].deal)
    return longest_record().deal


def _title(found: Figures) -> str:
    if not found.deck:
        return "A hunt for long games of Camicia"
    aim = "games of Camicia that never end" if found.edited else "long games of Camicia"
    return f"A hunt for {aim}: {found.document['strategy']}, {deck_words(found.deck)}"


def _wellbeing(found: Figures) -> list[Markup]:
    """Return what speaks for the ledger, and what needs attention."""
    document = found.document
    if not int(document["deals"]):
        return []
    aside = [note for campaign in document["campaigns"] for note in campaign["set_aside"]]
    failed = _listed([f"{note['unit']:,} ({note['reason']})" for note in aside])
    items = [
        (
            False,
            f"Units set aside, as they failed again and again: {failed}. The same search tries them again.",
        )
        if aside
        else (True, "No unit of work was set aside: the totals lack nothing.")
    ]
    if "complete" in document:
        ranks = f"ranks {_range(document)}"
        gaps = _listed([_range(gap) for gap in document["gaps"]])
        items.append(
            (not gaps, f"Of {ranks} not yet played: {gaps}." if gaps else f"All {ranks} were played.")
        )
    items += _means(found)
    items.append((True, "Every game listed here was replayed by the reference before it was stored."))
    if imported := document["imported"]:
        items.append((True, f"{counted(imported, 'deal')} of others were imported; they count in no total."))
    runs = [run["started"] + run["seconds"] for campaign in document["campaigns"] for run in campaign["runs"]]
    if runs:
        when = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(max(runs)))
        items.append((True, f"The last run ended on {when}."))
    lines = joined(
        filled(
            '<li class="{{kind}}"><b>{{sign}}</b> {{text}}</li>',
            {"kind": "good" if good else "bad", "sign": "✓" if good else "!", "text": text},
        )
        for good, text in sorted(items, key=lambda item: item[0])
    )
    advice = filled(
        "<p>The command <code>camicia verify {{ledger}}</code> plays a sample of units again and compares "
        "the checksums.</p>",
        {"ledger": document["ledger"]},
    )
    return [filled('<ul class="checks">{{lines}}</ul>', {"lines": lines}), advice]


def _means(found: Figures) -> Iterable[tuple[bool, str]]:
    """Yield whether the mean lengths agree with published ones, where there are any."""
    campaigns = found.document["campaigns"]
    known = KNOWN_MEANS.get(found.deck) if found.deck and found.halving and len(campaigns) == 1 else None
    for length, (theirs, spread) in (known or {}).items():
        mean, error = found.document[f"mean_{length}"], campaigns[0].get(f"mean_{length}_error")
        if mean is None or not error:
            continue
        far = abs(mean - theirs) > FAR * math.hypot(error, spread)
        text = f"The mean of {with_error(mean, error)} {length} {'is far from' if far else 'agrees with'} "
        yield not far, f"{text}the {theirs} ± {spread} that others have measured."


def _range(ends: Mapping[str, str]) -> str:
    return " to ".join(f"{int(ends[end]):,}" for end in ("from", "to"))


def _listed(texts: Sequence[str]) -> str:
    """Return the first of the texts, and how many more there are."""
    more = f" and {len(texts) - GAPS_NAMED:,} more" if len(texts) > GAPS_NAMED else ""
    return ", ".join(texts[:GAPS_NAMED]) + more


def _course(ledger: Ledger, found: Figures) -> list[Markup]:
    """Return the course of the hunt: figures, rate and best game over time, games still running."""
    if not int(found.document["deals"]):
        return []
    items = joined(
        filled(
            "<div><dt>{{name}}</dt><dd>{{value}}<small>{{note}}</small></dd></div>",
            dict(zip(("name", "value", "note"), item, strict=True)),
        )
        for item in _items(found)
    )
    parts = [filled('<dl class="figures">{{items}}</dl>', {"items": items})]
    if not found.edited:
        parts += [drawn_chart(survival_chart(ledger, found)), paragraph(_law(found))]
    charts = [rate_chart(ledger, found)] + ([] if found.edited else [best_chart(ledger, found)])
    parts.append(filled('<div class="side">{{charts}}</div>', {"charts": joined(map(drawn_chart, charts))}))
    if charts[-1].lines and not found.edited:
        parts.append(Markup('<p class="soft">Pauses between runs are left out.</p>'))
    return parts


def _items(found: Figures) -> Iterable[tuple[str, str, str]]:
    document = found.document
    deals = int(document["deals"])
    what = "edited states" if found.edited else "deals"
    note = counted(document["units"], "walk" if found.edited else "unit")
    if found.deck and not found.edited:
        note += f"; {_share(deals, found.deck)}"
    yield what, f"{deals:,}", note
    if found.rate:
        yield f"{what} a second", large_number(found.rate.deals), found.rate.what
    loops = int(document["loops"])
    yield "loops", f"{loops:,}", f"1 in {large_number(deals / loops)}" if loops else "none"
    if found.walks:
        walks = found.walks
        yield "cycles of the deck", f"{walks.cycles:,}", origins_text(walks)
        yield "cycles with deals", f"{walks.with_deals:,}", counted(walks.deals, "deal")
    # The means of edited states would only describe the walk.
    for length in () if found.edited else LENGTHS:
        mean = document[f"mean_{length}"]
        if mean is not None:
            campaigns = document["campaigns"]
            error = campaigns[0].get(f"mean_{length}_error") if len(campaigns) == 1 else None
            value, _, spread = with_error(mean, error).partition(" ") if error else (f"{mean:.3f}", "", "")
            yield f"mean {length}", value, spread


def _share(deals: int, deck: Deck) -> str:
    """Return which share of all deals these are."""
    return (
        "as many as there are"
        if deals >= deck.deal_count
        else f"1 in {large_number(deck.deal_count / deals)} of all"
    )


def _law(found: Figures) -> str:
    if found.halving:
        halving = found.halving
        length = with_error(halving.tricks, halving.error)
        return (
            f"The law is fitted to the {counted(halving.games, 'game')} of more than {halving.start:,} "
            f"tricks: the number of games still running halves every {length} tricks. The error is one "
            "standard deviation. Deals made from one shuffle depend on one another; the error is enlarged by "
            "as much as that enlarges the error of the mean."
        )
    if strategy_named(found.document["strategy"]).plays == "random":
        return "There are too few long games yet to fit a law."
    return "These deals were not drawn at random: no law is fitted to them."


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
        parts.append(table("origins", ("", f"campaign {campaign['identity']}"), rows))
    return [folded("Campaigns, machines and runs", parts)] if parts else []
