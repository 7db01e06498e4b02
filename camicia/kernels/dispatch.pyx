"""The kernels: what each is, which of them this machine can run, which one runs, and playing batches on it."""

import importlib
import os

from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from camicia import rules
from camicia.kernels.batch cimport (
    CARDS_MASK, COST, FIRST_A, FIRST_B, LAST_A, LAST_B, LEAD_A, OWED_B, ROWS, TRAIL_A, TRAIL_B, TRICKS_MASK,
    WIDE_X, WIDE_Y, Batch, Form, Lanes, get_deal, packed_result,
)
from camicia.cards import Deal
from camicia.checks import shortened
from camicia.errors import KernelError
from camicia.results import Status
from camicia.kernels.ring cimport Outcome, Workspace, close_workspace, open_workspace
from camicia.kernels.ring cimport play as play_ring
from camicia.watch cimport Watch, look

cdef extern from *:
    """
    #if defined(__x86_64__)
    /* These ask the operating system too: whether it saves the registers when it switches tasks. */
    static int runs_avx2(void) { __builtin_cpu_init(); return __builtin_cpu_supports("avx2") != 0; }
    static int runs_avx512(void) {
        __builtin_cpu_init();
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
            && __builtin_cpu_supports("avx512vl");
    }
    #else
    static int runs_avx2(void) { return 0; }
    static int runs_avx512(void) { return 0; }
    #endif
    """
    bint runs_avx2()
    bint runs_avx512()

#: Every kernel there is, from the plainest to the fastest, with what it is.
KERNELS = {
    "reference": "the rules in plain Python",
    "ring": "exact, one game at a time over ring buffers",
    "baseline": "lanes with what every processor of its kind has: 16 games at once",
    "avx2": "lanes with AVX2: 32 games at once",
    "avx512": "lanes with AVX-512 F, BW and VL: 64 games at once",
    "opencl": "a graphics card, or another OpenCL device: only if it is asked for",
}

#: The kernel that is never chosen by itself: whether there is a device is found out only when it is named.
DEVICE_KERNEL = "opencl"

#: The environment variable that chooses the kernel for calls that do not name one.
VARIABLE = "CAMICIA_KERNEL"

def runs(name):
    """Return whether this machine can run a kernel of `KERNELS`.

    Examples
    --------
    >>> runs("ring")
    True
    """
    if name == "avx2":
        return runs_avx2()
    if name == "avx512":
        return runs_avx512()
    if name == DEVICE_KERNEL:
        return importlib.import_module("camicia.kernels.opencl").runs()
    return name in KERNELS


def available_kernels(devices=False):
    """Return the names of the kernels that this machine can run, the fastest last.

    Parameters
    ----------
    devices : bool, optional
        Whether to look for OpenCL devices too, which takes a moment; their kernel comes last.

    Examples
    --------
    >>> available_kernels()[:3]
    ('reference', 'ring', 'baseline')
    """
    return tuple(name for name in KERNELS if (devices or name != DEVICE_KERNEL) and runs(name))


def chosen_kernel(name=None):
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
    asked = name if name is not None else os.environ.get(VARIABLE) or None
    if asked is None:
        return None
    origin = "kernel" if name is not None else VARIABLE
    if not isinstance(asked, str) or asked not in KERNELS:
        raise KernelError(f"{origin} {shortened(asked)}: unknown, expected one of {', '.join(KERNELS)}")
    if not runs(asked):
        if asked == DEVICE_KERNEL:
            why = importlib.import_module("camicia.kernels.opencl").why_not()
            raise KernelError(f"{origin} {asked!r}: {why}")
        raise KernelError(
            f"{origin} {asked!r}: this machine cannot run it, expected one of {', '.join(available_kernels())}"
        )
    return asked


def runnable_modules(package="camicia"):
    """Return the names of all modules of a package that may be imported on this machine.

    A module built for instructions that this CPU lacks may crash on import, so whoever imports everything
    (tests of examples, documentation) asks here first.

    Examples
    --------
    >>> "camicia.kernels.ring" in runnable_modules()
    True
    """
    # Needed by tools only, and long to import.
    import pkgutil

    path = importlib.import_module(package).__path__
    names = {module.name for module in pkgutil.walk_packages(path, package + ".")}
    processors = [name for name in KERNELS if name != DEVICE_KERNEL]
    return frozenset(names - {f"camicia.kernels.lanes_{name}" for name in processors if not runs(name)})


def default_kernel(name=None):
    """Return the kernel that plays many deals: the one that was asked for, else the fastest.

    Parameters and Raises as for `chosen_kernel`.

    Examples
    --------
    >>> default_kernel("ring")
    'ring'
    """
    *_, fastest = available_kernels()
    return chosen_kernel(name) or fastest


cdef class _Kernel:
    """Keeps a kernel's functions, and the module they are in."""

    cdef Kernel kernel
    cdef object module


#: The kernels that have been asked for so far.
_loaded = {}


cdef const Kernel *kernel_named(object name) except NULL:
    """The kernel of that name; of None the one that the environment names, else the fastest.

    Raises KernelError if it is unknown or cannot run here. The pointer stays good.
    """
    cdef _Kernel loaded
    cdef size_t build
    name = default_kernel(name)
    if name not in _loaded:
        loaded = _Kernel()
        memset(&loaded.kernel, 0, sizeof(Kernel))
        if name == "reference":
            loaded.kernel.kind = REFERENCE
        elif name == "ring":
            loaded.kernel.kind = RING
        else:
            # Rows of card codes are brought into the form of a batch by the lanes, for a device too.
            *_, fastest = available_kernels()
            of = fastest if name == DEVICE_KERNEL else name
            # Only now, when it is known that the machine can run what such a module may do on import.
            loaded.module = importlib.import_module(f"camicia.kernels.lanes_{of}")
            build = loaded.module.build()
            loaded.kernel.kind = DEVICE if name == DEVICE_KERNEL else LANES_KERNEL
            loaded.kernel.lanes = (<const Lanes *> build)[0]
        _loaded[name] = loaded
    loaded = _loaded[name]
    return &loaded.kernel


