"""`camicia verify`: do units of a ledger again on another kernel, and replay its finds."""

from __future__ import annotations

import argparse
import re

from camicia.results import counted
from camicia.text import file_name
from search.cli_support import arguments as kinds
from search.cli_support import hunt_arguments
from search.cli_support.ledgers import add_ledger, the_ledger
from search.cli_support.output import tell
from search.cli_support.tables import print_hanging
from search.errors import INTERRUPTED, VerificationError
from search.ledger import Ledger
from search.verify import read_check, run_check
from search.workers import LocalPool, StopSignals, usable_cpus

NAME = "verify"

#: How much of the units is done again unless told: it costs a hundredth of the hunt.
FRACTION = 0.01

DESCRIPTION = f"""\
Plays units of a ledger again, on a different kernel from the one that did them where this machine has one,
and replays every find by the rules in plain Python. Units are chosen at random (a share of {FRACTION} by
default), or named with --unit. With --fraction 1 every unit is played again, and every total, counter,
histogram bin and list is compared with what the units add up to. Exit code 3 means that something does not
agree; each line says what.

examples:
  camicia verify climb-36-4-4-4-4.db
  camicia verify climb-36-4-4-4-4.db --fraction 1
  camicia verify climb-36-4-4-4-4.db --unit 0 --unit 1
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_ledger(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--fraction",
        type=_fraction,
        default=FRACTION,
        metavar="F",
        help=f"share of the units to play again, above 0 and up to 1 (default: {FRACTION})",
    )
    which.add_argument(
        "--unit",
        type=_unit,
        action="append",
        metavar="N",
        help="play unit N again; may be given several times",
    )
    parser.add_argument(
        "--workers", type=hunt_arguments.workers, metavar="N", help="processes (default: one per usable CPU)"
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


def _unit(text: str) -> int:
    if not re.fullmatch(r"\d{1,19}", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"unit {text!r}: expected the number of a unit, from 0")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    """Check."""
    path = the_ledger(arguments.ledger)
    with StopSignals() as signals:
        with Ledger(path, thorough=True) as ledger:
            check = read_check(ledger, arguments.fraction, units=arguments.unit)
        total = check.unit_count

        def show(done: int) -> None:
            if not arguments.quiet and (done == total or done % max(1, total // 20) == 0):
                tell(f"verified {done} of {counted(total, 'unit')}")

        pool = LocalPool(arguments.workers or usable_cpus())
        try:
            is_whole = run_check(check, pool, pool.slots, stop=signals.requested, on_progress=show)
        finally:
            pool.kill()
    document = {
        "ledger": file_name(path),
        "units": check.kernels.total(),
        "units_held": check.units_held,
        "finds": check.find_count - check.not_replayed,
        "kernels": sorted(check.kernels),
        "not_checked": check.not_checked(),
        "mismatches": check.mismatches,
    }
    if arguments.json:
        kinds.write_json(document)
    else:
        for mismatch in check.mismatches:
            print(mismatch)
    if check.mismatches:
        raise VerificationError(
            f"ledger {str(path)!r}: {counted(len(check.mismatches), 'result')} not confirmed"
        )
    if not is_whole:
        return INTERRUPTED
    if not arguments.json:
        kernels = f" on {', '.join(sorted(check.kernels))}" if check.kernels else ""
        finds = counted(check.find_count - check.not_replayed, "find")
        print(f"{counted(total, 'unit')} done again{kernels}, {finds} replayed: all agree")
        for sentence in check.not_checked():
            print_hanging("not checked: ", sentence)
    return 0
