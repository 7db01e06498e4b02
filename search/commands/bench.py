"""`camicia bench`: how fast every kernel of this machine plays, and the signature."""

from __future__ import annotations

import argparse
from typing import Any

from camicia import bench
from camicia.kernels import available_kernels
from search.commands.arguments import add_json, count_up_to, rate_text, write_json
from search.errors import VerificationError

NAME = "bench"

DESCRIPTION = """\
Plays 2,048 frozen deals on every kernel that this machine can run, by turns with the yardstick (the
simulation everyone writes first), and prints deals per second on one thread. The signature is a hash of the
results: the same on every kernel and machine.

examples:
  camicia bench
  camicia bench --rounds 20 --json
"""


#: A round takes some tenths of a second: these take an hour.
MOST_ROUNDS = 10_000


def add_parser(subparsers: Any) -> None:
    """Add the command's parser."""
    parser = subparsers.add_parser(NAME, help="deals per second of every kernel", description=DESCRIPTION)
    parser.add_argument(
        "--rounds",
        type=count_up_to(MOST_ROUNDS),
        default=5,
        metavar="N",
        help="timings of each kernel (default: 5)",
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    signatures = {name: bench.signature(name) for name in available_kernels()}
    timings, yardstick = bench.measure(arguments.rounds)
    if arguments.json:
        write_json(
            {
                "kernels": [timing._asdict() for timing in timings],
                "yardstick_deals_per_s": yardstick,
                "signature": signatures["reference"],
            }
        )
    else:
        print(f"{'yardstick':<10} {rate_text(yardstick):>11}")
        for timing in timings:
            print(
                f"{timing.name:<10} {rate_text(timing.deals_per_s):>11}  {timing.ratio:7.3g} x the yardstick"
                f"  (spread {timing.spread:.0%})"
            )
        print(f"signature  {signatures['reference']}")
    if odd := {name: text for name, text in signatures.items() if text != signatures["reference"]}:
        raise VerificationError(f"signatures that differ from the reference's: {odd}")
    return 0
