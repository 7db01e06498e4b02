"""Signals that ask a hunt to stop: recorded, and checked between two commits."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Self

#: Ctrl-C, a polite kill, and the closing of the terminal, for which Windows has no signal.
STOPPING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextmanager
def interrupted_by_any() -> Iterator[None]:
    """Make every signal that asks to stop raise KeyboardInterrupt, as Ctrl-C does, so that clean-up runs.

    Examples
    --------
    >>> try:
    ...     with interrupted_by_any():
    ...         signal.raise_signal(signal.SIGTERM)
    ... except KeyboardInterrupt:
    ...     print("tidied up")
    tidied up
    """
    old = {
        number: signal.signal(number, signal.default_int_handler)
        for number in STOPPING
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)


class StopSignals:
    """Records the signals that ask to stop while its `with` block runs.

    Examples
    --------
    >>> with StopSignals() as signals:
    ...     signal.raise_signal(signal.SIGTERM)
    ...     signals.received
    <Signals.SIGTERM: 15>
    """

    received: signal.Signals | None = None

    def __enter__(self) -> Self:
        self._old: dict[signal.Signals, Any] = {}
        # Only the main thread can install handlers.
        is_main = threading.current_thread() is threading.main_thread()
        for number in STOPPING if is_main else ():
            # An ignored signal, as under nohup, stays ignored.
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._old[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._old.items():
            signal.signal(number, handler)

    def _note(self, number: int, _: FrameType | None) -> None:
        self.received = signal.Signals(number)

    def requested(self) -> bool:
        """Whether a signal has arrived."""
        return self.received is not None
