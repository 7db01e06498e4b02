"""`camicia search`: hunt for long games on all processors, until stopped."""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

from camicia.cards import STANDARD
from camicia.deals.ranks import rank_text
from camicia.kernels.dispatch import default_kernel
from camicia.results import counted
from search.campaign import MOST_DEALS, Campaign
from search.cli_support import arguments as kinds
from search.cli_support.output import tell
from search.cli_support.progress import Display
from search.cli_support.resuming import opened, request_of, same_again
from search.cli_support.summary_lines import print_summary
from search.driver import WHOLE, Ending, Hunt
from search.errors import CampaignError
from search.ledger import BACKUP_SECONDS, Entry, Ledger, StoredFind
from search.report import LongestKnown, find_document, summary
from search.strategies import DEFAULT_STRATEGY, STRATEGIES
from search.strategies.enumerate import ranks_of, seconds_needed
from search.workers import HANG_FACTOR, HANG_SECONDS, ClusterExecutor, LocalPool, StopSignals, usable_cpus

NAME = "search"

#: Marks a command line that names no strategy: a ledger that is there may be of any.
UNNAMED = "--unnamed"

#: Exit code of a hunt that ended with units set aside.
FAILURE = 1

#: Exit code of a hunt that was interrupted, after a clean commit.
INTERRUPTED = 130

#: Cores that `--dry-run` tells the time for, besides those of this machine.
MANY_CORES = 1000

#: Seconds that commands of the user's have left when the hunt is over.
PATIENCE = 10.0

DESCRIPTION = f"""\
Hunts for the longest games of a deck on all processors it may use, until stopped (Ctrl-C), and keeps all
it has found in a ledger. The same command goes on where it stopped. Without the name of a strategy it
is `{DEFAULT_STRATEGY}`; `camicia search STRATEGY --help` tells what else each understands.

examples:
  camicia search                             until Ctrl-C, the standard deck
  camicia search --for 10m                   for ten minutes
  camicia search {DEFAULT_STRATEGY} --deck italian --deals 1e9
                                             until the campaign has 1,000,000,000 deals
  camicia search sample --seed 7 --unit-size 1e6 --shard 2/3
                                             the second of three machines' part of one campaign
  camicia search --on-record 'echo "$CAMICIA_DEAL" | mail -s "$CAMICIA_CARDS cards" me@example.org'
"""


def add_parser(subparsers: Any) -> None:
    """Add the command's parser."""
    parser = subparsers.add_parser(NAME, help="hunt for long games", description=DESCRIPTION)
    strategies = parser.add_subparsers(
        title="strategies", dest="strategy", metavar="STRATEGY", parser_class=kinds.Parser
    )
    common = _common_options()
    for strategy in STRATEGIES.values():
        one = strategies.add_parser(
            strategy.name, help=strategy.summary, description=strategy.description, parents=[common]
        )
        strategy.add_arguments(one)


def with_strategy(argv: list[str]) -> list[str]:
    """Name the strategy where the words of a command line leave it out.

    Examples
    --------
    >>> with_strategy(["search", "--for", "10m"]) == ["search", DEFAULT_STRATEGY, UNNAMED, "--for", "10m"]
    True
    """
    if argv[:1] != [NAME] or argv[1:2] in (["-h"], ["--help"]):
        return argv
    if argv[1:] and not argv[1].startswith("-"):
        return argv
    return [NAME, DEFAULT_STRATEGY, UNNAMED, *argv[1:]]


