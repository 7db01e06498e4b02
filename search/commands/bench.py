"""`camicia bench`: how fast every kernel of this machine plays, and the signature."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

from camicia import bench
from camicia.cards import STANDARD
from camicia.kernels.dispatch import available_kernels
from camicia.text import rate_text
from search.campaign import Campaign
from search.cli_support.arguments import add_json, count_up_to, write_json
from search.driver import Hunt
from search.errors import VerificationError
from search.ledger import Ledger
from search.workers import run_unit

NAME = "bench"

DESCRIPTION = """\
Times three things on every kernel that this machine can run, each on one thread and by turns with the
yardstick (the simulation everyone writes first):

  kernel alone    2,048 frozen deals of 52 cards that were prepared in the kernel's own form
  simulate_many   the same deals from an array of card codes, with checks and results
  hunt            `search sample` with one worker, in this process and a ledger of its own: dealing, playing,
                  counting, replaying finds and committing; not timed on the reference

It prints deals per second by the clock and per second of processor time, which a busy machine distorts less;
the ratio to the yardstick is by processor time. The signature is a hash of the results of the frozen deals:
the same on every kernel and machine.

examples:
  camicia bench
  camicia bench --rounds 20 --json
"""

#: Deals by which the rate of a hunt is estimated; whole shuffles, as those of its unit.
FEW_DEALS, SHUFFLE = 124_800, 1_248

#: Seconds of a unit of the hunt: a fraction of a usual one's, so that what a unit costs by itself counts more
#: here than in a long hunt.
UNIT_SECONDS = 0.3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument(
        "--rounds",
        type=count_up_to(bench.MOST_ROUNDS),
        default=5,
        metavar="N",
        help=f"timings of each, 1 to {bench.MOST_ROUNDS:,} (default: 5)",
    )
    add_json(parser)


@contextmanager
def hunt(kernel: str) -> Iterator[bench.Work]:
    """A hunt on a kernel as work for the bench: each call does the next unit of one campaign."""
    # One find is kept by each length. A usual ledger keeps a hundred, all new in the first units: to replay
    # them would take longer than to play all deals, which is so in a hunt's first seconds only.
    few = Campaign("sample", STANDARD, seed=1, unit_size=FEW_DEALS, finds_kept=1)
    started = time.perf_counter()
    run_unit(few, 0, kernel)
    shuffles = UNIT_SECONDS * FEW_DEALS / (time.perf_counter() - started) / SHUFFLE
    campaign = Campaign("sample", STANDARD, seed=1, unit_size=max(1, round(shuffles)) * SHUFFLE, finds_kept=1)
    with (
        tempfile.TemporaryDirectory() as folder,
        ThreadPoolExecutor(1) as pool,
        Ledger(Path(folder, "bench.db"), "create") as ledger,
    ):
        entry = ledger.enter(campaign)

        def play() -> None:
            deals = ledger.totals(entry).games + campaign.unit_size
            Hunt(ledger, entry, pool, lambda: 1, deals=deals, kernel=kernel).run()

        yield bench.Work("hunt", kernel, campaign.unit_size, play)


def run(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    names = available_kernels()
    signatures = {name: bench.signature(name) for name in names}
    with ExitStack() as stack:
        hunts = [stack.enter_context(hunt(name)) for name in names if name != "reference"]
        timings, yardstick = bench.measure(arguments.rounds, [*bench.works(), *hunts])
    if arguments.json:
        write_json(
            {
                "timings": [timing._asdict() for timing in timings],
                "yardstick": {
                    "deals_per_s": yardstick.deals_per_s,
                    "deals_per_cpu_s": yardstick.deals_per_cpu_s,
                },
                "signature": signatures["reference"],
            }
        )
    else:
        print_timings(timings, yardstick)
        print(f"signature: {signatures['reference']}")
    if odd := {name: text for name, text in signatures.items() if text != signatures["reference"]}:
        raise VerificationError(f"signatures that differ from the reference's: {odd}")
    return 0


def print_timings(timings: list[bench.Timing], yardstick: bench.Timing) -> None:
    """Print the table for people."""
    print(f"{'deals of 52 cards':<25} {'by the clock':>12} {'per CPU second':>14} {'x yardstick':>11} spread")
    for timing in (yardstick, *timings):
        print(
            f"{timing.what:<14} {timing.kernel:<10} {rate_text(timing.deals_per_s):>12} "
            f"{rate_text(timing.deals_per_cpu_s):>14} {timing.ratio:>11.3g} {timing.spread:>6.0%}"
        )
