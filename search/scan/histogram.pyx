"""Games by their number of tricks, for other compiled modules."""

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset


cdef bint open_histogram(Histogram *histogram) noexcept nogil:
    """Make empty bins; whether there was memory."""
    histogram.room = FIRST_BINS
    histogram.bins = <uint64_t *> calloc(FIRST_BINS, sizeof(uint64_t))
    return histogram.bins is not NULL


cdef void close_histogram(Histogram *histogram) noexcept nogil:
    """Give the room back."""
    free(histogram.bins)


cdef bint make_bin(Histogram *histogram, int64_t tricks) noexcept nogil:
    """See that there is a bin for that many tricks; False if there is no memory."""
    cdef int64_t room
    cdef void *bins
    if tricks < histogram.room:
        return True
    room = max(2 * histogram.room, tricks + 1)
    bins = realloc(histogram.bins, <size_t> room * sizeof(uint64_t))
    if bins is NULL:
        return False
    histogram.bins = <uint64_t *> bins
    memset(histogram.bins + histogram.room, 0, <size_t> (room - histogram.room) * sizeof(uint64_t))
    histogram.room = room
    return True


cdef dict filled_bins(const Histogram *histogram):
    """The games of each number of tricks, without the empty bins."""
    cdef int64_t tricks
    return {tricks: histogram.bins[tricks] for tricks in range(histogram.room) if histogram.bins[tricks]}
