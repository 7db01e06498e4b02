"""`camicia verify`: do units of a ledger again on another kernel, and replay its finds."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from camicia.results import counted
from search.commands import arguments as kinds
from search.commands.output import tell
from search.cpus import usable_cpus
from search.errors import VerificationError
from search.executors import LocalPool
from search.ledger import Ledger
from search.signals import StopSignals
from search.verify import read_check, run_check

NAME = "verify"

#: Exit code of a check that was interrupted.
INTERRUPTED = 130

#: How much of the units is done again unless told: it costs a hundredth of the hunt.
FRACTION = 0.01

DESCRIPTION = f"""\
Does units of a ledger again, chosen at random, on another kernel than they were done on where this machine
has one, and replays every find by the rules in plain Python. Exit code 3 says that something does not agree:
each line names the unit. A hundredth of the units unless told otherwise ({FRACTION}).

examples:
  camicia verify climb-36-4-4-4-4.db
  camicia verify climb-36-4-4-4-4.db --fraction 1
"""


def add_parser(subparsers: Any) -> None:
    """Add the command's parser."""
    parser = subparsers.add_parser(NAME, help="check what a ledger holds", description=DESCRIPTION)
    parser.add_argument("ledger", type=Path, metavar="LEDGER", help="the file that `camicia search` made")
    parser.add_argument(
        "--fraction",
        type=_fraction,
        default=FRACTION,
        metavar="F",
        help=f"how much of the units to do again, more than 0 to 1; {FRACTION} unless given",
    )
    parser.add_argument(
        "--workers", type=kinds.workers, metavar="N", help="processes; one a usable processor unless given"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    kinds.add_json(parser)


def _fraction(text: str) -> float:
    try:
        fraction = float(text)
    except ValueError:
        fraction = 0.0
    if not 0 < fraction <= 1:
        raise argparse.ArgumentTypeError(f"fraction {text!r}: expected a number above 0, up to 1, as in 0.01")
    return fraction


def run(arguments: argparse.Namespace) -> int:
    """Check."""
    with StopSignals() as signals:
        with Ledger(arguments.ledger) as ledger:
            check = read_check(ledger, arguments.fraction)
        total = len(check.jobs)

        def show(done: int) -> None:
            if not arguments.quiet and (done == total or done % max(1, total // 20) == 0):
                tell(f"verified {done} of {counted(total, 'unit')}")

        pool = LocalPool(arguments.workers or usable_cpus())
        try:
            is_whole = run_check(check, pool, pool.slots, stop=signals.requested, on_progress=show)
        finally:
            pool.kill()
    document = {
        "ledger": str(arguments.ledger),
        "units": total,
        "finds": check.find_count,
        "kernels": sorted({job.kernel for job in check.jobs}),
        "mismatches": check.mismatches,
    }
    if arguments.json:
        kinds.write_json(document)
    else:
        for mismatch in check.mismatches:
            print(mismatch)
    if check.mismatches:
        raise VerificationError(
            f"ledger {str(arguments.ledger)!r}: {counted(len(check.mismatches), 'result')} not confirmed"
        )
    if not is_whole:
        return INTERRUPTED
    if not arguments.json:
        kernels = ", ".join(document["kernels"])  # type: ignore[arg-type]
        print(
            f"{counted(total, 'unit')} done again{f' on {kernels}' if kernels else ''}, "
            f"{counted(check.find_count, 'find')} replayed: all agree"
        )
    return 0
