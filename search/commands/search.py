"""`camicia search`: hunt for long games on all processors, until stopped."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import Any

from camicia.deals.ranks import rank_text
from camicia.kernels.dispatch import KERNELS, chosen_kernel, default_kernel
from camicia.results import counted
from camicia.text import long_time, rate_text
from search.campaign import FINDS_KEPT, MOST_UNIT_SIZE, Campaign
from search.cli_support import arguments as kinds
from search.cli_support import hunt_arguments
from search.cli_support.hunting import command_line, run_hunt
from search.cli_support.summary_lines import print_summary, what_next
from search.ledger import BACKUP_SECONDS
from search.session import Wish
from search.shards import WHOLE
from search.strategies import DEFAULT_STRATEGY, STRATEGIES, Strategy, strategy_named
from search.workers import ABSENCE, HANG_FACTOR, HANG_SECONDS

NAME = "search"

#: Marks a command line that names no strategy: an existing ledger may be of any.
UNNAMED = "--unnamed"

#: Title of the options of a campaign, which help lists first.
CAMPAIGN = "the campaign"

#: Cores for which `--dry-run` estimates the time, besides those of this machine.
MANY_CORES = 1000

DESCRIPTION = f"""\
Hunts for the longest games of a deck on all usable CPUs until you stop it (Ctrl-C), and keeps everything
it finds in a ledger. The same command resumes the hunt. The default strategy is `{DEFAULT_STRATEGY}`, whose
options are listed below; `camicia search STRATEGY --help` lists those of another.

examples:
  camicia search                             until Ctrl-C, the standard deck
  camicia search --for 10m                   for ten minutes
  camicia search {DEFAULT_STRATEGY} --deck italian --deals 1e9
                                             until the campaign has 1,000,000,000 deals
  camicia search sample --seed 7 --unit-size 1e6 --shard 2/3
                                             the second of three machines' part of one campaign
  camicia search --on-record 'echo "$CAMICIA_DEAL" | mail -s "$CAMICIA_CARDS cards" me@example.org'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    strategies = parser.add_subparsers(
        title="strategies", dest="strategy", metavar="STRATEGY", parser_class=kinds.Parser
    )
    for strategy in STRATEGIES.values():
        one = strategies.add_parser(strategy.name, help=strategy.summary, description=strategy.description)
        add_options(one, strategy)
        if strategy.name == DEFAULT_STRATEGY:
            # What stands before the options of its campaigns is about this strategy alone.
            parser.epilog = CAMPAIGN + one.format_help().partition(f"\n{CAMPAIGN}")[2]


def with_strategy(words: list[str]) -> list[str]:
    """Name the strategy where the words after `camicia search` leave it out.

    Examples
    --------
    >>> with_strategy(["--for", "10m"]) == [DEFAULT_STRATEGY, UNNAMED, "--for", "10m"]
    True
    """
    if words[:1] in (["-h"], ["--help"]) or (words and not words[0].startswith("-")):
        return words
    return [DEFAULT_STRATEGY, UNNAMED, *words]


def add_options(parser: argparse.ArgumentParser, strategy: Strategy) -> None:
    """Add the options of a strategy: those of its campaigns, its own, and those of a run."""
    campaign = parser.add_argument_group(
        CAMPAIGN, "fixed when its ledger is made; leave them out to resume it"
    )
    campaign.add_argument(
        "--deck",
        type=kinds.deck,
        help="a name (standard, italian) or numbers:J:Q:K:A of up to 256 cards (default: standard)",
    )
    if strategy.is_seeded:
        campaign.add_argument(
            "--seed", type=kinds.seed, help="seed of the random stream (default: a random one)"
        )
    else:
        campaign.set_defaults(seed=None)
    campaign.add_argument(
        "--unit-size",
        type=kinds.count_up_to(MOST_UNIT_SIZE),
        metavar="N",
        help="deals in a unit of work, rounded up to whole shuffles (default: some seconds' worth; more with "
        "hundreds of workers)",
    )
    if strategy.plays == "edited":
        # A walk lists loops only, all of them.
        campaign.set_defaults(keep=None)
    else:
        campaign.add_argument(
            "--keep",
            type=kinds.count_or_none,
            metavar="N",
            help=f"finds kept of each list (default: {FINDS_KEPT})",
        )
    hunt_arguments.add_settings(parser, strategy)
    run = parser.add_argument_group("this run")
    run.add_argument(
        "--ledger",
        type=Path,
        metavar="FILE",
        help="the file that keeps everything (default: named after strategy and deck, in this directory)",
    )
    run.add_argument(
        "--for",
        dest="seconds",
        type=hunt_arguments.duration,
        metavar="TIME",
        help="how long to hunt, such as 90s, 10m or 1h30m; units that have begun are finished",
    )
    run.add_argument(
        "--deals",
        type=kinds.count,
        metavar="N",
        help="total deals of the campaign, rounded up to whole units; you may raise it later",
    )
    run.add_argument(
        "--shard",
        type=hunt_arguments.shard,
        default=WHOLE,
        metavar="I/N",
        help="do only the I-th of N parts of the units",
    )
    run.add_argument(
        "--workers",
        type=hunt_arguments.workers,
        metavar="N",
        help="processes (default: one per usable CPU); with --dask, workers to choose the unit size for "
        "(default: those that are there)",
    )
    run.add_argument(
        "--kernel",
        choices=KERNELS,
        metavar="NAME",
        help="the kernel to play on, such as avx2 or opencl (default: CAMICIA_KERNEL, else the fastest of "
        "the processor; `camicia info` lists them)",
    )
    run.add_argument(
        "--dask",
        type=hunt_arguments.scheduler,
        metavar="ADDRESS",
        help="run the units on the Dask cluster with this scheduler, such as tcp://10.0.0.1:8786",
    )
    run.add_argument(
        "--reconnect",
        type=hunt_arguments.duration,
        default=ABSENCE,
        metavar="TIME",
        help="how long to wait for a Dask scheduler that is gone; a new one at its address is used "
        "(default: 10m)",
    )
    run.add_argument(
        "--hang-after",
        type=hunt_arguments.duration,
        default=HANG_SECONDS,
        metavar="TIME",
        help=f"give up a unit that takes longer than this and than {HANG_FACTOR:.0f} times the usual, and "
        "run it again (default: 1m)",
    )
    run.add_argument(
        "--backup-every",
        type=hunt_arguments.duration,
        default=BACKUP_SECONDS,
        metavar="TIME",
        help="time between two backups of the ledger (default: 10m)",
    )
    run.add_argument(
        "--on-record",
        metavar="CMD",
        help="run this in a shell, with CAMICIA_DEAL, CAMICIA_DECK, CAMICIA_CARDS and CAMICIA_TRICKS set, "
        "for each find longer than the longest known",
    )
    run.add_argument(
        "--on-best",
        metavar="CMD",
        help="the same for each find longer than any of this ledger before",
    )
    if strategy.can_estimate:
        run.add_argument("--dry-run", action="store_true", help="only estimate how long it would take")
    else:
        run.set_defaults(dry_run=False)
    run.add_argument(UNNAMED, action="store_true", help=argparse.SUPPRESS)
    run.add_argument("--quiet", action="store_true", help="no progress on stderr")
    kinds.add_json(run)


