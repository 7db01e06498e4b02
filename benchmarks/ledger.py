"""Is a ledger as good in its last month as in its first minute? Build large ledgers, and measure each goal.

Units are fakes: one real report of a short unit, with another number. They are committed by the same code
that commits the units of a hunt, a group at a time. Then `status` and `best` are run on the whole ledger, and
single commits are timed in it and in an empty one. Processor time is that of the command less that of
`camicia --version`; memory is the most that was resident. The same with walks among loops that each meet
cycles of their own, and with a merge of many ledgers.

    python benchmarks/ledger.py --units 10000000 --cycles 1000000 --ledgers 1000
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from statistics import median

from camicia import STANDARD
from search.campaign import Campaign, UnitReport
from search.ledger import Ledger, Run, merge
from search.strategies import strategy_named
from search.strategies.request import Request
from search.workers import run_unit

#: Deals of the one unit that is really played.
DEALS = 1248

#: Units in a commit while a ledger is built.
GROUP = 500

#: The goals, by the name of what is measured.
GOALS = {
    "processor seconds": 0.5,
    "resident MB": 100.0,
    "ratio": 1.2,
    "MB": 100.0,
    "seconds": 60.0,
}


def show(what: str, figure: float, unit: str) -> None:
    """Print a figure beside its goal."""
    goal = GOALS[unit]
    print(f"{what:58} {figure:10.3f} {unit:18} {'under' if figure < goal else 'OVER'} {goal:g}", flush=True)


def fakes(report: UnitReport, first: int, count: int) -> Iterator[list[UnitReport]]:
    """Yield groups of reports of units from `first` on; as in a hunt, few of them have a find that is new."""
    yield [replace(report, unit=first)]
    poor = replace(report, finds=(), loop_finds=())
    for start in range(first + 1, first + count, GROUP):
        yield [replace(poor, unit=unit) for unit in range(start, min(start + GROUP, first + count))]


def walks(report: UnitReport, cycles: int, generator: random.Random) -> Iterator[list[UnitReport]]:
    """Yield groups of reports of walks that meet ten new cycles each."""
    cards = list("-" * 36 + "JJJJQQQQKKKKAAAA")
    for unit in range(cycles // 10):
        counters = {"stepping_stones": 9}
        for _ in range(10):
            generator.shuffle(cards)
            cut = generator.randrange(20, 33)
            state = "".join([*cards[:cut], "/", *cards[cut:]])
            counters[f"cycle {generator.choice((0, 0, 0, 30))} {state}"] = 1
        yield [replace(report, unit=unit, counters=counters)]


def built(path: Path, campaign: Campaign, groups: Iterator[list[UnitReport]]) -> float:
    """Commit groups of reports to a new ledger; returns how long that took."""
    started = time.perf_counter()
    with Ledger(path, "create", backup_seconds=1e9) as ledger:
        entry = ledger.enter(campaign)
        run = ledger.begin_run(entry, 2, "a host")
        for group in groups:
            ledger.commit(entry, group, run=Run(run, time.perf_counter() - started, 2))
    return time.perf_counter() - started


def resident() -> float:
    """Return the most megabytes that this process had resident."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1e-6 if sys.platform == "darwin" else 1e-3)


def command(*words: object) -> tuple[float, float]:
    """Run a command in a process of its own; returns its processor seconds, and its resident megabytes."""
    program = (
        "import resource, subprocess, sys;"
        " words = [sys.executable, '-m', 'search', *sys.argv[1:]];"
        " done = subprocess.run(words, stdout=subprocess.DEVNULL);"
        " used = resource.getrusage(resource.RUSAGE_CHILDREN);"
        " print(used.ru_utime + used.ru_stime, used.ru_maxrss); sys.exit(done.returncode)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, words)], check=True, capture_output=True, text=True
    )
    seconds, kilobytes = done.stdout.split()
    return float(seconds), float(kilobytes) * (1e-6 if sys.platform == "darwin" else 1e-3)


def commit_seconds(
    paths: Sequence[Path], campaign: Campaign, report: UnitReport, commits: int
) -> list[float]:
    """Return the median processor time of a commit of one unit more in each of some ledgers, in turn."""
    times: list[list[float]] = [[] for _ in paths]
    with ExitStack() as stack:
        hunts = []
        for path in paths:
            ledger = stack.enter_context(Ledger(path, "create", backup_seconds=1e9))
            entry = ledger.enter(campaign)
            first = max((run[-1] for run in ledger.done(entry).runs()), default=-1) + 1
            hunts.append((ledger, entry, first, ledger.begin_run(entry, 2, "a host")))
        for unit in range(commits + 20):
            for (ledger, entry, first, run), spent in zip(hunts, times, strict=True):
                started = time.process_time()
                ledger.commit(entry, [replace(report, unit=first + unit)], run=Run(run, 1.0, 2))
                spent.append(time.process_time() - started)
    # The first ones read what is kept in memory from then on.
    return [median(spent[20:]) for spent in times]


