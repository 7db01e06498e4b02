"""`camicia unrank`: the deal of a rank."""

from __future__ import annotations

import argparse

from camicia.deals.ranks import parse_bound
from search.cli_support import arguments as kinds
from search.commands.rank import rank_document

NAME = "unrank"

DESCRIPTION = """\
Prints the deal of a rank, from 0 to the number of deals of the deck less one: the inverse of `camicia rank`.

examples:
  camicia unrank standard 0
  camicia unrank 28:4:4:4:0 106954227391669
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument(
        "deck", type=kinds.deck, metavar="DECK", help="numbers:J:Q:K:A, or standard or italian"
    )
    parser.add_argument(
        "rank", type=kinds.checked(parse_bound), metavar="RANK", help="a whole number from 0 up"
    )
    kinds.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the deal."""
    deal = arguments.deck.unrank(arguments.rank)
    if arguments.json:
        kinds.write_json(rank_document(deal))
    else:
        print(deal)
    return 0
