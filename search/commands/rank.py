"""`camicia rank`: the place of a deal among all deals of its deck."""

from __future__ import annotations

import argparse

from camicia.cards import Deal
from camicia.deals.ranks import rank_text
from search.cli_support.arguments import add_json, write_json_of
from search.cli_support.notations import add_notation, written_as
from search.cli_support.reading import DealReader, add_keep_going, is_single

NAME = "rank"

DESCRIPTION = """\
Prints the rank of a deal: its place, from 0, among all deals of its deck in the lexicographic order of hand A
followed by hand B, number card < J < Q < K < A. The deal must be cut in the middle; of an odd number of
cards hand A has the smaller half. A lone - reads deals from standard input, one a line. `camicia unrank`
is the inverse.

examples:
  camicia rank ---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---
  camicia rank "-JK--QKK-QQ---K--J--/------J-----------QJ" --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("deals", nargs="+", metavar="DEAL", help="a deal, or - to read deals, one a line")
    add_notation(parser)
    add_keep_going(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the rank of every deal."""
    reader = DealReader(rank_document, arguments.keep_going, written_as(arguments))
    documents = reader.of_words(arguments.deals)
    if arguments.json:
        # One deal on the command line is one document; otherwise there is a list, be it of one.
        write_json_of(documents, None if is_single(arguments.deals) else "deals")
    else:
        for document in documents:
            print(document["rank"], flush=True)
    return reader.code


def rank_document(deal: Deal) -> dict[str, str]:
    """Describe a deal and its rank under the field names of JSON; all are strings.

    Raises
    ------
    DealError
        If the deal is not cut in the middle.
    """
    deck = deal.deck
    return {
        "deal": str(deal),
        "deck": str(deck),
        "rank": rank_text(deck.rank(deal)),
        "deal_count": rank_text(deck.deal_count),
    }
