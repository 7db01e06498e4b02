"""Streams of random deals for other compiled modules."""

from libc.stdint cimport uint8_t

from camicia.kernels.batch cimport MOST_RELABELLINGS, Batch
from camicia.deals.bits cimport bitgen_t
from camicia.deals.circle cimport Circle
from camicia.deals.source cimport DealSource


cdef class DealStream(DealSource):
    cdef object generator
    cdef bitgen_t *bits
    cdef uint8_t *circle
    cdef uint8_t relabellings[MOST_RELABELLINGS][5]
    cdef Circle chained
    cdef bint is_chained
    cdef Py_ssize_t rotation
    cdef int relabelling
    cdef readonly int relabelling_count
    cdef readonly Py_ssize_t rotations
    cdef readonly Py_ssize_t deals_per_shuffle

    cdef void shuffle(self) noexcept nogil
    cdef void write_rows(self, uint8_t *codes, Py_ssize_t count) noexcept nogil
    cdef void fill(self, Batch *batch, size_t count) noexcept nogil
