"""What may be asked of a new campaign: the options of strategies, and a request that is made of them."""

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

    It is declared once: the command line makes an option of it, and `search.hunt` takes it by its name.

    Parameters
    ----------
    name : str
        Name of the setting.
    help : str
        What it means, and its default.
    metavar : str, optional
        What stands for the value in the help.
    read : callable, optional
        Makes the setting of what is written on the command line; may raise a CamiciaError.
    choices : sequence of str, optional
        The values there are, if these are few.
    flag : str, optional
        The option on the command line (default: made of the name).
    alternative_to : str, optional
        Name of an option declared before it; only one of the two may be given.
    may_differ : bool, optional
        Whether ledgers may be merged whose campaigns differ in it.
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
    """What was asked of a new campaign; None where nothing was.

    Parameters
    ----------
    deck : Deck
        What is to be dealt.
    seed, unit_size, finds_kept : int, optional
        Parts of the identity.
    settings : mapping
        The strategy's own settings that were given.
    deals : int, optional
        Deals the first run is to play.
    seconds : float, optional
        Time the first run is to take.
    workers : int
        Workers it will have.
    earlier_loops : callable, optional
        Returns deals or states that fall into the loops of an earlier campaign, those to begin with first.
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
    """The option on the command line for a name.

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
    """The seed that was asked for, or a random one."""
    return secrets.randbits(64) if request.seed is None else request.seed


def finds_kept(request: Request) -> int:
    """The number of finds to keep that was asked for, or the usual one."""
    return FINDS_KEPT if request.finds_kept is None else request.finds_kept
