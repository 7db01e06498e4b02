"""Shows a hunt while it is on: on one screen of a terminal, or again and again in a pipe."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from camicia.results import counted
from camicia.text import duration_text, large_number, rate_text, rough_time
from search.cli_support.summary_lines import beside_known, summary_lines
from search.cli_support.tables import labelled
from search.ledger import Ledger
from search.report import Pace, Present, hunt_now, summary
from search.workers import interrupted_by_any

#: Seconds between two looks: units are committed every few seconds.
EVERY = 2.0

#: Control sequences: the screen that leaves no trace and back, the cursor hidden and back, go to the top
#: left, clear to the end of the line, clear all below.
_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
_HOME, _END_OF_LINE, _BELOW = "\x1b[H", "\x1b[K", "\x1b[J"


def watch(path: Path) -> int:
    """Show the status again and again, on a terminal in place; Ctrl-C is how it ends."""
    # What is wrong with the ledger is said before the screen is changed.
    status_lines(path)
    live = sys.stdout.isatty()
    try:
        with interrupted_by_any(), own_screen() if live else _plain():
            while True:
                lines = status_lines(path)
                sys.stdout.write(screen(lines) if live else "".join(f"{line}\n" for line in [*lines, ""]))
                sys.stdout.flush()
                time.sleep(EVERY)
    except KeyboardInterrupt:
        return 0


@contextmanager
def own_screen() -> Iterator[None]:
    """Use the screen of a terminal that leaves no trace; whatever happens, what was there comes back."""
    sys.stdout.write(_ENTER)
    try:
        yield
    finally:
        sys.stdout.write(_LEAVE)
        sys.stdout.flush()


@contextmanager
def _plain() -> Iterator[None]:
    yield


def screen(lines: list[str], size: Callable[[], tuple[int, int]] = shutil.get_terminal_size) -> str:
    """Return what draws lines in place: each cut to the width, and no more than there is room for.

    Examples
    --------
    >>> screen(["a long line", "another", "third"], lambda: (8, 2))
    '\\x1b[Ha long …\\x1b[K\\n…\\x1b[K\\x1b[J'
    """
    columns, rows = size()
    shown = [line if len(line) <= columns else f"{line[: max(0, columns - 1)]}…" for line in lines]
    if len(shown) > rows:
        shown = [*shown[: max(0, rows - 1)], "…"]
    # No line feed after the last: it would scroll the screen.
    return _HOME + "\n".join(f"{line}{_END_OF_LINE}" for line in shown) + _BELOW


def status_lines(path: Path, moment: float | None = None) -> list[str]:
    """Return the lines of the status: the hunt as it is now, then the summary.

    Parameters
    ----------
    path : Path
        The ledger.
    moment : float, optional
        The time in seconds since 1970 (default: now).
    """
    with Ledger(path) as ledger:
        document = summary(ledger)
        lines = summary_lines(document)
        if document["campaigns"]:
            lines[2:2] = present_lines(hunt_now(ledger, moment))
    return labelled(lines, None)


def present_lines(found: Present) -> list[tuple[str, str]]:
    """Return the lines about a hunt as it is now, each with its label."""
    workers = counted(found.workers, "worker")
    lines = [
        ("now", f"{_pace_text(found.now)} on {workers}" if found.is_on else "no hunt writes this ledger")
    ]
    if found.day:
        lines.append(("last day", f"{_pace_text(found.day)}, on for {duration_text(found.day.seconds)}"))
    if found.best:
        lines.append(("best so far", beside_known(found.best, found.known)))
    if found.next and found.next.exists:
        # The forecast is made for the rate of the last run.
        rate = found.now or found.day
        seconds = found.next.deals / rate.deals if rate and rate.deals else found.next.seconds
        what = f"{found.next.tricks:,} tricks or more"
        lines.append(("next", f"{what}: about {rough_time(seconds)}"))
    return lines


def _pace_text(pace: Pace | None) -> str:
    if pace is None or not pace.deals:
        return "nothing new"
    return f"{rate_text(pace.deals)}, {large_number(pace.units)} units a second"
