"""`camicia improve`: climb from deals that people already have to longer ones."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from camicia.ancestry.ancestors import MAX_STATES, Ancestor
from camicia.ancestry.improving import Improvement, finite_deal, improve
from camicia.deals.ranks import rank_text
from camicia.results import counted
from camicia.rules import play
from search.cli_support.arguments import add_json, count, write_json_of
from search.cli_support.reading import FORMS, DealReader, add_keep_going
from search.cli_support.tables import print_game
from search.errors import VerificationError

NAME = "improve"

DESCRIPTION = f"""\
Climbs from each deal through all ancestors of the last state of its game, and prints the longest balanced
deals among them: climbing again from those reaches nothing longer. Every deal printed has been replayed by
the rules.
{FORMS}
examples:
  camicia improve ---JQ---K-A----A-J-K---QK-/-J-----------AJQA----K---Q
  camicia improve - < deals.txt
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument(
        "deals",
        nargs="*",
        default=["-"],
        metavar="DEAL",
        help="a deal, or - to read deals from standard input (the default)",
    )
    parser.add_argument(
        "--max-states",
        type=count,
        default=MAX_STATES,
        metavar="N",
        help=f"the most states to count in a tree (default: {MAX_STATES:,})",
    )
    add_keep_going(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Climb from each deal, and print what was found."""

    def improved(text: str) -> Improvement:
        found = improve(finite_deal(text), max_states=arguments.max_states)
        for ancestor in {found.by_cards, found.by_tricks}:
            _check(ancestor)
        return found

    reader = DealReader(improved, arguments.keep_going)
    improvements = reader.of_words(arguments.deals)
    if arguments.json:
        write_json_of(map(_document, improvements), "improvements")
    else:
        for found in improvements:
            _print(found)
            sys.stdout.flush()
    return reader.code


def _check(found: Ancestor) -> None:
    result = play(found.deal)
    if (result.cards, result.tricks) != (found.cards, found.tricks):
        raise VerificationError(
            f"deal '{found.deal}': walked as {found.cards} cards, {found.tricks} tricks, but by the rules "
            f"it has {result.cards} and {result.tricks}"
        )


def _document(found: Improvement) -> dict[str, Any]:
    return {
        "deal": str(found.deal),
        "deck": str(found.deal.deck),
        "cards": found.result.cards,
        "tricks": found.result.tricks,
        "improved": found.improved,
        "by_cards": _found(found.by_cards),
        "by_tricks": _found(found.by_tricks),
        "trees": found.trees,
        "states": found.states,
        "truncated": found.truncated,
    }


def _found(found: Ancestor) -> dict[str, Any]:
    is_ranked = len(found.deal.hand_a) == found.deal.deck.cut
    rank = rank_text(found.deal.deck.rank(found.deal)) if is_ranked else None
    return {"rank": rank, "deal": str(found.deal), "cards": found.cards, "tricks": found.tricks}


def _print(found: Improvement) -> None:
    print_game(found.result.cards, found.result.tricks, str(found.deal))
    longer = [found.by_cards] if found.by_cards.cards > found.result.cards else []
    if found.by_tricks.tricks > max([found.result.tricks, *(one.tricks for one in longer)]):
        longer.append(found.by_tricks)
    for one in longer:
        print_game(one.cards, one.tricks, f"{one.deal}  longer")
    if not longer:
        limit = " below the limit" if found.truncated else ""
        print(f"{'':>15}  nothing longer{limit} in {counted(found.states, 'state')}")
