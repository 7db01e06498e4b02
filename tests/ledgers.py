"""What tests of a ledger's file share: a process that writes it, and its end."""

import os
import subprocess
import sys

from hunting import environment

#: Small units of the small campaign, by the command.
WORDS = ("search", "sample", "--deck", "12:2:2:0:0", "--seed", "7", "--unit-size", "3200", "--keep", "10")

#: Commits units to a ledger until it is killed, printing their numbers.
HUNT = """
import sys
from hunting import reports_of, small_campaign
from search.ledger import Ledger
with Ledger(sys.argv[1], "create", backup_seconds=float(sys.argv[2])) as ledger:
    entry = ledger.enter(small_campaign())
    first = max(ledger.done(entry), default=-1) + 1
    for unit in range(first, first + 5000):
        ledger.commit(entry, reports_of(entry.campaign, [unit]))
        print(unit, flush=True)
"""


def names(folder):
    return sorted(item.name for item in folder.iterdir())


def hunt(path, units=1, every=1000.0):
    """A process that writes a ledger, once it has committed a few units."""
    process = subprocess.Popen(
        [sys.executable, "-c", HUNT, str(path), str(every)],
        cwd=path.parent,
        env=environment() | {"PYTHONPATH": f"{environment()['PYTHONPATH']}:{os.path.dirname(__file__)}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    for _ in range(units):
        assert process.stdout.readline(), process.stderr.read().decode()
    return process


def kill(process):
    """Kill a hunt; returns how many units it said were committed."""
    process.kill()
    printed, _ = process.communicate()
    return printed


def emptied(path):
    """Leave nothing of a file."""
    os.truncate(path, 0)
