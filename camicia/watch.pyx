"""Watching for Ctrl-C, and for a caller who has given up, in long work without the GIL.

Python runs the handlers of signals between its own instructions, in the main thread: work that stays in C for
seconds holds them up. Such work looks here every few milliseconds. To take the GIL may mean to wait for a busy
thread, so that is done ten times a second only.
"""

import threading

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

#: Nanoseconds between two looks at signals: soon for people, and seldom for a thread that must wait for the GIL.
cdef int64_t INTERVAL = 100_000_000


cdef class Stop:
    """Tells work in other threads that nobody waits for it any more.

    Examples
    --------
    >>> from camicia.watch import Stop
    >>> Stop().stop()
    """

    def stop(self):
        """From now on the work raises InterruptedError where it looks."""
        self.stopped = 1


cdef int64_t now() noexcept nogil:
    cdef timespec time
    clock_gettime(CLOCK_MONOTONIC, &time)
    return <int64_t> time.tv_sec * 1_000_000_000 + time.tv_nsec


cdef Watch watch_for(Stop stop):
    """A watch for the work of this thread; `stop` may be None, and must last as long as the watch."""
    cdef Watch watch
    watch.due = now() + INTERVAL
    watch.hears_signals = threading.current_thread() is threading.main_thread()
    watch.stopped = NULL if stop is None else &stop.stopped
    return watch


cdef int look(Watch *watch) except -1 nogil:
    """Raise what a handler of a signal raises, such as KeyboardInterrupt, or that the caller has given up."""
    cdef int64_t time
    # Another thread writes there: it is to be read each time.
    if watch.stopped is not NULL and (<const volatile int *> watch.stopped)[0]:
        with gil:
            raise InterruptedError("stopped by the caller")
    if watch.hears_signals:
        time = now()
        if time >= watch.due:
            watch.due = time + INTERVAL
            with gil:
                PyErr_CheckSignals()
    return 0
