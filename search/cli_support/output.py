"""Writes what commands make: files whole or not at all, documents on stdout, and messages on stderr."""

from __future__ import annotations

import contextlib
import io
import os
import re
import secrets
import select
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO, TextIO

from search.errors import HuntError

#: The name that stands for standard output, and where deals are read for standard input.
STANDARD = "-"


class ReaderGone(BrokenPipeError):
    """Whoever read the pipe that a file was written to has closed it."""


def prepare_streams() -> None:
    """Make the standard streams take whatever is printed, and whatever comes in, under every locale.

    What a stream cannot encode is printed as an escape such as ``\\xe9`` or ``\\udcff``. Bytes of standard
    input that are not UTF-8 become surrogates, which a reader reports with their line.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):
        # A program that calls us may have read some of it, as it liked.
        with contextlib.suppress(io.UnsupportedOperation):
            sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape", newline=None)


def write_file(out: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file; what stood there before is replaced only once the new one is whole.

    Raises
    ------
    HuntError
        If it cannot be written.
    """
    data = content.encode() if isinstance(content, str) else content
    written(out, lambda file: file.write(data))


def written(out: str | os.PathLike[str], write: Callable[[BinaryIO], object]) -> None:
    """Let a function write a file.

    A regular file is replaced by a whole new one, with the permissions of the old; links are followed.
    Anything else, such as a device or a pipe, is written to as it is.

    Parameters
    ----------
    out : path
        The name of the file, or ``-`` for standard output.
    write : callable
        Writes the content to a binary file.

    Raises
    ------
    HuntError
        If it cannot be written.
    """
    name = os.fspath(out)
    descriptor = 1 if name == STANDARD else _descriptor_named(name)
    try:
        with _standard_output() if descriptor == 1 else _opened(name, descriptor) as file:
            write(file)
            file.flush()
    except BrokenPipeError as error:
        raise ReaderGone(*error.args) from None
    except OSError as error:
        where = "output" if descriptor == 1 else f"file {name!r}"
        raise HuntError(f"{where}: cannot be written: {error.strerror or error}") from None


@contextmanager
def _standard_output() -> Iterator[BinaryIO]:
    """Standard output for bytes, in order with what was printed before."""
    sys.stdout.flush()
    file = sys.stdout.buffer
    try:
        if isinstance(file, io.RawIOBase):
            # Python without buffers (PYTHONUNBUFFERED): such a file may write less than it is given.
            with open(os.dup(file.fileno()), "wb") as buffered:
                yield buffered
        else:
            yield file
    except OSError:
        give_up(sys.stdout)
        raise


@contextmanager
def _opened(name: str, descriptor: int | None) -> Iterator[BinaryIO]:
    if descriptor is not None:
        with os.fdopen(os.dup(descriptor), "wb") as file:
            yield file
        return
    target = os.path.realpath(name)
    try:
        old = os.stat(target)
    except FileNotFoundError:
        old = None
    if old and not stat.S_ISREG(old.st_mode):
        with open(target, "wb") as file:
            yield file
        return
    # Two that write the same file at once must not share a name, and a long name leaves no room for a longer.
    new = os.path.join(os.path.dirname(target), f".camicia-{os.getpid()}-{secrets.token_hex(8)}")
    with open(new, "xb") as file:
        try:
            if old:
                _take_on(file.fileno(), old)
            yield file
            file.flush()
            os.fsync(file.fileno())
            os.replace(new, target)
        except BaseException:
            os.unlink(new)
            raise


def _take_on(descriptor: int, old: os.stat_result) -> None:
    """Give a new file the owner, where we may, and the permissions of the one it replaces."""
    new = os.fstat(descriptor)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        with contextlib.suppress(OSError):
            os.fchown(descriptor, old.st_uid, old.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(old.st_mode))


def _descriptor_named(name: str) -> int | None:
    """The open file that a name such as /dev/stdout or /dev/fd/3 stands for.

    Opening such a name would truncate a file that others may have written to, as in ``{ ...; } > file``.
    """
    for _ in range(40):
        folder, last = os.path.split(name)
        folder = os.path.realpath(folder)
        if re.fullmatch(rf"/(proc/{os.getpid()}|dev)/fd", folder) and re.fullmatch(
            r"\d{1,9}", last, re.ASCII
        ):
            return int(last)
        if not os.path.islink(name):
            return None
        name = os.path.join(folder, os.readlink(name))
    return None


def print_name(out: str) -> None:
    """Print the name of a file that was written, unless that was standard output."""
    if out != STANDARD:
        print(out)


def tell(text: str) -> None:
    """Print a line to stderr. A line that cannot be written is dropped: that must not end a hunt."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        give_up(sys.stderr)


def give_up(stream: TextIO | None) -> None:
    """Discard what a stream still holds, so that Python does not fail on it again when it exits."""
    if stream is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def has_no_reader(stream: TextIO) -> bool:
    """Whether a stream is a pipe whose other end has been closed."""
    poll = select.poll()
    try:
        poll.register(stream, 0)
    except (OSError, ValueError):
        return False
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))


def settled(stream: TextIO) -> bool:
    """Write what a stream holds, or give it up; returns whether it could be written."""
    try:
        stream.flush()
    except OSError:
        give_up(stream)
        return False
    return True
