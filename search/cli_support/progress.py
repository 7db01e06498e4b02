"""Shows on stderr how a hunt is going: a bar on a terminal, a plain line every so often elsewhere."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

from tqdm import tqdm

from camicia.results import counted
from camicia.text import duration_text, rate_text
from search.cli_support.output import give_up, tell
from search.driver import Progress

#: Seconds between two plain lines.
LINE_SECONDS = 10.0

#: A terminal of fewer columns has no room for a bar beside what it stands for.
_LEAST_FOR_BAR = 70

#: Columns that are kept for the bar and its percentage, and for the percentage alone.
_BAR_ROOM, _SHARE_ROOM = 16, 6

# The bar is brought up to date all the time: no thread of its own need watch over that.
tqdm.monitor_interval = 0


class Display:
    """Shows progress; use it in a `with` statement, so that the bar is cleared whatever happens.

    Parameters
    ----------
    title : str
        What is going on.
    quiet : bool, optional
        Show nothing but announcements.
    """

    def __init__(self, title: str, quiet: bool = False) -> None:
        self._title = title
        self._quiet = quiet
        self._bar: tqdm[Any] | None = None
        self._next_line = 0.0

    def __enter__(self) -> Display:
        if not self._quiet and sys.stderr.isatty():
            try:
                self._bar = tqdm(
                    desc=f"{self._title}: starting",
                    total=0,
                    file=sys.stderr,
                    dynamic_ncols=True,
                    leave=False,
                    bar_format="{desc}",
                )
            except OSError:
                give_up(sys.stderr)
        return self

    def __exit__(self, *_: object) -> None:
        self._draw(lambda bar: bar.close())

    def update(self, progress: Progress) -> None:
        """Show where the run stands."""
        if self._quiet:
            return
        if self._bar is not None:
            share, room = _share(progress), _stderr_columns() - 1
            if share is not None:
                has_bar = room >= _LEAST_FOR_BAR
                self._bar.bar_format = (
                    "{desc} |{bar}| {percentage:3.0f}%" if has_bar else "{desc} {percentage:3.0f}%"
                )
                self._bar.total = 1.0
                self._bar.n = share
                room -= _BAR_ROOM if has_bar else _SHARE_ROOM
            self._draw(lambda bar: bar.set_description_str(progress_text(progress, room)))
        elif (progress.run_deals or progress.elapsed >= LINE_SECONDS) and time.monotonic() >= self._next_line:
            self._next_line = time.monotonic() + LINE_SECONDS
            tell(f"{self._title}: {progress_text(progress)}")

    def announce(self, text: str) -> None:
        """Show a message that must not be missed."""
        bell = "\a" if sys.stderr.isatty() else ""
        if self._bar is not None:
            self._draw(lambda bar: bar.clear())
        tell(f"{bell}{text}")
        if self._bar is not None:
            self._draw(lambda bar: bar.refresh())

    def _draw(self, draw: Callable[[tqdm[Any]], object]) -> None:
        """Draw on the terminal. If it is gone there is no bar any more: that must not end a hunt."""
        try:
            if self._bar is not None:
                draw(self._bar)
        except OSError:
            give_up(sys.stderr)
            self._bar = None


def progress_text(progress: Progress, room: int | None = None) -> str:
    """Write where a run stands in one line; where there is little room, what matters least is left out.

    Parameters
    ----------
    progress : Progress
        Where it stands.
    room : int, optional
        The most characters there should be; the last part is kept however long it is.
    """
    doing = rate_text(progress.rate) if progress.run_deals else "no unit done yet in this run"
    # By place in the line, with the order in which they go when there is no room: the last one stays.
    parts = [(3, counted(progress.deals, "deal")), (4, doing)]
    if progress.cards:
        lengths = [counted(progress.cards, "card"), counted(progress.tricks, "trick")]
        parts += [(6, f"longest {lengths[0]}"), (2, lengths[1])]
    if progress.loops:
        parts.append((1, counted(progress.loops, "loop")))
    if progress.note:
        parts.append((0, progress.note))
    if progress.left is not None:
        parts.append((5, f"{duration_text(progress.left)} left"))
    while room is not None and len(parts) > 1 and len(_joined(parts)) > room:
        parts.remove(min(parts))
    return _joined(parts)


def _joined(parts: list[tuple[int, str]]) -> str:
    return ", ".join(text for _, text in parts)


def _stderr_columns() -> int:
    """The columns of the terminal under stderr, 80 if it does not say."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def _share(progress: Progress) -> float | None:
    """The share of the run that is done, if it is known."""
    if progress.left is None:
        return None
    return progress.elapsed / max(progress.elapsed + progress.left, 1e-9)
