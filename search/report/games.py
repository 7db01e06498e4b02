"""The games of a report: the longest of each tree, and the loops by cycle, each linked to the player."""

from __future__ import annotations

from collections.abc import Sequence

from camicia.decks import deck_words
from camicia.results import Result, Status, counted
from camicia.text import large_number
from search.finds import LENGTHS
from search.ledger import StoredFind
from search.report.drawing import deal_link
from search.report.figures import NEW, OURS, CycleFound, Figures, Walks
from search.report.pages import Markup, filled, folded, joined, paragraph, table

#: Most deals of a cycle, and most cycles, that a page lists.
DEALS_OF_A_CYCLE, CYCLES = 5, 50


def found_games(found: Figures) -> list[Markup]:
    """Return the finds: the longest game by each length, the best of each tree, and the loops."""
    return [*_longest(found), *_loops(found)]


def origins_text(walks: Walks) -> str:
    """Say how many cycles are published, found before by this program, and new."""
    if walks.origins is None:
        return ""
    known, ours, new = (walks.origins[name] for name in ("published", OURS, NEW))
    return f"{known:,} published, {ours:,} found before by {OURS}, {new:,} new"


def _longest(found: Figures) -> list[Markup]:
    # Walks among loops keep no finite games.
    if found.edited:
        return []
    if not found.best["cards"]:
        return [paragraph("No finite game was found yet.")]
    first = {length: trees[0][0] for length, trees in found.best.items()}
    same = first["cards"].deal == first["tricks"].deal
    names = {"cards": "Longest by cards and by tricks"} if same else {n: f"Longest by {n}" for n in LENGTHS}
    cards = [_card(name, first[length], found) for length, name in names.items()]
    parts = [filled('<div class="longest">{{cards}}</div>', {"cards": joined(cards)})]
    folds = any(len(tree) > 1 for trees in found.best.values() for tree in trees)
    if folds:
        parts.append(
            paragraph(
                "Games that run into the same state belong to one tree of ancestors. The lists show the "
                "longest game of each tree; the others that the ledger keeps are folded."
            )
        )
    for length, trees in found.best.items():
        rows = [
            (str(place), f"{tree[0].result.cards:,}", f"{tree[0].result.tricks:,}", _tree(tree))
            for place, tree in enumerate(trees, start=1)
        ]
        listed = table("games", ("#", "cards", "tricks", "deal"), rows)
        of_each = "best of each tree" if folds else counted(len(trees), "game")
        parts.append(folded(f"By {length}: {of_each}", [listed], shown=length == "cards"))
    return parts


def _card(name: str, find: StoredFind, found: Figures) -> Markup:
    """Show the longest game in large type, compared with the known records."""
    result = find.result
    note = ""
    if found.known_tricks:
        note = (
            _beside(result.tricks, found.known_tricks) + " (" + deck_words(found.deck) + ")"
            if found.deck
            else ""
        )
    return filled(
        '<div class="find"><h3>{{name}}</h3><p class="lengths">'
        "<b>{{cards}}</b> {{c}} <b>{{tricks}}</b> {{t}}</p>"
        '{{deal}}<p class="soft">{{note}}</p></div>',
        {
            "name": name,
            "cards": f"{result.cards:,}",
            "c": "cards," if result.cards != 1 else "card,",
            "tricks": f"{result.tricks:,}",
            "t": "tricks" if result.tricks != 1 else "trick",
            "deal": deal_link(find.deal, result, large=True),
            "note": note,
        },
    )


def _beside(tricks: int, known: int) -> str:
    if tricks > known:
        return f"Longer than any game known before, of {known:,} tricks"
    if tricks == known:
        return f"As long as the longest known game, of {known:,} tricks"
    return f"{tricks / known:.0%} of the longest known game, of {known:,} tricks"


def _lengths(result: Result) -> str:
    return f"{counted(result.cards, 'card')}, {counted(result.tricks, 'trick')}"


def _tree(tree: Sequence[StoredFind]) -> Markup:
    """Show the longest deal of a tree, with the others folded under it."""
    longest, *others = tree
    shown = deal_link(longest.deal, longest.result)
    if not others:
        return shown
    lines = [_line(find, _lengths(find.result)) for find in others]
    return joined([shown, folded(f"{len(others)} more of its tree", lines)])


def _line(find: StoredFind, words: str) -> Markup:
    link = deal_link(find.deal, find.result)
    return filled(
        '<div class="line">{{link}} <span class="soft">{{words}}</span></div>', {"link": link, "words": words}
    )


def _loops(found: Figures) -> list[Markup]:
    loops = int(found.document["loops"])
    if not loops and not found.cycles:
        return []
    listed = sum(len(cycle.deals) for cycle in found.cycles)
    if found.walks:
        walks = found.walks
        text = f"The walks met {counted(walks.cycles, 'cycle')} of exactly the deck"
        text += f": {origins_text(walks)}" if walks.origins else ""
        text += f". Balanced deals fall into {walks.with_deals:,} of them, {walks.deals:,} in all."
    else:
        deals = int(found.document["deals"])
        share = f", 1 in {large_number(deals / loops)}" if loops else ""
        text = f"{counted(loops, 'deal')} met so far never ended{share}."
    parts = [Markup("<h3>Games that never end</h3>"), paragraph(text)]
    if not found.cycles:
        return parts
    text = (
        f"The ledger lists {counted(listed, 'deal')} in {counted(len(found.cycles), 'cycle')}. The lengths "
        "are those of the cycle; each deal opens where its cycle begins."
    )
    if any(cycle.origin for cycle in found.cycles):
        text += " A cycle is new if the catalogue of the command camicia loops does not have it."
    rows = [
        (f"{cycle.cards:,}", f"{cycle.tricks:,}", _number(cycle), joined([_origin(cycle), _deals_of(cycle)]))
        for cycle in found.cycles[:CYCLES]
    ]
    parts += [paragraph(text), table("games", ("cards", "tricks", "deals", "of smallest rank"), rows)]
    if len(found.cycles) > CYCLES:
        parts.append(paragraph(f"{len(found.cycles) - CYCLES:,} more cycles are not listed here."))
    return parts


def _number(cycle: CycleFound) -> str:
    return f"{len(cycle.deals) if cycle.number is None else cycle.number:,}"


def _origin(cycle: CycleFound) -> Markup:
    """Link to the cycle, and say whether it is known, if the catalogue covers the deck."""
    origin = cycle.origin
    text = {NEW: "a new cycle", OURS: f"known: found before by {OURS}", None: ""}.get(
        origin, f"known: {origin}"
    )
    return filled(
        '<div class="line"><a href="#deal={{name}}">see the cycle</a> '
        '<span class="{{kind}}">{{text}}</span></div>',
        {"name": cycle.name, "kind": "new" if origin == NEW else "soft", "text": text},
    )


def _deals_of(cycle: CycleFound) -> Markup:
    if not cycle.deals:
        return paragraph("No balanced deal is listed.")
    return joined(_line(find, _before(find.result)) for find in cycle.deals[:DEALS_OF_A_CYCLE])


def _before(result: Result) -> str:
    assert result.status is Status.LOOP
    before = result.transient_tricks
    return f"{counted(before, 'trick')} before the cycle" if before else "in the cycle from the start"
