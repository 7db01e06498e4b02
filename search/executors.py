"""Where units are done: processes on this machine. Any other `concurrent.futures.Executor` will do too."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")

#: What is added to the niceness of workers: a hunt takes what others leave.
NICENESS = 10


def prepare_worker() -> None:
    """Make this process a worker: nice, and gone as soon as its parent is."""
    # A process whose niceness is fixed from outside can work all the same.
    with suppress(OSError):
        os.nice(NICENESS)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent,), daemon=True, name="parent watch").start()


def _follow(parent: Any) -> None:
    """Wait until the parent is gone, however it went, then go at once: the unit at hand is lost anyway."""
    parent.join()
    os._exit(1)


class LocalPool(ProcessPoolExecutor):
    """Worker processes on this machine.

    Fresh processes are spawned, so that no lock, file or signal handler of the parent comes along. Workers
    never see Ctrl-C: the parent decides what becomes of them. `kill` ends them all at once.

    Parameters
    ----------
    workers : int
        How many.

    Examples
    --------
    >>> with LocalPool(1) as pool:
    ...     pool.submit(abs, -3).result()
    3
    """

    def __init__(self, workers: int) -> None:
        super().__init__(workers, mp_context=multiprocessing.get_context("spawn"), initializer=prepare_worker)

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Hand out a call, starting a worker where one is wanting."""
        # A process is born with its parent's blocked signals: Ctrl-C is blocked in workers from their first
        # instruction to their last.
        old = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, old)

    def kill(self) -> None:
        """End all workers now, whatever they are doing, and wait until they are gone."""
        for process in list((self._processes or {}).values()):
            process.kill()
        self.shutdown(wait=True, cancel_futures=True)
