"""The page that replays one game in a browser."""

from __future__ import annotations

from camicia.cards import Deal
from camicia.codes import hand_text
from camicia.results import Result, Status, counted
from camicia.simulate import simulate
from search.errors import CampaignError
from search.report.pages import Markup, asset, page, script_data

#: The most cards played that a page may hold: browsers lay out a curve of so many tricks in a second.
MOST_CARDS = 1_000_000

#: The most card places in all states at starts of rounds, each of which the page keeps to tell a loop.
MOST_PLACES = 200_000_000


def view_page(deal: Deal) -> Markup:
    """Make the page that replays a game.

    Parameters
    ----------
    deal : Deal
        The deal, which the page plays by itself.

    Returns
    -------
    Markup
        A whole HTML page that needs nothing else.

    Raises
    ------
    CampaignError
        If the game is too long for a page.

    Examples
    --------
    >>> "it repeats the same 6 cards and 2 tricks" in view_page(Deal.parse("J--/-J-"))
    True
    """
    result = simulate(deal)
    if result.cards > MOST_CARDS or result.tricks * deal.size > MOST_PLACES:
        raise CampaignError(
            f"deal of {counted(deal.size, 'card')}: its game has {counted(result.cards, 'card')} and "
            f"{counted(result.tricks, 'trick')}, expected at most {MOST_CARDS:,} cards for a page"
        )
    return page(
        "view.html",
        {
            "title": _title(result),
            "deal": deal,
            "deck": deal.deck,
            "reason": result.reason,
            "view_style": asset("view.css"),
            "game_script": asset("game.js"),
            "view_script": Markup(asset("chart.js") + "\n" + asset("view.js")),
            "data": script_data(
                {
                    "handA": hand_text(deal.hand_a),
                    "handB": hand_text(deal.hand_b),
                    "size": deal.size,
                    "cards": result.cards,
                    "tricks": result.tricks,
                    "cycleCards": result.cycle_cards,
                    "cycleTricks": result.cycle_tricks,
                }
            ),
        },
    )


def _title(result: Result) -> str:
    lengths = f"{counted(result.cards, 'card')}, {counted(result.tricks, 'trick')}"
    if result.status is Status.LOOP:
        cycle = f"{counted(result.cycle_cards, 'card')} and {counted(result.cycle_tricks, 'trick')}"
        return f"A game of Camicia without end: a cycle of {cycle}"
    return f"A game of Camicia: {lengths}"
