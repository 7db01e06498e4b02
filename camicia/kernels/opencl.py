"""The kernel `opencl`: batches of deals are played on a graphics card, or by any other OpenCL device."""

from __future__ import annotations

import os
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from camicia.errors import KernelError

#: Work items of a group, and groups for each unit of a device that can run several at once.
GROUP = 64
GROUPS_A_UNIT = 16

#: What is said where there is no OpenCL.
REMEDY = "`pip install 'camicia[gpu]'` and a driver with OpenCL (docs/gpu.md) bring it"


def runs() -> bool:
    """Return whether there is an OpenCL device to play on."""
    try:
        return bool(find_devices())
    except KernelError:
        return False


def why_not() -> str:
    """Return why this machine cannot run the kernel."""
    try:
        return "" if find_devices() else f"no OpenCL device was found; {REMEDY}"
    except KernelError as error:
        return str(error)


def device_lines() -> list[str]:
    """Return a line about each OpenCL device: its name, units, memory and driver."""
    if not runs():
        return []
    return [
        f"{device.name.strip()}, {device.max_compute_units} units, {device.global_mem_size >> 20:,} MB, "
        f"driver {device.driver_version}"
        for device in find_devices()
    ]


@cache
def find_devices() -> list[Any]:
    """Return the OpenCL devices, graphics cards first."""
    try:
        import pyopencl as cl
    except ImportError:
        raise KernelError(f"pyopencl is not installed; {REMEDY}") from None
    try:
        found = [device for platform in cl.get_platforms() for device in platform.get_devices()]
    except cl.Error as error:
        raise KernelError(f"no OpenCL platform ({error}); {REMEDY}") from None
    return sorted(found, key=lambda device: not device.type & cl.device_type.GPU)


class Player:
    """A device with the compiled kernel.

    Parameters
    ----------
    device : pyopencl.Device
        The device.
    constants : dict of str to int
        The rows of a batch, by the names that `play.cl` has for them.
    """

    def __init__(self, device: Any, constants: dict[str, int]) -> None:
        import pyopencl as cl

        self._cl = cl
        self.name = device.name
        self._context = cl.Context([device])
        self._queue = cl.CommandQueue(self._context)
        source = files("camicia.kernels").joinpath("play.cl").read_text(encoding="utf-8")
        options = [f"-DGROUP={GROUP}", *(f"-D{name}={value}" for name, value in constants.items())]
        try:
            self._program = cl.Program(self._context, source).build(options)
        except cl.Error as error:
            raise KernelError(f"device {self.name!r}: cannot compile the kernel ({error})") from None
        self._kernel = cl.Kernel(self._program, "play")
        self._items = GROUP * GROUPS_A_UNIT * device.max_compute_units
        self._rows: Any = None
        self._results: Any = None

    def play(
        self, rows: memoryview, results: memoryview, stride: int, count: int, form: tuple[int, ...]
    ) -> None:
        """Play the first deals of a batch.

        Parameters
        ----------
        rows : buffer of uint8
            The rows of the batch, `stride` bytes each.
        results : buffer of uint32
            Gets the packed results.
        stride, count : int
            Bytes of a row, and deals to play.
        form : tuple of int
            Links, gap bits, the three limits of card numbers, and the cards at which a game is cut off.
        """
        cl = self._cl
        flags = cl.mem_flags
        source, target = np.frombuffer(rows, np.uint8), np.frombuffer(results, np.uint32)
        try:
            if self._rows is None or self._rows.size < source.nbytes:
                self._rows = cl.Buffer(self._context, flags.READ_ONLY, source.nbytes)
            if self._results is None or self._results.size < target.nbytes:
                self._results = cl.Buffer(self._context, flags.WRITE_ONLY, target.nbytes)
            cl.enqueue_copy(self._queue, self._rows, source, is_blocking=False)
            items = min(self._items, -(-count // GROUP) * GROUP)
            numbers = (np.uint32(number) for number in (stride, count, *form))
            self._kernel(self._queue, (items,), (GROUP,), self._rows, self._results, *numbers)
            cl.enqueue_copy(self._queue, target[:count], self._results, is_blocking=True)
        except cl.Error as error:
            raise KernelError(f"device {self.name!r}: failed while playing ({error})") from None


#: One for each process: what a driver keeps does not survive a fork.
_players: dict[int, Player] = {}


def player(constants: dict[str, int]) -> Player:
    """Return the player of this process.

    Raises
    ------
    KernelError
        If there is no device, or it cannot compile the kernel.
    """
    if os.getpid() not in _players:
        devices = find_devices()
        if not devices:
            raise KernelError(f"no OpenCL device was found; {REMEDY}")
        _players[os.getpid()] = Player(devices[0], constants)
    return _players[os.getpid()]
