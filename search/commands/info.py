"""`camicia info`: version, machine, and kernels."""

from __future__ import annotations

import argparse
import platform

from camicia.kernels.dispatch import DEVICE_KERNEL, KERNELS, available_kernels, default_kernel
from camicia.kernels.opencl import device_lines, why_not
from camicia.results import counted
from camicia.version import __version__
from search.cli_support.arguments import add_json, write_json
from search.cli_support.tables import print_hanging
from search.workers import usable_cpus

NAME = "info"

DESCRIPTION = """\
Tells the version, what this machine's processor offers, which kernels it can run and which one runs.
CAMICIA_KERNEL chooses another.

examples:
  camicia info
  CAMICIA_KERNEL=ring camicia info --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print it."""
    runs = default_kernel()
    available = available_kernels(devices=True)
    if arguments.json:
        write_json(
            {
                "version": __version__,
                "python": platform.python_version(),
                "machine": platform.machine(),
                "cpus": usable_cpus(),
                "kernels": [
                    {"name": name, "available": name in available, "what": what}
                    for name, what in KERNELS.items()
                ],
                "kernel": runs,
            }
        )
        return 0
    print(f"camicia  {__version__}, Python {platform.python_version()}")
    print(f"machine  {platform.machine()}, {counted(usable_cpus(), 'usable processor')}")
    for name, what in KERNELS.items():
        mark = "*" if name == runs else " "
        why = why_not() if name == DEVICE_KERNEL else "cannot run here"
        text = what if name in available else f"{what} ({why})"
        print_hanging(f"{mark} {name:<10} ", text)
    for number, device in enumerate(device_lines()):
        print_hanging(f"  device {number}  ", device)
    print(f"{runs} runs; CAMICIA_KERNEL chooses another")
    return 0
