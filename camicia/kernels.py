"""The kernels: what each is, which of them this machine can run, and which one runs."""

from __future__ import annotations

import os
import pkgutil
from importlib.resources import files

from camicia.errors import KernelError

#: Every kernel there is, from the plainest to the fastest, with what it is.
KERNELS = {
    "reference": "the rules in plain Python",
    "ring": "exact, one game at a time over ring buffers",
}

#: The environment variable that chooses the kernel for calls that do not name one.
VARIABLE = "CAMICIA_KERNEL"


def runnable_modules() -> frozenset[str]:
    """Return the names of all modules that may be imported on this machine.

    A module built for instructions that this CPU lacks may crash on import, so whoever imports everything
    (tests of examples, documentation) asks here first.

    Examples
    --------
    >>> "camicia.ring" in runnable_modules()
    True
    """
    return frozenset(
        module.name
        for package in ("camicia", "search")
        for module in pkgutil.walk_packages([str(files(package))], package + ".")
    )


def available_kernels() -> tuple[str, ...]:
    """Return the names of the kernels that this machine can run, the fastest last.

    Examples
    --------
    >>> available_kernels()[:2]
    ('reference', 'ring')
    """
    return tuple(KERNELS)


def chosen_kernel(name: str | None = None) -> str | None:
    """Return the kernel that was asked for, checked; None where nobody asked.

    Parameters
    ----------
    name : str, optional
        The kernel to use; without it, what the environment variable ``CAMICIA_KERNEL`` says.

    Raises
    ------
    KernelError
        If the kernel is unknown or cannot run on this machine.

    Examples
    --------
    >>> chosen_kernel("ring")
    'ring'
    """
    asked = name or os.environ.get(VARIABLE)
    if not asked:
        return None
    origin = "kernel" if name else VARIABLE
    if asked not in KERNELS:
        raise KernelError(f"{origin} {asked!r}: unknown, expected one of {', '.join(KERNELS)}")
    if asked not in available_kernels():
        raise KernelError(
            f"{origin} {asked!r}: this machine cannot run it, "
            f"expected one of {', '.join(available_kernels())}"
        )
    return asked


def default_kernel() -> str:
    """Return the kernel that plays many deals where none is named: the one asked for, else the fastest.

    Examples
    --------
    >>> default_kernel() in available_kernels()
    True
    """
    return chosen_kernel() or available_kernels()[-1]
