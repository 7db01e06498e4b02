"""The part of a report that says how long until something new is found."""

from __future__ import annotations

from camicia.cards import Deck
from camicia.results import counted
from camicia.text import large_number, rough_time
from search.report.figures import Figures
from search.report.forecast import SEARCHED_THROUGH, Forecast
from search.report.history import Rate
from search.report.pages import Markup, filled, folded, joined, paragraph, table
from search.strategies import strategy_named

#: Times are also given for this many cores, which one may rent or find in a lab.
MANY_CORES = 200


def expected_times(found: Figures) -> list[Markup]:
    """Return the expected time until the next milestones and until a game longer than any known."""
    if found.deals_left is not None and found.rate:
        return [_complete_search(found.deals_left, found.rate)]
    if not found.forecasts or not found.rate or not found.halving:
        return [paragraph(_why_not(found))] if int(found.document["deals"]) else []
    rate = found.rate
    goals = [found.forecasts[0], *(item for item in found.forecasts[1:] if item.name)]
    cards = [_goal(item, rate, found.deck) for item in goals]
    rows = [
        (
            f"{item.tricks:,}",
            f"about {rough_time(item.seconds)}" if item.exists else "no such deal",
            rough_time(_on_many(item.seconds, rate)) if item.exists else "",
            large_number(item.deals),
            f"× {item.factor:.2g}",
        )
        for item in found.forecasts
    ]
    names = (
        "tricks, at least",
        _here(rate),
        f"on {MANY_CORES} such cores",
        "deals to play",
        "known up to a factor",
    )
    return [
        filled('<div class="goals">{{cards}}</div>', {"cards": joined(cards)}),
        table("times", names, rows),
        folded("How this is computed", [paragraph(_method(found))]),
    ]


def _why_not(found: Figures) -> str:
    if found.edited:
        return "How long it takes until a new cycle is met cannot be told: no law is known."
    if strategy_named(found.document["strategy"]).plays == "random":
        return "Too few long games were played yet to tell; that takes some minutes."
    return "These deals were not drawn at random: no law says what they will bring."


def _complete_search(left: int, rate: Rate) -> Markup:
    if not left:
        return paragraph("The search is complete: every deal of its range was played.")
    return paragraph(
        f"About {large_number(left)} deals are left to play: {_both_times(left / rate.deals, rate)}. "
        f"The rate is {large_number(rate.deals)} deals a second, that of {rate.what}."
    )


def _goal(item: Forecast, rate: Rate, deck: Deck | None) -> Markup:
    """Show a goal in large type: how long until it is reached."""
    note = f"{item.tricks:,} tricks or more: "
    if item.exists:
        note += _both_times(item.seconds, rate)
    elif deck in SEARCHED_THROUGH:
        note += "others have searched the whole deck, and none is that long"
    else:
        note += "probably no deal of this deck is that long"
    return filled(
        '<div class="goal"><h3>{{name}}</h3><p class="time">{{time}}</p><p class="soft">{{note}}.</p></div>',
        {
            "name": f"A game {item.name}" if item.name else "The next milestone",
            "time": f"about {rough_time(item.seconds)}" if item.exists else "never",
            "note": note,
        },
    )


def _here(rate: Rate) -> str:
    return "on this machine at this rate" if rate.what == "the last run" else "on one core"


def _on_many(seconds: float, rate: Rate) -> float:
    return seconds * rate.workers / MANY_CORES


def _both_times(seconds: float, rate: Rate) -> str:
    """Say how long something takes where the rate was measured, and on many such cores.

    Examples
    --------
    >>> _both_times(1.42e9, Rate(1e7, "the last run", 1))
    'about 45 years on this machine at this rate; 12 weeks on 200 such cores'
    """
    text = f"about {rough_time(seconds)} {_here(rate)}"
    if rate.workers < MANY_CORES and seconds > 60:
        text += f"; {rough_time(_on_many(seconds, rate))} on {MANY_CORES} such cores"
    return text


def _method(found: Figures) -> str:
    assert found.halving and found.rate
    halving, rate = found.halving, found.rate
    text = (
        f"Computed from the fitted law: of the finite games, 1 in {large_number(1 / halving.share)} has more "
        f"than {halving.start:,} tricks, and beyond that the number halves every {halving.tricks:.2f} tricks."
        " The deals to play are the inverse of the share of games that long; the time is that at "
        f"{large_number(rate.deals)} deals a second, the rate of {rate.what}"
        f"{f' on {rate.workers:,} workers' if rate.workers > 1 else ''}. Both are means: the time to the "
        "first such game is exponentially distributed, and half of all hunts need less than 0.7 times "
        "the mean. The last column is the factor by which the error of the law may put them out. Whether the "
        "law holds as far as the records nobody knows."
    )
    if found.gain:
        gain = found.gain
        text += (
            " Climbing finds long games more often than they are dealt: the "
            f"{counted(gain.trees, 'best tree')} each hold a deal of at least {gain.tricks:,} tricks, "
            f"{large_number(gain.times)} times as many as the same number of random deals would, and "
            "the deals to play are divided by this."
        )
    return text
