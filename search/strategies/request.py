"""The options of strategies, and the request for a new campaign."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from camicia.cards import STANDARD, Deck
from camicia.kinds import shown
from search.campaign import FINDS_KEPT, MOST_CARDS, Setting
from search.errors import CampaignError


@dataclass(frozen=True)
class Option:
    """A setting that may be given when a campaign is made.

    It is declared once: the command line turns it into an option, and `search.hunt` takes it by name.

    Parameters
    ----------
    name : str
        Name of the setting.
    help : str
        What it means, and its default.
    metavar : str, optional
        Placeholder for the value in the help.
    read : callable, optional
        Converts the text from the command line to the setting; may raise a CamiciaError.
    choices : sequence of str, optional
        The allowed values, if they are few.
    flag : str, optional
        The option on the command line (default: made of the name).
    alternative_to : str, optional
        Name of an option declared earlier; only one of the two may be given.
    may_differ : bool, optional
        Whether ledgers whose campaigns differ in it may be merged.
    """

    name: str
    help: str
    metavar: str | None = None
    read: Callable[[str], Setting] = str
    choices: Sequence[str] | None = None
    flag: str = ""
    alternative_to: str | None = None
    may_differ: bool = False

    def __post_init__(self) -> None:
        if not self.flag:
            object.__setattr__(self, "flag", flag_of(self.name))


@dataclass(frozen=True)
class Request:
    """The request for a new campaign; None stands for what was not given.

    Parameters
    ----------
    deck : Deck
        The deck to deal from.
    seed, unit_size, finds_kept : int, optional
        Fields of the identity.
    settings : mapping
        The strategy's own settings that were given.
    deals : int, optional
        Deals that the first run should play.
    seconds : float, optional
        Time that the first run should take.
    workers : int
        Number of workers it will have.
    earlier_loops : callable, optional
        Returns deals or states that fall into the loops of an earlier campaign, the best to start from first.
    """

    deck: Deck = STANDARD
    seed: int | None = None
    unit_size: int | None = None
    finds_kept: int | None = None
    settings: Mapping[str, Setting] = field(default_factory=dict)
    deals: int | None = None
    seconds: float | None = None
    workers: int = 1
    earlier_loops: Callable[[], Sequence[str]] = tuple

    def __post_init__(self) -> None:
        if self.deck.size > MOST_CARDS:
            raise CampaignError(
                f"deck {self.deck}: has {self.deck.size:,} cards; hunts take decks of up to {MOST_CARDS}, "
                "`camicia play` plays larger ones"
            )


def flag_of(name: str) -> str:
    """Return the command-line option for a name.

    Examples
    --------
    >>> flag_of("longest_cycle")
    '--longest-cycle'
    """
    return "--" + name.replace("_", "-")


def whole_number(text: str) -> int:
    """Read a whole number from the command line; the strategy checks its size.

    Raises
    ------
    CampaignError
        If it is not one.

    Examples
    --------
    >>> whole_number("300"), whole_number("-1")
    (300, -1)
    """
    if not re.fullmatch(r"\s*-?\d{1,30}\s*", text, re.ASCII):
        raise CampaignError(f"number {shown(text)}: expected a whole number")
    return int(text)


def new_seed(request: Request) -> int:
    """The seed that was given, or a random one."""
    return secrets.randbits(64) if request.seed is None else request.seed


def finds_kept(request: Request) -> int:
    """The number of finds to keep that was given, or the default."""
    return FINDS_KEPT if request.finds_kept is None else request.finds_kept
