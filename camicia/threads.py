"""Share work among threads, which Ctrl-C and errors stop at once."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from camicia.watch import Stop

#: Most threads started for one call: more than any machine has CPUs.
MOST_THREADS = 1024

#: Seconds between two checks for signals while other threads work.
WAIT = 0.1


def in_threads(work: Callable[[int, int, Stop | None], None], count: int, threads: int) -> None:
    """Share `count` pieces of work among threads, a run of consecutive ones each.

    Parameters
    ----------
    work : callable
        Gets the first piece of a run, the one to stop before, and what tells it to stop early; None if it
        runs in the thread of the caller.
    count : int
        Number of pieces.
        threads : int
        Most threads to use.

    Examples
    --------
    >>> done = []
    >>> in_threads(lambda start, end, stop: done.append((start, end)), 5, 2)
    >>> sorted(done)
    [(0, 2), (2, 5)]
    """
    runs = min(threads, count, MOST_THREADS)
    if runs <= 1:
        work(0, count, None)
        return
    # Importing this takes a quarter as long as importing Camicia, and most calls need one thread.
    from concurrent.futures import ThreadPoolExecutor, wait

    bounds = [count * run // runs for run in range(runs + 1)]
    stop = Stop()
    with ThreadPoolExecutor(runs) as pool:
        try:
            for run in [pool.submit(work, start, end, stop) for start, end in pairwise(bounds)]:
                # A signal that another thread receives does not end a wait: the handler only runs after it.
                while not run.done():
                    wait([run], timeout=WAIT)
                run.result()
        except BaseException:
            # The pool waits for its threads: they must not finish work that is no longer wanted.
            stop.stop()
            raise
