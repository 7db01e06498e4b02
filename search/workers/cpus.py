"""How many CPUs this process may use, given its affinity and the limits of control groups."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path


def usable_cpus(root: str | Path = "/") -> int:
    """Count the CPUs that this process may keep busy, at least 1.

    These are the CPUs in its affinity mask, or fewer if a control group (version 1 or 2) limits its time;
    part of a CPU counts as one.

    Parameters
    ----------
    root : path, optional
        The folder that holds `proc` and `sys`.

    Examples
    --------
    >>> usable_cpus() >= 1
    True
    """
    # Not every system reports the affinity.
    affinity = getattr(os, "sched_getaffinity", None)
    count = len(affinity(0)) if affinity else os.cpu_count() or 1
    limits = [math.ceil(limit) for limit in _group_limits(Path(root))]
    return max(1, min([count, *limits]))


def _group_limits(root: Path) -> Iterator[float]:
    """Yield the CPU time, in CPUs, that each control group around this process allows."""
    mount = root / "sys/fs/cgroup"
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if controllers == "":
            folders, read = [mount], _limit_v2
        elif "cpu" in controllers.split(","):
            folders, read = [mount / controllers, mount / "cpu"], _limit_v1
        else:
            continue
        # A group's limit also binds the groups inside it. In a container the path may be that of the host, of
        # which only the outermost folder is visible.
        steps = [part for part in path.split("/") if part not in ("", "..")]
        for folder in folders:
            for depth in range(len(steps) + 1):
                limit = read(folder.joinpath(*steps[:depth]))
                if limit is not None:
                    yield limit


def _limit_v2(folder: Path) -> float | None:
    """The limit that `cpu.max` sets: a quota and a period in microseconds, or `max`."""
    return _quotient(_text(folder / "cpu.max").split())


def _limit_v1(folder: Path) -> float | None:
    """The limit that the two files of version 1 set; a quota of -1 means no limit."""
    return _quotient(
        [_text(folder / "cpu.cfs_quota_us").strip(), _text(folder / "cpu.cfs_period_us").strip()]
    )


def _quotient(fields: list[str]) -> float | None:
    if len(fields) != 2 or not (fields[0].isdigit() and fields[1].isdigit()) or int(fields[1]) == 0:
        return None
    return int(fields[0]) / int(fields[1])


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
