"""Deals in the kernels' own form, as an object."""

from camicia.kernels.batch cimport Batch


cdef class Prepared:
    cdef Batch *batch
    cdef size_t count
    cdef tuple counts
