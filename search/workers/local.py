"""An executor that runs units in processes on this machine, replacing those that die, hang or starve.

A hunt can use any other `concurrent.futures.Executor` as well.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import nullcontext, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from queue import SimpleQueue
from statistics import median
from typing import IO, Any, NamedTuple, TypeVar

from search.errors import HuntError, WorkerLost
from search.workers.process import stderr_into, temporary_file, work
from search.workers.signals import STOPPING

T = TypeVar("T")

#: Most workers in a pool. Each is a process of about 40 MB, and current machines have fewer CPUs.
MOST_WORKERS = 1024

#: A call hangs that has taken so many times as long as calls usually do, and also so many seconds: the
#: slowest unit of a sound hunt on a busy machine is far from either.
HANG_FACTOR = 20.0
HANG_SECONDS = 60.0

#: Seconds between two checks of the workers. Time in which the watch itself did not run, as when the
#: machine or the whole hunt was asleep, is not counted against them.
TICK = 0.5

#: What is usual is the median of this many of the last calls.
REMEMBERED = 15

#: So many workers in a row that die before they are ready mean that none ever will be.
FAILED_STARTS = 3

#: Characters of a worker's output that are passed on.
CAUSE_LENGTH = 300

#: Seconds that a worker may take to start: it imports NumPy, perhaps from a slow disk.
START_SECONDS = 120.0


class BrokenPool(HuntError, BrokenExecutor):
    """A pool whose workers keep dying."""


class _Call(NamedTuple):
    future: Future[Any]
    what: tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]


class LocalPool(Executor):
    """A pool of worker processes on this machine that survives the loss of any of them.

    Fresh processes are spawned, so that no lock, file or signal handler of the parent comes along. Workers
    never see Ctrl-C: the parent decides when they end. A worker that dies, hangs or runs out of memory
    is replaced; the call it had fails with `WorkerLost`, and it is for the caller to make it again. `kill`
    ends them all at once.

    Parameters
    ----------
    workers : int
        Number of workers.
        hang_factor, hang_seconds : float, optional
        A call hangs if it takes longer than both `hang_factor` times the usual and `hang_seconds`. The
        usual is known once a call was answered, or from `usual`.
    usual : float, optional
        Seconds that a call usually takes, if known beforehand.

    Examples
    --------
    >>> with LocalPool(1) as pool:
    ...     pool.submit(abs, -3).result()
    3
    """

    def __init__(
        self,
        workers: int,
        *,
        hang_factor: float = HANG_FACTOR,
        hang_seconds: float = HANG_SECONDS,
        usual: float | None = None,
    ) -> None:
        self._hang_factor = hang_factor
        self._hang_seconds = hang_seconds
        self._seconds = deque([] if usual is None else [usual], maxlen=REMEMBERED)
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        self._spawn = multiprocessing.get_context("spawn")
        # Start and reap processes one at a time: multiprocessing keeps a shared list of them.
        self._births = threading.Lock()
        self._failed_starts = 0
        self._cause = ""
        self._killed = threading.Event()
        self._shut = threading.Event()
        self._workers = [_Worker(self) for _ in range(workers)]
        self._watch = threading.Thread(target=self._watch_all, daemon=True, name="watch of the workers")
        _start_thread(self._watch)

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Submit a call, starting a worker if one is missing."""
        if self._shut.is_set():
            raise RuntimeError("the pool is shut")
        if self.is_broken:
            raise self.broken()
        future: Future[T] = Future()
        self._calls.put(_Call(future, (fn, args, kwargs)))
        # Start another process if all present ones are busy.
        with self._births:
            idle = next((worker for worker in self._workers if not worker.thread.is_alive()), None)
            if idle:
                _start_thread(idle.thread)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the workers exit once all calls are done."""
        self._shut.set()
        if cancel_futures:
            self._cancel_waiting()
        for _ in self._workers:
            self._calls.put(None)
        if wait:
            for worker in self._workers:
                if worker.thread.is_alive():
                    worker.thread.join()

    def slots(self) -> int:
        """Number of calls that run at once."""
        return len(self._workers)

    def kill(self) -> None:
        """Kill all workers now, whatever they are doing, and wait until they are gone."""
        self._killed.set()
        self._cancel_waiting()
        for worker in self._workers:
            worker.kill()
        self.shutdown(wait=True, cancel_futures=True)

    @property
    def is_broken(self) -> bool:
        """Whether workers keep dying before they are ready."""
        return self._failed_starts >= FAILED_STARTS

    def broken(self) -> BrokenPool:
        """Return the error to raise then, with the cause that the last of them reported."""
        return BrokenPool(f"{FAILED_STARTS} workers in a row died before they were ready: {self._cause}")

    @property
    def patience(self) -> float | None:
        """Seconds after which a call counts as hung; None while that is unknown."""
        seconds = list(self._seconds)
        return max(self._hang_seconds, self._hang_factor * median(seconds)) if seconds else None

    def _cancel_waiting(self) -> None:
        while not self._calls.empty():
            call = self._calls.get()
            if call is not None:
                call.future.cancel()

    def _watch_all(self) -> None:
        before = time.monotonic()
        while any(worker.thread.is_alive() for worker in self._workers) or not self._shut.is_set():
            time.sleep(min(TICK, self._hang_seconds / 4))
            now = time.monotonic()
            for worker in self._workers:
                worker.look(min(now - before, 2 * TICK), self.patience)
            before = now


def _start_thread(thread: threading.Thread) -> None:
    try:
        thread.start()
    except RuntimeError as error:
        raise HuntError(
            f"workers: cannot be started ({error}); allow more processes and threads (`ulimit -u`), or use "
            "fewer --workers"
        ) from None


class _Worker:
    """One place in a pool: a thread that passes calls to a process, and replaces one that is lost."""

    def __init__(self, pool: LocalPool) -> None:
        self._pool = pool
        self.thread = threading.Thread(target=self._serve, daemon=True, name="keeper of a worker")
        self._process: Any = None
        self._connection: Connection | None = None
        self._busy: float | None = None
        self._began = 0.0
        self._is_ready = False
        self._hung = ""

    def look(self, seconds: float, patience: float | None) -> None:
        """Add to the time of the current call; end the process if that is too much."""
        if self._busy is None:
            return
        # The current call may have begun between two looks.
        self._busy = min(self._busy + seconds, time.monotonic() - self._began)
        limit = patience if self._is_ready else START_SECONDS
        if limit is not None and self._busy > limit and not self._hung:
            self._hung = f"hung: no answer in {self._busy:.0f} s"
            self.kill()

    def kill(self) -> None:
        """Kill the process now."""
        process = self._process
        if process is not None:
            with suppress(ValueError, OSError):
                process.kill()

    def _serve(self) -> None:
        pool = self._pool
        while (call := pool._calls.get()) is not None:
            if not call.future.set_running_or_notify_cancel():
                continue
            if not self._have_process():
                call.future.set_exception(
                    WorkerLost("the pool was ended") if pool._killed.is_set() else pool.broken()
                )
                continue
            started = time.monotonic()
            is_result, value = self._answer(call)
            if is_result:
                pool._seconds.append(time.monotonic() - started)
                call.future.set_result(value)
            else:
                call.future.set_exception(value)
        self._bury()

    def _answer(self, call: _Call) -> tuple[bool, Any]:
        assert self._connection is not None
        self._began, self._busy = time.monotonic(), 0.0
        try:
            self._connection.send(call.what)
            is_result, value = self._connection.recv()
        except (EOFError, OSError):
            is_result, value = False, self._loss()
        except Exception as error:
            # A call that cannot be sent, or an answer that cannot be read.
            is_result, value = False, error
        finally:
            self._busy = None
        if isinstance(value, WorkerLost):
            self._bury()
        return is_result, value

    def _loss(self) -> WorkerLost:
        """Return an error that says what happened to the process."""
        process = self._process
        with self._pool._births:
            process.join(1)
        code, name = process.exitcode, f"worker {process.pid}"
        if self._hung:
            return WorkerLost(f"{name} {self._hung}")
        if code is not None and code < 0:
            return WorkerLost(f"{name} was killed by {signal.Signals(-code).name}")
        return WorkerLost(f"{name} ended (exit code {code})")

    def _speaks(self) -> bool:
        """Whether the process has sent something or has ended."""
        try:
            return self._connection is not None and self._connection.poll()
        except OSError:
            return True

    def _have_process(self) -> bool:
        """Start a process if there is none; False if none stays alive."""
        # A dying process closes its end of the connection before it can be seen to be dead; a healthy one
        # sends nothing unless asked.
        with self._pool._births:
            is_gone = self._process is not None and (not self._process.is_alive() or self._speaks())
        if is_gone:
            self._bury()
        while self._process is None and not self._pool._killed.is_set():
            if self._pool.is_broken:
                return False
            with temporary_file() or nullcontext() as printed:
                try:
                    self._start(printed)
                    self._pool._failed_starts = 0
                except (EOFError, OSError, MemoryError) as error:
                    self._pool._cause = self._cause(error, printed)
                    self._bury()
                    self._pool._failed_starts += 1
        return self._process is not None

    def _cause(self, error: BaseException, printed: IO[bytes] | None) -> str:
        """Return why the process could not start: the last line that it printed, or how it ended."""
        lines = []
        if printed is not None:
            printed.seek(0)
            lines = printed.read().decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        if self._process is None:
            return str(error) or type(error).__name__
        return str(self._loss()) + (f": {last[:CAUSE_LENGTH]}" if last else "")

    def _start(self, printed: IO[bytes] | None) -> None:
        self._hung, self._is_ready = "", False
        self._began, self._busy = time.monotonic(), 0.0
        try:
            with self._pool._births:
                # A process inherits the blocked signals of the thread that starts it. Ctrl-C, and everything
                # else that asks a whole process group to stop, is blocked in workers from their first
                # instruction to their last: the parent decides when they end. Python's resource tracker,
                # started with the first process, would unblock it.
                resource_tracker.ensure_running()
                signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
                self._connection, theirs = self._pool._spawn.Pipe()
                try:
                    with stderr_into(printed) as errors:
                        process = self._pool._spawn.Process(target=work, args=(theirs, errors), daemon=True)
                        process.start()
                finally:
                    theirs.close()
                self._process = process
            if self._pool._killed.is_set():
                self.kill()
            self._connection.recv()
            self._is_ready = True
        finally:
            self._busy = None

    def _bury(self) -> None:
        """Kill the process if it is still there, and release its resources."""
        if self._connection is not None:
            self._connection.close()
        process, self._process = self._process, None
        if process is not None:
            with self._pool._births:
                process.kill()
                process.join()
                process.close()
