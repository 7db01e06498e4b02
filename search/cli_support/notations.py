"""How the deals that a command reads are written: detected from the text, or named by options."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from camicia.cards import Deal
from camicia.errors import DealError
from camicia.notation import read_deal, read_deals
from camicia.notation.reading import DEALS


@dataclass(frozen=True)
class Written:
    """How deals are written; what is None or False is detected from the text.

    Parameters
    ----------
    notation, deal, bottom_first
        As for `camicia.notation.read_deal`.
    """

    notation: str | None = None
    deal: str | None = None
    bottom_first: bool | str = False

    @property
    def is_named(self) -> bool:
        """Whether anything about it was said."""
        return self != Written()

    def read(self, text: str) -> Deal:
        """Read a deal.

        Raises
        ------
        DealError
            If the text is no deal, or may be several.

        Examples
        --------
        >>> str(Written().read("2S JH | 10D QC")), str(Written(deal="alternately").read("J-Q-"))
        ('-J/-Q', 'JQ/--')
        """
        return read_deal(text, **self._options())

    def read_lines(self, lines: Iterable[str]) -> Iterator[tuple[int, Deal | DealError]]:
        """Read the deals of a file, each with the number of its first line."""
        return read_deals(lines, **self._options())

    def _options(self) -> dict[str, Any]:
        return {"notation": self.notation, "deal": self.deal, "bottom_first": self.bottom_first}


#: As the text tells.
AS_TOLD = Written()


def add_notation(parser: argparse.ArgumentParser, *further: str) -> None:
    """Add the options that say how deals are written; `further` are other names of `--notation`."""
    group = parser.add_argument_group("how deals are written", "detected from the text where that is certain")
    group.add_argument(
        "--notation",
        *further,
        dest="notation",
        metavar="NAME",
        help="a name of `camicia convert --list`, or one for the cards and one for the hands, as in "
        "digits+bar",
    )
    group.add_argument(
        "--deal",
        dest="dealt",
        choices=tuple(DEALS),
        help="how one deck is dealt: A gets the first half, or A and B get a card each in turn",
    )
    order = group.add_mutually_exclusive_group()
    order.add_argument(
        "--bottom-first",
        action="store_const",
        const=True,
        default=False,
        help="each hand is written bottom card first; of one deck, each hand after the deal",
    )
    order.add_argument(
        "--deck-bottom-first",
        dest="bottom_first",
        action="store_const",
        const="deck",
        help="the deck is written bottom card first",
    )


def written_as(arguments: argparse.Namespace) -> Written:
    """What the options of `add_notation` say."""
    return Written(arguments.notation, arguments.dealt, arguments.bottom_first)
