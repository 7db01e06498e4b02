"""Counting processors: affinity, and the limits of control groups of both versions."""

import os

import pytest

from search.workers import usable_cpus

#: What this process may use by its affinity alone; limits below are told apart where it is 2 or more.
AFFINITY = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def fake(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


V2 = {"proc/self/cgroup": "0::/user/hunt\n"}
V1 = {"proc/self/cgroup": "5:cpu,cpuacct:/docker/abc\n3:memory:/docker/abc\n0::/\n"}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, AFFINITY),
        (V2, AFFINITY),
        (V2 | {"sys/fs/cgroup/user/hunt/cpu.max": "max 100000\n"}, AFFINITY),
        (V2 | {"sys/fs/cgroup/user/hunt/cpu.max": "100000 100000\n"}, 1),
        # The limit of an outer group binds the inner ones.
        (V2 | {"sys/fs/cgroup/user/cpu.max": "50000 100000\n"}, 1),
        # In a container only the outermost folder is seen.
        (V2 | {"sys/fs/cgroup/cpu.max": "20000 100000\n"}, 1),
        (V2 | {"sys/fs/cgroup/user/hunt/cpu.max": "150000 100000\n"}, min(2, AFFINITY)),
        (V2 | {"sys/fs/cgroup/user/hunt/cpu.max": "nonsense\n"}, AFFINITY),
        (
            V1
            | {
                "sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us": "100000\n",
                "sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us": "100000\n",
            },
            1,
        ),
        (
            V1
            | {
                "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
                "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
            },
            AFFINITY,
        ),
        (
            V1
            | {
                "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "30000\n",
                "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
            },
            1,
        ),
    ],
)
def test_limits_of_control_groups_count(tmp_path, files, expected):
    assert usable_cpus(fake(tmp_path, files)) == expected


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system has no affinity")
def test_affinity_counts(tmp_path):
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, [min(before)])
        assert usable_cpus(tmp_path) == 1
    finally:
        os.sched_setaffinity(0, before)
    assert usable_cpus(tmp_path) == len(before)