def measure(
    folder: Path, name: str, campaign: Campaign, groups: Iterator[list[UnitReport]], rounds: int
) -> Path:
    """Build a ledger, and measure the commands that look at it."""
    path = folder / f"{name}.db"
    seconds = built(path, campaign, groups)
    with Ledger(path) as ledger:
        totals = ledger.totals(ledger.campaigns()[0])
    cycles = totals.counters.get("cycles", 0)
    held = f"{totals.units:,} units" + (f", {cycles:,} cycles" if cycles else "")
    print(f"{held}: built in {seconds:.1f} s, {totals.units / seconds:,.0f} units a second")
    show("size", path.stat().st_size / 1e6, "MB")
    startup = median(command("--version")[0] for _ in range(rounds))
    for words in (("status", path), ("best", path)):
        runs = [command(*words) for _ in range(rounds)]
        show(f"{words[0]}, beyond start-up", median(run[0] for run in runs) - startup, "processor seconds")
        show(f"{words[0]}, memory", max(run[1] for run in runs), "resident MB")
    return path


def measure_commits(folder: Path, path: Path, campaign: Campaign, report: UnitReport, commits: int) -> None:
    """Compare commits in a large ledger with those in an empty one."""
    small, large = commit_seconds([folder / f"empty-{path.name}", path], campaign, report, commits)
    print(f"a commit takes {1000 * small:.2f} ms in an empty ledger, {1000 * large:.2f} ms in this one")
    show("a commit, beside one in an empty ledger", large / small, "ratio")


def measure_merge(folder: Path, campaign: Campaign, report: UnitReport, ledgers: int, units: int) -> None:
    """Merge ledgers of different units of one campaign, as of an array of jobs."""
    paths = [folder / f"shard-{number}.db" for number in range(ledgers)]
    for number, path in enumerate(paths):
        reports = [replace(report, unit=number + ledgers * place) for place in range(units)]
        built(path, campaign, iter([reports]))
    random.Random(5).shuffle(paths)
    before = resident()
    started, spent = time.perf_counter(), time.process_time()
    merge(folder / "merged.db", paths)
    seconds, spent = time.perf_counter() - started, time.process_time() - spent
    more = resident() - before
    with Ledger(folder / "merged.db", thorough=True) as ledger:
        assert ledger.totals(ledger.campaigns()[0]).units == ledgers * units
    print(
        f"merged {ledgers:,} ledgers of {units:,} units each: {spent:.1f} s of processor time; memory grew "
        f"by {more:.0f} MB"
    )
    show("merge", seconds, "seconds")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--units", type=int, default=1_000_000, help="units of the large ledger")
    parser.add_argument("--cycles", type=int, default=100_000, help="cycles of the ledger of walks")
    parser.add_argument("--ledgers", type=int, default=100, help="ledgers to merge, of 1,000 units each")
    parser.add_argument("--merged-units", type=int, default=1000, help="units of each")
    parser.add_argument("--commits", type=int, default=300, help="commits that are timed")
    parser.add_argument("--rounds", type=int, default=3, help="times that each command is run")
    given = parser.parse_args(arguments)
    print(f"{os.uname().machine}, {os.cpu_count()} CPUs, Python {sys.version.split()[0]}")
    campaign = Campaign("sample", STANDARD, seed=1, unit_size=DEALS)
    report = run_unit(campaign, 0)
    loops = strategy_named("loops").plan(Request(seed=1, unit_size=100))
    walk = replace(run_unit(loops, 0), counters={"stepping_stones": 9}, loop_finds=())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = measure(folder, "units", campaign, fakes(report, 0, given.units), given.rounds)
        measure_commits(folder, path, campaign, report, given.commits)
        path = measure(folder, "cycles", loops, walks(walk, given.cycles, random.Random(7)), given.rounds)
        measure_commits(folder, path, loops, walk, given.commits)
        measure_merge(folder, campaign, report, given.ledgers, given.merged_units)


if __name__ == "__main__":
    main()
