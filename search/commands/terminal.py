"""What a terminal can do that a pipe cannot: pages and colours."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable

#: Colours of the payment cards, by symbol: bold green, magenta, yellow and red; number cards stay plain.
_COLOURS = {"J": "1;32", "Q": "1;35", "K": "1;33", "A": "1;31"}


def coloured(cards: str) -> str:
    """Colour the payment cards of a hand or pile.

    Examples
    --------
    >>> coloured("-J")
    '-\\x1b[1;32mJ\\x1b[0m'
    """
    return "".join(f"\x1b[{_COLOURS[card]}m{card}\x1b[0m" if card in _COLOURS else card for card in cards)


def wants_colour() -> bool:
    """Whether stdout is a terminal whose user has not asked for no colours (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_paged(lines: Iterable[str]) -> None:
    """Print lines; on a terminal through a pager, which is ``$PAGER``, or ``less``."""
    pager = shlex.split(os.environ.get("PAGER", "")) or ["less"]
    if not sys.stdout.isatty() or not shutil.which(pager[0]):
        for line in lines:
            print(line)
        return
    # For less: colours pass, what fits on the screen is not paged, and what was shown stays. Long lines are
    # cut, for a broken table cannot be read; the arrows go sideways.
    environment = {"LESS": "-RFXS", **os.environ}
    sys.stdout.flush()
    process = subprocess.Popen(pager, stdin=subprocess.PIPE, text=True, encoding="utf-8", env=environment)
    assert process.stdin
    try:
        with process.stdin as pipe:
            for line in lines:
                pipe.write(line + "\n")
    except (BrokenPipeError, KeyboardInterrupt):
        # Who leaves the pager early has seen enough.
        pass
    while process.returncode is None:
        try:
            process.wait()
        except KeyboardInterrupt:
            # It is the pager's: less only stops a search with it.
            continue
