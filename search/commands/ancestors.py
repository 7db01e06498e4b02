"""`camicia ancestors`: every deal whose game comes through a state of a given one."""

from __future__ import annotations

import argparse
from typing import Any

from camicia.ancestry.ancestors import MAX_STATES, Ancestor, Cycle, State, Tree
from camicia.ancestry.improving import FROM_END, tree_above
from camicia.cards import Deal, Deck
from camicia.deals.ranks import rank_text
from camicia.results import Result, Status, counted
from camicia.simulate import simulate
from search.cli_support.arguments import add_json, count, write_json
from search.cli_support.notations import add_notation, written_as
from search.cli_support.reading import only_deal
from search.cli_support.tables import bar_room, print_game, print_hanging
from search.errors import CampaignError

NAME = "ancestors"

DESCRIPTION = """\
Walks back from a state of a deal's game, with R tricks still to go, through all states that lead to it. Those
with equal hands are deals, whose games all end in the same way: their lengths are known without
playing them. For a deal that never ends, lists every deal that falls into the same cycle.

examples:
  camicia ancestors A-QK------Q----KA-----J---/-JAK----A--Q----J---QJ--K-
  camicia ancestors A-QK------Q----KA-----J---/-JAK----A--Q----J---QJ--K- --from-end 300 --top 3
  camicia ancestors J--/-J- --json
"""

#: Lines of the histogram for people; JSON has a number for each trick.
HISTOGRAM_LINES = 20

#: Width of its longest bar.
BAR = 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument(
        "deal",
        metavar="DEAL",
        help="such as J--/-JA; - to read one from standard input",
    )
    parser.add_argument(
        "--from-end",
        type=count,
        metavar="R",
        help=f"tricks to go at the root of the tree (default: {FROM_END}, which lists them all)",
    )
    parser.add_argument(
        "--top", type=count, metavar="N", help="deals to list by each length (default: 10, or all of a loop)"
    )
    parser.add_argument(
        "--max-states",
        type=count,
        default=MAX_STATES,
        metavar="N",
        help=f"the most states to count (default: {MAX_STATES:,})",
    )
    add_notation(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Walk, and print what was found."""
    deal = only_deal(arguments.deal, written_as(arguments))
    State.from_deal(deal)
    result = simulate(deal)
    if result.status is Status.LOOP:
        if arguments.from_end is not None:
            raise CampaignError(
                f"--from-end {arguments.from_end}: deal '{deal}' never ends, expected one that does"
            )
        document = _loop(deal, result, arguments.max_states, arguments.top)
    else:
        document = _finite(
            deal, result, arguments.from_end or FROM_END, arguments.max_states, arguments.top or 10
        )
    if arguments.json:
        write_json(document)
    else:
        _print(document)
    return 0


def _finite(deal: Deal, result: Result, from_end: int, max_states: int, top: int) -> dict[str, Any]:
    tree = tree_above(deal, from_end, max_states=max_states, top=top)
    return _head(deal, result) | {"root": str(tree.root), "from_end": from_end} | _tree(tree, deal.deck)


def _loop(deal: Deal, result: Result, max_states: int, top: int | None) -> dict[str, Any]:
    cycle = Cycle.of(deal)
    return (
        _head(deal, result)
        | {"cycle": cycle.name, "cycle_states": [str(state) for state in cycle.states]}
        | _tree(cycle.basin(max_states=max_states, top=top), deal.deck)
    )


def _head(deal: Deal, result: Result) -> dict[str, Any]:
    fields = result.as_dict()
    del fields["reason"], fields["kernel"]
    return {"deal": str(deal), "deck": str(deal.deck), **fields}


def _tree(tree: Tree, deck: Deck) -> dict[str, Any]:
    return {
        "states": tree.states,
        "balanced": tree.balanced,
        "truncated": tree.truncated,
        "by_cards": [_found(found, deck) for found in tree.by_cards],
        "by_tricks": [_found(found, deck) for found in tree.by_tricks],
        "depths": tree.depths.tolist(),
    }


def _found(found: Ancestor, deck: Deck) -> dict[str, Any]:
    return {
        "rank": rank_text(deck.rank(found.deal)),
        "deal": str(found.deal),
        "cards": found.cards,
        "tricks": found.tricks,
    }


def _print(document: dict[str, Any]) -> None:
    looping = document["status"] == Status.LOOP
    if looping:
        _line("cycle", document["cycle"])
        _line(
            "length",
            f"{counted(document['cycle_cards'], 'card')}, {counted(document['cycle_tricks'], 'trick')}, "
            f"{counted(len(document['cycle_states']), 'state')} seen from the leader",
        )
    else:
        _line("root", document["root"])
        _line("to go", f"{document['from_end']:,} of {counted(document['tricks'], 'trick')}")
    _line("states", f"{document['states']:,}" + (" or more: the limit is reached" * document["truncated"]))
    _line("balanced", f"{document['balanced']:,}")
    lists = [("by_cards", "longest by cards"), ("by_tricks", "longest by tricks")]
    for name, title in lists[:1] if looping else lists:
        print(f"\n{'deals that fall into it' if looping else title}")
        for found in document[name]:
            print_game(found["cards"], found["tricks"], found["deal"])
        if not document[name]:
            print("   none")
    print(f"\n{'tricks to the cycle' if looping else 'tricks back':>19}  states")
    _print_histogram(document["depths"])


def _line(label: str, text: str) -> None:
    print_hanging(f"{label:<10}", text)


def _print_histogram(depths: list[int]) -> None:
    step = -(-len(depths) // HISTOGRAM_LINES)
    sums = [sum(depths[start : start + step]) for start in range(0, len(depths), step)]
    most, bar = max(sums), bar_room(BAR, beside=31)
    for place, number in enumerate(sums):
        first, last = place * step, min((place + 1) * step, len(depths)) - 1
        label = f"{first:,}" if first == last else f"{first:,} to {last:,}"
        print(f"{label:>19}  {number:>9,} {'#' * round(bar * number / most)}".rstrip())
