"""Streams of random deals for other compiled modules."""

from libc.stdint cimport uint8_t
from numpy.random cimport bitgen_t

from camicia.batch cimport Batch
from camicia.circle cimport Circle


cdef class DealStream:
    cdef object generator
    cdef bitgen_t *bits
    cdef uint8_t *circle
    cdef uint8_t relabellings[24][5]
    cdef Circle chained
    cdef bint is_chained
    cdef Py_ssize_t rotation
    cdef int relabelling
    cdef readonly int relabelling_count
    cdef readonly Py_ssize_t size
    cdef readonly Py_ssize_t rotations
    cdef readonly Py_ssize_t deals_per_shuffle

    cdef void shuffle(self) noexcept nogil
    cdef void fill(self, uint8_t *codes, Py_ssize_t count) noexcept nogil
    cdef void fill_batch(self, Batch *batch, size_t count) noexcept nogil