cdef int play_reference(const uint8_t *codes, size_t cut, size_t size, Outcome *outcome) except -1 with gil:
    """Play a deal by the rules in plain Python."""
    result = rules.play(Deal(codes[:cut], codes[cut:size]))
    memset(outcome, 0, sizeof(Outcome))
    outcome.cards = result.cards
    outcome.tricks = result.tricks
    if result.status is Status.LOOP:
        outcome.status = 1
        outcome.winner = 255
        outcome.transient_cards = result.transient_cards
        outcome.transient_tricks = result.transient_tricks
        outcome.cycle_cards = result.cycle_cards
        outcome.cycle_tricks = result.cycle_tricks
    else:
        outcome.winner = result.winner == "B"
    return 0


cdef Py_ssize_t play_on_device(Batch *batch, size_t count) except -1 with gil:
    """Play the first deals of a batch on an OpenCL device; results past the cut-off are 0.

    Returns how many of them are to be played again on the processor: a device or a driver may answer wrongly.
    """
    global _device_batches
    if not count:
        return 0
    rows = {
        "FIRST_A": FIRST_A, "LAST_A": LAST_A, "LEAD_A": LEAD_A, "TRAIL_A": TRAIL_A, "FIRST_B": FIRST_B,
        "LAST_B": LAST_B, "OWED_B": OWED_B, "TRAIL_B": TRAIL_B, "WIDE_X": WIDE_X, "WIDE_Y": WIDE_Y, "COST": COST,
    }
    cdef Form *form = &batch.form
    # Rounded up: of all numbers there can be, the limit is cut to what a byte holds.
    limits = tuple(-(-form.limit[rank] >> form.gap_bits) for rank in range(3))
    importlib.import_module("camicia.kernels.opencl").player(rows).play(
        memoryview(<uint8_t[:ROWS * batch.stride]> batch.rows),
        memoryview(<uint32_t[:batch.capacity]> batch.results),
        batch.stride,
        count,
        (form.links, form.gap_bits, *limits, 256 * form.cut_off),
    )
    _device_batches += 1
    return min(count, CHECKED_DEALS) if _device_batches % CHECKED_EVERY == 1 else 0


#: The first batch that a process plays on a device and every hundredth after it are checked: so many of its deals.
cdef enum:
    CHECKED_DEALS = 256
    CHECKED_EVERY = 100

_device_batches = 0


def _raise_wrong_result(deal, got, right):
    """Raise the error for a device that has answered wrongly."""
    raise KernelError(
        f"kernel {DEVICE_KERNEL!r}: the device answered wrongly (deal {deal} of a batch: {got:#x}, by the processor "
        f"{right:#x}); nothing of this unit is kept. See `camicia info`, its driver, and docs/gpu.md"
    )


cdef int play_batch(const Kernel *kernel, Batch *batch, size_t count, Watch *watch) except -1 nogil:
    """Play the first `count` deals of a batch exactly, whatever the kernel.

    `batch.results` gets each result packed. Loops, and results too large for that, get 0 there and stand in
    `batch.late`, `batch.late_count` of them in the order of the deals. Raises MemoryError, and what the watch
    raises.
    """
    cdef bint in_lanes = kernel.kind in (LANES_KERNEL, DEVICE) and batch.form.links
    cdef Workspace *workspace = NULL
    cdef uint8_t *codes = NULL
    cdef size_t deal
    cdef size_t checked = 0                         # deals that the device has played and the ring plays again
    cdef uint32_t of_device
    batch.late_count = 0
    look(watch)
    if in_lanes and kernel.kind == DEVICE:
        checked = play_on_device(batch, count)
    elif in_lanes:
        kernel.lanes.play(batch, 0, count)
    try:
        for deal in range(count):
            if in_lanes and batch.results[deal] and deal >= checked:
                continue
            if codes is NULL:
                codes = <uint8_t *> malloc(batch.size)
                workspace = open_workspace(batch.size, watch)
                if codes is NULL or workspace is NULL:
                    with gil:
                        raise MemoryError(f"no memory for a game of {batch.size:,} cards")
            of_device = batch.results[deal] if deal < checked else 0
            play_late(kernel, batch, deal, workspace, codes)
            if of_device and of_device != batch.results[deal]:
                with gil:
                    _raise_wrong_result(deal, of_device, batch.results[deal])
    finally:
        free(codes)
        close_workspace(workspace)
    return 0


cdef int play_late(
    const Kernel *kernel, Batch *batch, size_t deal, Workspace *workspace, uint8_t *codes,
) except -1 nogil:
    """Play a deal that is not played in lanes, or whose result was not to be had there."""
    cdef Outcome *outcome = &batch.late[batch.late_count].outcome
    cdef size_t cut = get_deal(batch, deal, codes)
    if kernel.kind == REFERENCE:
        play_reference(codes, cut, batch.size, outcome)
    else:
        play_ring(workspace, codes, cut, codes + cut, batch.size - cut, outcome)
    if outcome.status or outcome.cards > CARDS_MASK or outcome.tricks > TRICKS_MASK:
        batch.results[deal] = 0
        batch.late[batch.late_count].deal = <uint32_t> deal
        batch.late_count += 1
    else:
        batch.results[deal] = packed_result(<uint32_t> outcome.cards, <uint32_t> outcome.tricks, outcome.winner)
    return 0
