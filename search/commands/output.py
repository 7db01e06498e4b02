"""Writes the files that commands make, whole or not at all, and tells people on stderr what goes on."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from search.errors import HuntError


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file; what stood there before is replaced only once the new one is whole.

    Raises
    ------
    HuntError
        If it cannot be written.
    """
    data = content.encode() if isinstance(content, str) else content
    written(path, lambda new: new.write_bytes(data))


def written(path: Path, write: Callable[[Path], object]) -> None:
    """Let a function write a new file beside `path`, then rename it to `path`.

    Raises
    ------
    HuntError
        If it cannot be written.
    """
    # Something that is no ordinary file, such as /dev/stdout, is written as it is.
    plain = path.exists() and not path.is_file()
    new = path if plain else path.with_name(f".{os.getpid()}.{path.name}")
    try:
        write(new)
        if not plain:
            new.replace(path)
    except OSError as error:
        raise HuntError(f"file {str(path)!r}: cannot be written: {error.strerror or error}") from None
    finally:
        if not plain:
            new.unlink(missing_ok=True)


def tell(text: str) -> None:
    """Print a line to stderr. If it cannot be written nothing more is told: that must not end a hunt."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        give_up(sys.stderr)


def give_up(stream: TextIO | None) -> None:
    """Let what a stream still holds go nowhere, so that Python does not fail on it once more at its end."""
    if stream is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
