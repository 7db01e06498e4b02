"""What tests of the hunt share: small campaigns, what a ledger holds, and the command in its own process."""

import json
import os
import subprocess
import sys

from camicia import Deck, Status
from search.campaign import Campaign
from search.ledger import Ledger, Run
from search.workers import run_unit

#: A deck with loops and ties, quick to play.
SMALL = Deck(12, 2, 2, 0, 0)


def small_campaign(**changes):
    """A campaign whose units take a few milliseconds and whose lists overflow."""
    values = {
        "strategy": "sample",
        "deck": SMALL,
        "seed": 7,
        "unit_size": 3200,
        "finds_kept": 10,
        "loops_kept": 5,
    }
    return Campaign(**values | changes)


def reports_of(campaign, units):
    """The reports of some units."""
    return [run_unit(campaign, unit) for unit in units]


def contents(path):
    """All that a ledger holds and that must not depend on who did what when."""
    with Ledger(path) as ledger:
        return [
            (
                entry.campaign,
                timeless(ledger.totals(entry, with_cycles=True)),
                ledger.histogram(entry),
                [find._replace(committed=0) for status in Status for find in ledger.finds(entry, status)],
                [
                    {
                        name: unit[name]
                        for name in ("unit", "step", "units", "games", "loops", "cards", "tricks", "checksum")
                    }
                    for unit in ledger.blocks(entry)
                ],
            )
            for entry in ledger.campaigns()
        ]


def timeless(totals):
    """Totals without the time that it took."""
    counters = {name: number for name, number in totals.counters.items() if not name.endswith("microseconds")}
    return vars(totals) | {"milliseconds": None, "counters": counters}


def command(*words):
    """The command line that runs `camicia` with these words."""
    return [sys.executable, "-m", "search", *map(str, words)]


def camicia(*words, cwd, **options):
    """Run `camicia` to its end."""
    options = {"capture_output": True, "text": True, "timeout": 120} | options
    return subprocess.run(command(*words), cwd=cwd, env=environment(), check=False, **options)


def environment():
    """The environment of a command: the packages that are tested, wherever it runs."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return os.environ | {"PYTHONPATH": root}


def documented(*words, cwd):
    """The JSON document that `camicia` prints."""
    done = camicia(*words, "--json", cwd=cwd)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def write(path, campaign, *batches):
    """Make a ledger, or add to it, a commit a batch."""
    with Ledger(path, "create") as ledger:
        entry = ledger.enter(campaign)
        run = ledger.begin_run(entry, 2, "here")
        for batch in batches:
            ledger.commit(entry, batch, run=Run(run, 5.0))
    return path
