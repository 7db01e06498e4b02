"""Where deals come from, for other compiled modules."""

from libc.stdint cimport uint16_t

from camicia.kernels.batch cimport Batch


cdef class DealSource:
    cdef readonly object deck
    cdef readonly Py_ssize_t size   # cards of a deal
    cdef uint16_t counts[5]

    cdef void fill(self, Batch *batch, size_t count) noexcept nogil
