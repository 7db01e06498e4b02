"""Shows on stderr how a hunt is going: a bar on a terminal, a plain line every so often elsewhere."""

from __future__ import annotations

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
            share = _share(progress)
            if share is not None:
                self._bar.bar_format = "{desc} |{bar}| {percentage:3.0f}%"
                self._bar.total = 1.0
                self._bar.n = share
            self._draw(lambda bar: bar.set_description_str(progress_text(progress)))
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


def progress_text(progress: Progress) -> str:
    """Write where a run stands in one line."""
    doing = rate_text(progress.rate) if progress.run_deals else "no unit done yet in this run"
    parts = [counted(progress.deals, "deal"), doing]
    if progress.cards:
        parts.append(f"longest {counted(progress.cards, 'card')}, {counted(progress.tricks, 'trick')}")
    if progress.loops:
        parts.append(counted(progress.loops, "loop"))
    if progress.note:
        parts.append(progress.note)
    if progress.left is not None:
        parts.append(f"{duration_text(progress.left)} left")
    return ", ".join(parts)


def _share(progress: Progress) -> float | None:
    """How much of the run is done, if that can be told."""
    if progress.left is None:
        return None
    return progress.elapsed / max(progress.elapsed + progress.left, 1e-9)
