"""Deals in the kernels' own form, as an object; and results as rows."""

from libc.stdint cimport uint8_t

from camicia.kernels.batch cimport Batch


cdef class Prepared:
    cdef Batch *batch
    cdef size_t count
    cdef tuple counts


cdef void write_results(const Batch *batch, size_t count, uint8_t *rows) noexcept nogil
