"""The player: the page that replays games in a browser."""

from __future__ import annotations

from camicia.cards import ITALIAN, STANDARD, Deal, Deck
from camicia.known_cycles import KnownCycle, catalogue
from camicia.records import Record, records
from camicia.results import Result, Status, counted
from camicia.simulate import simulate
from search.errors import CampaignError
from search.report.pages import Markup, asset, escaped, filled, page, script_data, scripts

#: The most cards played that a page may hold: browsers lay out a curve of that length in a second.
MOST_CARDS = 1_000_000

#: Most cards in all states at starts of rounds together; the page keeps each state to recognise a loop.
MOST_PLACES = 200_000_000

#: The scripts in order of dependence: first the rules and what uses them, then drawing and motion.
RULES = ("game.js", "ranks.js", "notation.js")
PLAYER = ("words.js", "table.js", "chart.js", "tricks.js", "address.js", "controls.js", "player.js")

#: Decks offered for a random deal.
DECKS = {"standard": STANDARD, "Italian": ITALIAN}


def view_page(deal: Deal | None = None) -> Markup:
    """Make the player page, which replays any game.

    Parameters
    ----------
    deal : Deal, optional
        The deal that is shown first (default: the known record).

    Returns
    -------
    Markup
        A self-contained HTML page. An address that ends in ``#deal=J--/-J-&card=5`` shows
        another deal, after a number of cards.

    Raises
    ------
    CampaignError
        If the game is too long for a page.

    Examples
    --------
    >>> "it repeats the same 6 cards and 2 tricks" in view_page(Deal.parse("J--/-J-"))
    True
    """
    shown = deal or longest_record().deal
    result = simulate(shown)
    checked_length(shown, result)
    title, description = title_of(result), f"Card by card, in the browser: {result.reason} The deal: {shown}"
    if deal is None:
        title = "Camicia player: the longest games of Beggar-My-Neighbour"
        description = "Replays any game card by card, from the longest known games to those that never end."
    return page("view.html", {"title": title, "description": description, **player_parts(shown, result)})


def player_parts(deal: Deal, result: Result) -> dict[str, Markup]:
    """Return what a page needs to include the player, by the names of the placeholders in its template.

    Parameters
    ----------
    deal : Deal
        The deal shown if the address names none.
    result : Result
        Its result.
    """
    return {
        "player": filled(
            asset("game.html"),
            {
                "heading": title_of(result),
                "deal": deal,
                "reason": result.reason,
                "decks": Markup("".join(_option(name, deck) for name, deck in DECKS.items())),
            },
        ),
        "view_style": asset("view.css"),
        "game_script": scripts(*RULES),
        "view_script": scripts(*PLAYER),
        "data": script_data(
            {
                "deal": str(deal),
                "result": [result.cards, result.tricks, result.cycle_cards, result.cycle_tricks],
                "limits": {"cards": MOST_CARDS, "places": MOST_PLACES},
                "known": [[name, list(games.items())] for name, games in known_games().items()],
            }
        ),
    }


def longest_record() -> Record:
    """Return the longest known game of the standard deck.

    Examples
    --------
    >>> longest_record().finder
    'Nessler'
    """
    finite = (record for record in records() if record.result.status is Status.FINISHED)
    return max(
        (record for record in finite if record.deal.deck == STANDARD), key=lambda record: record.result.tricks
    )


def known_games() -> dict[str, dict[str, str]]:
    """Return the games that the player lists: for each list, its name, and deals with a line about each.

    Examples
    --------
    >>> list(known_games())[0]
    'Records'
    >>> known_games()["Records"]["---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---"]
    '2022, Nessler: 8,344 cards, 1,164 tricks'
    """
    lists: dict[str, dict[str, str]] = {"Records": {}}
    # Newest first, the standard deck before the others.
    for record in sorted(records(), key=lambda each: (each.deal.deck != STANDARD, -(each.year or 0))):
        lists["Records"][str(record.deal)] = _record_line(record)
    for cycle in catalogue():
        name = f"Loops of the {_deck_name(cycle.deck)} deck"
        if cycle.deal:
            line = f"{_cycle_line(cycle)}, one of {counted(cycle.deals, 'deal')}"
            lists.setdefault(name, {})[cycle.deal] = line
        else:
            uneven = lists.setdefault(f"{name} from uneven hands", {})
            uneven[cycle.name] = f"{len(uneven) + 1}. {_cycle_line(cycle)}"
    # What fewer people look for comes last.
    return dict(sorted(lists.items(), key=lambda item: item[0].endswith("hands")))


def _record_line(record: Record) -> str:
    who = ", ".join(map(str, filter(None, (record.year, record.finder)))) or "finder unknown"
    deck = "" if record.deal.deck == STANDARD else f" ({_deck_name(record.deal.deck)} deck)"
    result = record.result
    if result.status is Status.LOOP:
        cycle = f"{counted(result.cycle_cards, 'card')}, {counted(result.cycle_tricks, 'trick')}"
        return f"{who}: never ends, a cycle of {cycle}{deck}"
    return f"{who}: {counted(result.cards, 'card')}, {counted(result.tricks, 'trick')}{deck}"


def _cycle_line(cycle: KnownCycle) -> str:
    return f"cycle of {counted(cycle.cards, 'card')}, {counted(cycle.tricks, 'trick')}"


def _deck_name(deck: Deck) -> str:
    return next((name for name, named in DECKS.items() if named == deck), str(deck))


def _option(name: str, deck: Deck) -> Markup:
    text = escaped(f"{name[0].upper()}{name[1:]} ({deck.size} cards)")
    return Markup(f'<option value="{deck}">{text}</option>')


def checked_length(deal: Deal, result: Result) -> None:
    """Refuse a game that is too long to show.

    Raises
    ------
    CampaignError
        If it is.
    """
    if result.cards > MOST_CARDS or result.tricks * deal.size > MOST_PLACES:
        raise CampaignError(
            f"deal of {counted(deal.size, 'card')}: its game has {counted(result.cards, 'card')} and "
            f"{counted(result.tricks, 'trick')}, expected at most {MOST_CARDS:,} cards for a page"
        )


def title_of(result: Result) -> str:
    """Name a game by its lengths.

    Examples
    --------
    >>> title_of(simulate("J--/-JA"))
    'A game of Camicia: 12 cards, 4 tricks'
    """
    lengths = f"{counted(result.cards, 'card')}, {counted(result.tricks, 'trick')}"
    if result.status is Status.LOOP:
        cycle = f"{counted(result.cycle_cards, 'card')} and {counted(result.cycle_tricks, 'trick')}"
        return f"A game of Camicia without end: a cycle of {cycle}"
    return f"A game of Camicia: {lengths}"
