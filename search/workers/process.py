"""The process of a local worker: its main loop, and where its errors go while it starts."""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import IO, Any

from search.errors import WorkerLost

#: Added to the niceness of workers: a hunt uses the CPU time that others leave.
NICENESS = 10


def prepare_worker() -> None:
    """Make this process a worker: low priority, and exit as soon as its parent is gone."""
    # A process whose niceness cannot be changed works all the same.
    with suppress(OSError):
        os.nice(NICENESS)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent,), daemon=True, name="parent watch").start()


def _follow(parent: Any) -> None:
    """Wait until the parent has ended, for whatever reason, then exit: the current unit is lost anyway."""
    parent.join()
    os._exit(1)


def work(connection: Connection, errors: Connection | None) -> None:
    """Run calls, one after the other, until there are no more or memory runs out."""
    # Import at the priority of the parent: at a low one, on a busy machine, the first unit would start late.
    import search.workers.unit  # noqa: F401

    prepare_worker()
    # If the parent ends meanwhile, there is no one to report to.
    with suppress(EOFError, OSError):
        connection.send(None)
        if errors is not None:
            # Output up to here served to explain a failed start; from now on stderr is the real one.
            os.dup2(errors.fileno(), 2)
            errors.close()
        while True:
            fn, args, kwargs = connection.recv()
            try:
                answer = (True, fn(*args, **kwargs))
            except MemoryError as error:
                # This process is exhausted; a fresh one has all its memory again.
                what = f"worker {os.getpid()} has no memory left"
                connection.send((False, WorkerLost(f"{what} ({error})" if str(error) else what)))
                os._exit(1)
            except BaseException as error:
                answer = (False, error)
            try:
                connection.send(answer)
            except (OSError, MemoryError):
                os._exit(1)
            except Exception as error:
                # What cannot be sent can still be described.
                connection.send((False, RuntimeError(f"{answer[1]!r} cannot be sent: {error}")))


@contextmanager
def stderr_into(file: IO[bytes] | None) -> Iterator[Connection | None]:
    """Redirect the errors of processes started now to a file; yields the real stderr for later.

    Without a file, or where stderr is closed, they write to their parent's stderr.
    """
    real = None
    with suppress(OSError):
        real = Connection(os.dup(2), readable=False) if file else None
    try:
        if real and file:
            sys.stderr.flush()
            os.dup2(file.fileno(), 2)
        yield real
    finally:
        if real:
            os.dup2(real.fileno(), 2)
            real.close()


def temporary_file() -> IO[bytes] | None:
    """Return an unnamed temporary file for that; None if none can be made."""
    try:
        return tempfile.TemporaryFile()
    except OSError:
        return None
