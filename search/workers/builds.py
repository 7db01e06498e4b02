"""What driver and workers of a Dask cluster agree on: its address, and one build of Camicia."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeVar

from camicia.bench import signature
from camicia.deals.sampling import STREAM_VERSION
from camicia.errors import CamiciaError
from camicia.kernels.dispatch import default_kernel
from camicia.version import __version__

T = TypeVar("T")

#: The form of a scheduler's address.
_ADDRESS = re.compile(r"((?:tcp|tls)://)?(\[[0-9a-fA-F:.]+\]|[^\s/:\[\]]+):(\d{1,5})", re.ASCII)


class Build(NamedTuple):
    """What must be the same on driver and workers for units to be the same."""

    version: str
    stream: int
    signature: str

    def __str__(self) -> str:
        return f"camicia {self.version}, stream {self.stream}, bench {self.signature}"


@cache
def this_build() -> Build:
    """Return the build of this process: version, random stream, and the bench signature of its kernel.

    Examples
    --------
    >>> this_build() == this_build()
    True
    """
    return Build(__version__, STREAM_VERSION, signature(default_kernel()))


def scheduler_address(text: str) -> str:
    """Check the form of a scheduler's address, without connecting to it.

    Raises
    ------
    CamiciaError
        If it is none.

    Examples
    --------
    >>> scheduler_address("tcp://10.0.0.1:8786")
    'tcp://10.0.0.1:8786'
    """
    match = _ADDRESS.fullmatch(text)
    if not match or not 1 <= int(match[3]) <= 65535:
        raise CamiciaError(
            f"--dask {text!r}: expected the address of a scheduler with its port, such as tcp://10.0.0.1:8786"
        )
    return text


class DifferingWorker(Exception):
    """Raised on a worker whose build differs from the driver's."""

    def __init__(self, address: str, build: Build) -> None:
        super().__init__(address, build)
        self.address = address
        self.build = build


def checked_call(build: Build, fn: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    """Make a call on a worker, which may have joined after the builds were compared."""
    if this_build() != build:
        from distributed import get_worker

        raise DifferingWorker(get_worker().address, this_build())
    return fn(*args, **kwargs)


def see_open(address: str, seconds: float) -> None:
    """See that something listens at an address.

    Raises
    ------
    OSError
        If nothing does.
    """
    match = _ADDRESS.fullmatch(address)
    assert match is not None
    socket.create_connection((match[2].strip("[]"), int(match[3])), seconds).close()
