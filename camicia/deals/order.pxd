"""The order of the deals of a deck for other compiled modules."""

from libc.stdint cimport uint8_t, uint32_t

from camicia.wide cimport u128


cdef struct Ranking:
    u128 deal_count
    uint32_t counts[5]      # cards of each code
    uint32_t size


cdef bint open_ranking(Ranking *ranking, const uint32_t *counts) noexcept nogil
cdef u128 rank_codes(const Ranking *ranking, const uint8_t *codes) noexcept nogil
cdef void unrank_codes(const Ranking *ranking, u128 rank, uint8_t *codes) noexcept nogil
cdef size_t next_deal(uint8_t *codes, size_t size) noexcept nogil
cdef void next_deals(uint8_t *codes, size_t size, size_t count) noexcept nogil
