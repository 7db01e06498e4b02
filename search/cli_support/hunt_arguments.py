"""The kinds of arguments that only commands which hunt or check need: times, workers, shards, settings."""

from __future__ import annotations

import argparse
import re

from camicia.checks import shortened
from search.cli_support.arguments import checked, count_up_to
from search.driver import MOST_SECONDS
from search.shards import Shard
from search.strategies import Strategy
from search.workers import MOST_WORKERS, scheduler_address

_DURATION = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s?)?", re.ASCII)

#: Reads a number of worker processes.
workers = count_up_to(MOST_WORKERS)


def duration(text: str) -> float:
    """Read a time such as ``90``, ``90s``, ``10m``, ``1h30m`` or ``2d`` as seconds.

    Examples
    --------
    >>> duration("1h30m"), duration("0.5s")
    (5400.0, 0.5)
    """
    text = text.strip()
    match = _DURATION.fullmatch(text.lower())
    if not match or not any(match.groups()):
        raise argparse.ArgumentTypeError(
            f"time {shortened(text)}: expected one such as 90s, 10m, 1h30m or 2d"
        )
    days, hours, minutes, seconds = (float(part or 0) for part in match.groups())
    total = days * 86400 + hours * 3600 + minutes * 60 + seconds
    if total <= 0:
        raise argparse.ArgumentTypeError(f"time {shortened(text)}: must be longer than zero")
    if total > MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"time {shortened(text)}: expected at most {MOST_SECONDS // 86400}d")
    return total


def scheduler(text: str) -> str:
    """Read the address of a Dask scheduler."""
    return checked(scheduler_address)(text)


def shard(text: str) -> Shard:
    """Read which part of how many, such as ``2/3``.

    Examples
    --------
    >>> shard("2/3")
    Shard(number=2, of=3)
    """
    text = text.strip()
    match = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text, re.ASCII)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise argparse.ArgumentTypeError(f"shard {text!r}: expected I/N with I from 1 to N, such as 2/3")
    return Shard(int(match[1]), int(match[2]))


def add_settings(parser: argparse.ArgumentParser, strategy: Strategy) -> None:
    """Add the options that a strategy declares; the destination of each is the name of its setting."""
    if not strategy.options:
        return
    group = parser.add_argument_group(strategy.name, strategy.options_note)
    alternatives = {option.alternative_to: group.add_mutually_exclusive_group()
                    for option in strategy.options if option.alternative_to}  # fmt: skip
    for option in strategy.options:
        place = alternatives.get(option.name) or alternatives.get(str(option.alternative_to)) or group
        place.add_argument(
            option.flag,
            dest=option.name,
            type=checked(option.read),
            choices=option.choices,
            metavar=option.metavar,
            help=option.help,
        )
