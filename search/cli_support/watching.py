"""Shows the summary of a ledger repeatedly while a hunt is on."""

from __future__ import annotations

import sys
import time
from collections import deque
from pathlib import Path

from camicia.text import duration_text, rate_text
from search.cli_support.summary_lines import summary_lines
from search.cli_support.tables import labelled, screen_width
from search.ledger import Ledger
from search.report import summary

#: Seconds between two looks: units are committed every few seconds.
EVERY = 2.0

#: Seconds over which the present rate is taken: units come in lumps.
WINDOW = 60.0

#: Control sequences: go to the top left, clear to the end of the line, clear all below, clear it all.
_HOME, _END_OF_LINE, _BELOW, _CLEAR = "\x1b[H", "\x1b[K", "\x1b[J", "\x1b[2J"


def watch(path: Path) -> int:
    """Print the status again and again, on a terminal in place; Ctrl-C is how it ends."""
    live = sys.stdout.isatty()
    seen: deque[tuple[float, int]] = deque()
    sys.stdout.write(_CLEAR if live else "")
    try:
        while True:
            lines = status_lines(path, seen, time.monotonic())
            if live:
                text = _HOME + "".join(f"{line}{_END_OF_LINE}\n" for line in lines) + _BELOW
            else:
                text = "".join(f"{line}\n" for line in [*lines, ""])
            sys.stdout.write(text)
            sys.stdout.flush()
            time.sleep(EVERY)
    except KeyboardInterrupt:
        return 0


def status_lines(path: Path, seen: deque[tuple[float, int]], now: float) -> list[str]:
    """The lines of the status, with the present rate.

    Parameters
    ----------
    path : Path
        The ledger.
    seen : deque of (float, int)
        When one looked before, and the deals there were then; this look is added, and what is older than
        `WINDOW` is dropped.
    now : float
        The time in seconds, of any clock.
    """
    with Ledger(path) as ledger:
        document = summary(ledger)
    seen.append((now, int(document["deals"])))
    while len(seen) > 2 and seen[1][0] <= now - WINDOW:
        seen.popleft()
    lines = summary_lines(document)
    (start, before), (_, deals) = seen[0], seen[-1]
    if now > start:
        rate = rate_text((deals - before) / (now - start)) if deals > before else "nothing new"
        lines.append(("at present", f"{rate}, over {duration_text(now - start)}"))
    return labelled(lines, screen_width())
