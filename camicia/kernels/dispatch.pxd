"""The kernels for other compiled modules: choose one, then play whole batches on it without the GIL."""

from camicia.kernels.batch cimport Batch, Lanes
from camicia.watch cimport Watch


cdef enum Kind:
    REFERENCE
    RING
    LANES_KERNEL
    DEVICE


cdef struct Kernel:
    Kind kind
    Lanes lanes             # of a LANES_KERNEL; a DEVICE only encodes by them


cdef const Kernel *kernel_named(object name) except NULL
cdef int play_batch(const Kernel *kernel, Batch *batch, size_t count, Watch *watch) except -1 nogil