def _common_options() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    campaign = common.add_argument_group(
        "the campaign", "fixed when its ledger is made; they may be left out to go on with it"
    )
    campaign.add_argument(
        "--deck",
        type=kinds.deck,
        help="numbers:J:Q:K:A of up to 256 cards, or standard (the usual one) or italian",
    )
    campaign.add_argument("--seed", type=kinds.seed, help="seed of the random stream; random unless given")
    campaign.add_argument(
        "--unit-size",
        type=kinds.count_up_to(MOST_DEALS),
        metavar="N",
        help="deals in a unit of work, rounded up to whole shuffles; some seconds' worth unless given",
    )
    campaign.add_argument(
        "--keep", type=kinds.count_or_none, metavar="N", help="finds kept of each list; 100 unless given"
    )
    run = common.add_argument_group("this run")
    run.add_argument(
        "--ledger",
        type=Path,
        metavar="FILE",
        help="where all is kept; named after strategy and deck, in the current directory, unless given",
    )
    run.add_argument(
        "--for",
        dest="seconds",
        type=kinds.duration,
        metavar="TIME",
        help="how long to hunt, such as 90s, 10m or 1h30m; units that have begun are finished",
    )
    run.add_argument(
        "--deals",
        type=kinds.count,
        metavar="N",
        help="deals the campaign is to have in all, rounded up to whole units; may be raised later",
    )
    run.add_argument(
        "--shard", type=kinds.shard, metavar="I/N", help="do only the I-th of N parts of the units"
    )
    run.add_argument(
        "--workers", type=kinds.workers, metavar="N", help="processes; one a usable processor unless given"
    )
    run.add_argument(
        "--dask",
        type=kinds.scheduler,
        metavar="ADDRESS",
        help="do the units on the Dask cluster whose scheduler is there, such as tcp://10.0.0.1:8786",
    )
    run.add_argument(
        "--hang-after",
        type=kinds.duration,
        default=HANG_SECONDS,
        metavar="TIME",
        help="give up a unit that takes longer than this and than "
        f"{HANG_FACTOR:.0f} times the usual, and run it again; 1m unless given",
    )
    run.add_argument(
        "--backup-every",
        type=kinds.duration,
        default=BACKUP_SECONDS,
        metavar="TIME",
        help="time between two backups of the ledger; 10m unless given",
    )
    run.add_argument(
        "--on-record",
        metavar="CMD",
        help="run this in a shell, with CAMICIA_DEAL, CAMICIA_DECK, CAMICIA_CARDS and CAMICIA_TRICKS set, "
        "for each find longer than the longest known",
    )
    run.add_argument(UNNAMED, action="store_true", help=argparse.SUPPRESS)
    run.add_argument("--quiet", action="store_true", help="no progress on stderr")
    kinds.add_json(run)
    return common


def run(arguments: argparse.Namespace) -> int:
    """Hunt."""
    if getattr(arguments, "dry_run", False):
        return _tell_time(arguments)
    document, code = hunt(arguments)
    if arguments.json:
        kinds.write_json(document)
    else:
        print_summary(document)
    return code


