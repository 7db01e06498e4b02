"""Deals that were chosen elsewhere, for other compiled modules."""

from libc.stdint cimport uint8_t

from camicia.deals.source cimport DealSource


cdef class GivenDeals(DealSource):
    cdef const uint8_t[:, ::1] rows
    cdef size_t cut
    cdef size_t next
