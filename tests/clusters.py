"""A Dask cluster for tests: a real scheduler and real workers on this machine, each a process."""

import re
import subprocess
import sys
import time

from hunting import environment
from processes import gone


class Cluster:
    """A scheduler and workers, each a process."""

    def __init__(self, folder):
        self.folder = folder
        self.processes = []
        self.scheduler, text = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"
        )
        self.address = re.search(r"Scheduler at:\s+(tcp://127\.0\.0\.1:\d+)", text)[1]

    def again(self):
        """Start another scheduler at the same address."""
        host, _, port = self.address.removeprefix("tcp://").rpartition(":")
        self.scheduler, _ = self._start("scheduler", "--host", host, "--port", port, "--no-dashboard")

    def worker(self, **variables):
        """Start a worker of one thread, and wait until it has joined."""
        words = ("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
        return self._start(*words, until="Registered to", **variables)[0]

    def _start(self, *words, until="Scheduler at:", **variables):
        path = self.folder / f"{len(self.processes)}.log"
        with path.open("w") as file:
            process = subprocess.Popen(
                [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]],
                cwd=self.folder,
                env=environment() | variables,
                stderr=file,
                stdout=file,
            )
        self.processes.append(process)
        end = time.monotonic() + 60
        while until not in (text := path.read_text()):
            assert process.poll() is None and time.monotonic() < end, text
            time.sleep(0.1)
        return process, text

    def end(self):
        """Kill all that is left."""
        for process in self.processes:
            process.kill()
            process.wait()
        assert gone([process.pid for process in self.processes])


__all__ = ["Cluster"]
