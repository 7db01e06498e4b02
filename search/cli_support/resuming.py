"""Which campaign a command line begins or resumes, and the command line that resumes it again."""

from __future__ import annotations

import argparse
import os
import shlex
from functools import partial
from pathlib import Path
from typing import Any

from camicia.cards import STANDARD
from search.ledger import BACKUP_SECONDS, Entry, Ledger, check_new, chosen_campaign, loops_in
from search.strategies import Request, Strategy, strategy_named
from search.strategies.base import whole_groups
from search.workers import HANG_SECONDS


def _settings(arguments: argparse.Namespace, strategy: Strategy) -> dict[str, Any]:
    return {name: value for name in strategy.setting_names if (value := getattr(arguments, name)) is not None}


def request_of(arguments: argparse.Namespace, strategy: Strategy, workers: int) -> Request:
    """What a command line asks of a new campaign."""
    deck, settings = arguments.deck or STANDARD, _settings(arguments, strategy)
    # Read only where a campaign is planned: when it is resumed the earlier ledger need not be there.
    earlier = partial(loops_in, settings["from_ledger"], deck) if "from_ledger" in settings else tuple
    return Request(
        deck=deck,
        seed=arguments.seed,
        unit_size=arguments.unit_size,
        finds_kept=arguments.keep,
        settings=settings,
        deals=arguments.deals,
        seconds=arguments.seconds,
        workers=workers,
        earlier_loops=earlier,
    )


def opened(
    arguments: argparse.Namespace, strategy: Strategy, path: Path, workers: int
) -> tuple[Ledger, Entry]:
    """Open the ledger with its campaign, or make both."""
    request = request_of(arguments, strategy, workers)
    backup_seconds = getattr(arguments, "backup_every", BACKUP_SECONDS)
    if not os.path.exists(path):
        check_new(path)
        # Nothing is made before it is known what for.
        campaign = strategy.plan(request)
        ledger = Ledger(path, "create", backup_seconds=backup_seconds)
        return ledger, ledger.enter(campaign)
    ledger = Ledger(path, "create", backup_seconds=backup_seconds)
    try:
        entry = chosen_campaign(ledger, _given(arguments, strategy, ledger.campaigns()))
        return ledger, entry or ledger.enter(strategy.plan(request))
    except BaseException:
        ledger.close()
        raise


def _given(arguments: argparse.Namespace, strategy: Strategy, entries: list[Entry]) -> dict[str, Any]:
    """The fields of the identity that were given; what was not is as the ledger has it."""
    given: dict[str, Any] = {
        "strategy": None if getattr(arguments, "unnamed", False) else strategy.name,
        "deck": arguments.deck,
        "seed": arguments.seed,
        "finds_kept": arguments.keep,
        **_settings(arguments, strategy),
    }
    if arguments.unit_size is not None and entries:
        campaign = entries[0].campaign
        group = strategy_named(campaign.strategy).group(campaign.deck)
        given["unit_size"] = whole_groups(arguments.unit_size, group)
    return {name: value for name, value in given.items() if value is not None}


def same_again(arguments: argparse.Namespace, entry: Entry, path: Path, campaigns: int) -> str:
    """The command that goes on with a hunt, for a shell."""
    options: dict[str, object] = {"ledger": path}
    if campaigns > 1:
        options["seed"] = entry.campaign.seed
    for name in ("deals", "shard", "workers", "dask", "on_record"):
        options[name] = getattr(arguments, name, None)
    for name, usual in (("hang_after", HANG_SECONDS), ("backup_every", BACKUP_SECONDS)):
        seconds = getattr(arguments, name, usual)
        options[name] = None if seconds == usual else f"{seconds:g}s"
    words = ["camicia", "search", entry.campaign.strategy]
    for name, value in options.items():
        if value is not None:
            option = "--" + name.replace("_", "-")
            words += [f"{option}={value}"] if str(value).startswith("-") else [option, str(value)]
    return shlex.join(words + [f"--{name}" for name in ("quiet", "json") if getattr(arguments, name, False)])