def hunt(arguments: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """Hunt, and return what the ledger has come to and the exit code."""
    strategy = STRATEGIES[arguments.strategy]
    path = arguments.ledger or Path(f"{strategy.name}-{arguments.deck or STANDARD}.db".replace(":", "-"))
    workers = arguments.workers or usable_cpus()
    # Signals are noted from here on, so that whatever is begun is also ended.
    with StopSignals() as signals:
        ledger, entry = opened(arguments, strategy, path, workers)
        with ledger:
            ending, seconds, deals, workers = _hunt(arguments, ledger, entry, workers, signals)
            document = summary(ledger)
    document["run"] = {
        "ending": str(ending),
        "seconds": seconds,
        "deals": str(deals),
        "deals_per_second": deals / seconds if seconds else None,
        "workers": workers,
        "host": platform.node(),
    }
    if ending is Ending.INTERRUPTED:
        again = same_again(arguments, entry, path, len(document["campaigns"]))
        tell(f"Interrupted; all that was done is in {path}. To go on: {again}")
        return document, INTERRUPTED
    if ending is Ending.TIME and not deals:
        tell(
            f"No unit of {entry.campaign.unit_size:,} deals was done in {kinds.duration_text(seconds)}: "
            "give it more time, or begin another ledger with a smaller --unit-size"
        )
    aside = [unit for campaign in document["campaigns"] for unit in campaign["set_aside"]]
    if aside and ending is Ending.COMPLETE:
        tell(
            f"Incomplete: {counted(len(aside), 'unit')} set aside after failing again and again "
            f"({', '.join(str(unit['unit']) for unit in aside[:5])}); the same command tries again"
        )
        return document, FAILURE
    return document, 0


def _tell_time(arguments: argparse.Namespace) -> int:
    """Print how long a complete search would take, and do nothing."""
    strategy = STRATEGIES[arguments.strategy]
    workers = arguments.workers or usable_cpus()
    campaign = strategy.plan(request_of(arguments, strategy, workers))
    document = projection(campaign, workers)
    if arguments.json:
        kinds.write_json(document)
        return 0
    print(f"deck {document['deck']}, ranks {document['from']} to {document['to']}")
    rate = kinds.rate_text(document["deals_per_core_second"])
    print(f"{int(document['deals']):,} deals, {rate} on one core")
    print(f"on this machine, {counted(workers, 'worker')}: {kinds.duration_text(document['seconds'])}")
    print(f"on {MANY_CORES:,} such cores: {kinds.duration_text(document['seconds_on_1000_cores'])}")
    return 0


def projection(campaign: Campaign, workers: int) -> dict[str, Any]:
    """How long a complete search would take, under the field names of JSON."""
    ranks = ranks_of(campaign)
    seconds = seconds_needed(campaign)
    return {
        "deck": str(campaign.deck),
        "from": rank_text(ranks.start),
        "to": rank_text(ranks.stop),
        "deals": rank_text(ranks.size),
        "kernel": default_kernel(),
        "deals_per_core_second": ranks.size / seconds,
        "workers": workers,
        "seconds": seconds / workers,
        "seconds_on_1000_cores": seconds / MANY_CORES,
    }


def _hunt(
    arguments: argparse.Namespace, ledger: Ledger, entry: Entry, workers: int, signals: StopSignals
) -> tuple[Ending, float, int, int]:
    campaign = entry.campaign
    known = LongestKnown(campaign.deck)
    helpers: list[subprocess.Popen[bytes]] = []
    pool = _executor(arguments, ledger, entry, workers, signals)
    try:
        with Display(f"{campaign.strategy} {campaign.deck}", arguments.quiet) as display:

            def on_finds(finds: list[StoredFind]) -> None:
                lengths = str(known)
                for find in known.broken_by(finds):
                    display.announce(_record_text(entry, find, lengths))
                    if arguments.on_record:
                        helpers.append(_start(arguments.on_record, entry, find))

            hunt = Hunt(
                ledger,
                entry,
                pool,
                pool.slots,
                deals=arguments.deals,
                seconds=arguments.seconds,
                shard=arguments.shard or WHOLE,
                stop=signals.requested,
                on_progress=display.update,
                on_finds=on_finds,
                on_trouble=display.announce,
            )
            workers = pool.slots()
            ending = hunt.run()
    finally:
        pool.kill()
        for helper in helpers:
            _end(helper)
    return ending, hunt.lasted, hunt.run_deals, workers


def _executor(
    arguments: argparse.Namespace, ledger: Ledger, entry: Entry, workers: int, signals: StopSignals
) -> LocalPool | ClusterExecutor:
    """What does the units: processes here, or a cluster."""
    if getattr(arguments, "dask", None):
        return ClusterExecutor(arguments.dask, stop=signals.requested)
    totals = ledger.totals(entry)
    return LocalPool(
        workers,
        hang_seconds=getattr(arguments, "hang_after", HANG_SECONDS),
        usual=totals.mean_seconds,
    )


def _record_text(entry: Entry, find: StoredFind, known: str) -> str:
    stars = "*" * 20
    return (
        f"{stars} LONGER THAN ANY KNOWN {stars}\n"
        f"{counted(find.result.cards, 'card')}, {counted(find.result.tricks, 'trick')}, "
        f"deck {entry.campaign.deck} (longest known: {known})\n{find.deal}"
    )


def _end(helper: subprocess.Popen[bytes]) -> None:
    """Wait until a command of the user's is done, but not for ever."""
    try:
        helper.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        helper.kill()
        helper.wait()


def _start(command: str, entry: Entry, find: StoredFind) -> subprocess.Popen[bytes]:
    """Run a command of the user's beside the hunt; what it prints goes to stderr."""
    environment = os.environ | {
        f"CAMICIA_{name.upper()}": str(find_document(entry, find)[name])
        for name in ("deal", "deck", "cards", "tricks")
    }
    try:
        return subprocess.Popen(
            command, shell=True, env=environment, stdin=subprocess.DEVNULL, stdout=sys.stderr
        )
    except OSError as error:
        raise CampaignError(f"--on-record {command!r}: cannot be run: {error.strerror}") from None
