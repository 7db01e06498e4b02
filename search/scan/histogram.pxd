"""Games by their number of tricks, for other compiled modules."""

from libc.stdint cimport int64_t, uint64_t

#: Bins that a histogram begins with: more tricks than any known 52-card game has.
cdef enum:
    FIRST_BINS = 2048


cdef struct Histogram:
    uint64_t *bins          # one for each number of tricks
    int64_t room            # bins there are


cdef bint open_histogram(Histogram *histogram) noexcept nogil
cdef void close_histogram(Histogram *histogram) noexcept nogil
cdef bint make_bin(Histogram *histogram, int64_t tricks) noexcept nogil
cdef dict filled_bins(const Histogram *histogram)