def wish_of(arguments: argparse.Namespace) -> Wish:
    """What a command line asks for."""
    options = {option.name for option in strategy_named(arguments.strategy).options}
    return Wish(
        strategy=None if arguments.unnamed else arguments.strategy,
        deck=arguments.deck,
        seed=arguments.seed,
        unit_size=arguments.unit_size,
        keep=arguments.keep,
        settings={
            name: value for name, value in vars(arguments).items() if name in options and value is not None
        },
        ledger=arguments.ledger,
        deals=arguments.deals,
        seconds=arguments.seconds,
        workers=arguments.workers,
    )


def run(arguments: argparse.Namespace) -> int:
    """Hunt, or estimate how long that would take."""
    wish = wish_of(arguments)
    if arguments.dry_run:
        return _estimate(wish, arguments.json)
    document, code, again = run_hunt(
        wish,
        lambda campaign, campaigns: same_again(arguments, campaign, wish.path, campaigns),
        quiet=arguments.quiet,
        on_record=arguments.on_record,
        on_best=arguments.on_best,
        backup_seconds=arguments.backup_every,
        shard=arguments.shard,
        kernel=chosen_kernel(arguments.kernel),
        dask=arguments.dask,
        reconnect_seconds=arguments.reconnect,
        hang_seconds=arguments.hang_after,
    )
    if arguments.json:
        kinds.write_json(document)
    else:
        print_summary(document, what_next(document, shlex.quote(str(wish.path)), again))
    return code


def same_again(arguments: argparse.Namespace, campaign: Campaign, path: Path, campaigns: int) -> str:
    """The command that resumes a hunt, for a shell."""
    shard, hang, backup = arguments.shard, arguments.hang_after, arguments.backup_every
    return command_line(
        NAME,
        campaign.strategy,
        ledger=path,
        seed=campaign.seed if campaigns > 1 else None,
        deals=arguments.deals,
        shard=None if shard == WHOLE else shard,
        workers=arguments.workers,
        kernel=arguments.kernel,
        dask=arguments.dask,
        reconnect=None if arguments.reconnect == ABSENCE else f"{arguments.reconnect:g}s",
        on_record=arguments.on_record,
        on_best=arguments.on_best,
        hang_after=None if hang == HANG_SECONDS else f"{hang:g}s",
        backup_every=None if backup == BACKUP_SECONDS else f"{backup:g}s",
        quiet=arguments.quiet,
        json=arguments.json,
    )


def _estimate(wish: Wish, as_json: bool) -> int:
    """Print how long a complete search would take, and do nothing."""
    document = estimate(wish)
    if as_json:
        kinds.write_json(document)
        return 0
    print(f"deck {document['deck']}, ranks {document['from']} to {document['to']}")
    rate = rate_text(document["deals_per_core_second"])
    print(f"{int(document['deals']):,} deals, {rate} on one core")
    print(f"on this machine, {counted(document['workers'], 'worker')}: {long_time(document['seconds'])}")
    print(f"on {MANY_CORES:,} such cores: {long_time(document['seconds_on_1000_cores'])}")
    return 0


def estimate(wish: Wish) -> dict[str, Any]:
    """How long a complete search would take, under the field names of JSON.

    Parameters
    ----------
    wish : Wish
        Of a strategy that plays ranks and can estimate its time.
    """
    campaign = wish.plan()
    strategy = strategy_named(campaign.strategy)
    ranks = strategy.ranks(campaign)
    assert ranks is not None
    seconds = strategy.seconds_needed(campaign)
    return {
        "deck": str(campaign.deck),
        "from": rank_text(ranks.start),
        "to": rank_text(ranks.stop),
        "deals": rank_text(ranks.size),
        "kernel": default_kernel(),
        "deals_per_core_second": ranks.size / seconds,
        "workers": wish.slots,
        "seconds": seconds / wish.slots,
        "seconds_on_1000_cores": seconds / MANY_CORES,
    }
