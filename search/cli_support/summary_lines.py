"""The summary of a ledger for people: lines, each with its label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from camicia.cards import Deck
from camicia.records import longest_known
from camicia.results import counted
from camicia.text import duration_text, rate_text
from search.cli_support.tables import labelled, painted, screen_width
from search.cli_support.terminal import wants_colour
from search.driver import Ending
from search.finds import LENGTHS
from search.report import census_lines
from search.strategies import strategy_named


def print_summary(document: dict[str, Any], more: Iterable[tuple[str, str]] = ()) -> None:
    """Print a summary for people, and further lines, each with its label."""
    colour = wants_colour()
    for line in labelled([*summary_lines(document), *more], screen_width()):
        print(painted(line, colour))


def what_next(document: dict[str, Any], ledger: str, again: str) -> list[tuple[str, str]]:
    """The lines after the summary of a run: how it compares with the longest known, and what to do next.

    Parameters
    ----------
    document : dict
        The summary of the ledger.
    ledger : str
        The name of its file, for a shell.
    again : str
        The command that resumes the hunt.
    """
    lines = []
    if all(document["longest"].values()):
        deck = Deck.parse(document["deck"])
        best: dict[str, int] = {length: document["longest"][length][length] for length in LENGTHS}
        known: dict[str, int | None] = {length: longest_known(deck, length) for length in LENGTHS}
        if any(known.values()):
            lines.append(("best so far", beside_known(best, known)))
    commands = ", ".join(f"camicia {command} {ledger}" for command in ("report", "best", "verify"))
    lines.append(("next", commands))
    if document["run"]["ending"] != Ending.COMPLETE:
        lines.append(("resume", again))
    return lines


def beside_known(best: Mapping[str, int], known: Mapping[str, int | None]) -> str:
    """Say how the longest games compare with the longest known.

    Examples
    --------
    >>> beside_known({"cards": 5347, "tricks": 737}, {"cards": 8344, "tricks": None})
    '5,347 of 8,344 cards known (64%), 737 tricks'
    """
    parts = []
    for length, number in best.items():
        longest = known[length]
        share = f" of {longest:,} {length} known ({100 * number / longest:.0f}%)" if longest else f" {length}"
        parts.append(f"{number:,}{share}")
    return ", ".join(parts)


def summary_lines(document: dict[str, Any]) -> list[tuple[str, str]]:
    """The lines of a summary, each with its label."""
    campaigns = document["campaigns"]
    if not campaigns:
        return [("ledger", f"{document['ledger']}: empty")]
    deals, loops = int(document["deals"]), int(document["loops"])
    strategy = strategy_named(document["strategy"])
    # Walks among loops play edited states, which are no deals; their means would be about the walk only.
    edited = strategy.plays == "edited"
    what = "edited state" if edited else "deal"
    units = counted(document["units"], "walk" if edited else "unit")
    lines = [
        ("ledger", document["ledger"]),
        ("campaign", f"{document['strategy']}, deck {document['deck']}, {_seeds(campaigns)}"),
        (
            "played" if edited else "deals",
            f"{deals:,} {'edited states ' if edited else ''}in {units}, {counted(loops, 'loop')}",
        ),
    ]
    for length in () if edited else LENGTHS:
        if document[f"mean_{length}"] is not None:
            lines.append((f"mean {length}", _mean(document, length)))
    if document["deals_per_core_second"]:
        lines.append(("rate", f"{rate_text(document['deals_per_core_second'])} per core, by processor time"))
    if "complete" in document:
        lines.extend(census_lines(document))
    for campaign in campaigns:
        lines.extend(strategy.lines(campaign))
    for length, find in document["longest"].items():
        if find:
            lines.append((f"most {length}", _longest(find)))
    for campaign in campaigns:
        for unit in campaign["set_aside"]:
            lines.append(("incomplete", f"unit {unit['unit']:,} is set aside: {unit['reason']}"))
    if document["imported"]:
        lines.append(("imported", f"{counted(document['imported'], 'deal')} of others, in no total"))
    if "run" in document:
        run = document["run"]
        lines.append(
            (
                "this run",
                f"{counted(int(run['deals']), what)} in {duration_text(run['seconds'])}, "
                f"{rate_text(run['deals_per_second'] or 0)} on {counted(run['workers'], 'worker')}",
            )
        )
    lines.append(("checksum", document["checksum"]))
    return lines


def _seeds(campaigns: list[dict[str, Any]]) -> str:
    if len(campaigns) == 1:
        return f"seed {campaigns[0]['seed']}, unit size {int(campaigns[0]['unit_size']):,}"
    return f"{len(campaigns):,} seeds"


def _mean(document: dict[str, Any], length: str) -> str:
    mean = document[f"mean_{length}"]
    error = document["campaigns"][0].get(f"mean_{length}_error") if len(document["campaigns"]) == 1 else None
    return f"{mean:.3f}" if error is None else f"{mean:.3f} +- {error:.3f}"


def _longest(find: dict[str, Any]) -> str:
    return f"{counted(find['cards'], 'card')}, {counted(find['tricks'], 'trick')}: {find['deal']}"
