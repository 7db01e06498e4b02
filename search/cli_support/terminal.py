"""What a terminal can do that a pipe cannot: pages and colours."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable

from search.errors import CampaignError

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


def print_paged(lines: Iterable[str], pages: bool = True) -> None:
    """Print lines; on a terminal through a pager, which is ``$PAGER``, or ``less``.

    Parameters
    ----------
    lines : iterable of str
        The lines.
    pages : bool, optional
        False for no pager, such as where the terminal is read from as well.

    Raises
    ------
    CampaignError
        If ``$PAGER`` is not a command.
    """
    pager = _pager() if pages and sys.stdout.isatty() else None
    if not pager:
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
        # Who leaves the pager early has seen enough.
        with contextlib.suppress(BrokenPipeError, KeyboardInterrupt), process.stdin as pipe:
            for line in lines:
                pipe.write(line + "\n")
    finally:
        _wait(process)


def _pager() -> list[str] | None:
    """The command that shows pages, or None if there is none here."""
    text = os.environ.get("PAGER", "")
    try:
        words = shlex.split(text) or ["less"]
    except ValueError as error:
        raise CampaignError(f"PAGER {text!r}: not a command ({error}); unset it, or set it to less") from None
    return words if shutil.which(words[0]) else None


def _wait(process: subprocess.Popen[str]) -> None:
    while process.returncode is None:
        # Ctrl-C is the pager's: less only stops a search with it.
        with contextlib.suppress(KeyboardInterrupt):
            process.wait()
