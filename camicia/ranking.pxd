"""Ranks for other compiled modules: 128 bits in two words, no Python object, no GIL."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t


cdef struct Rank:
    uint64_t high
    uint64_t low


cdef struct Ranking:
    Rank deal_count
    uint32_t counts[5]      # cards of each code
    uint32_t size


cdef bint open_ranking(Ranking *ranking, const uint32_t *counts) noexcept nogil
cdef Rank rank_codes(const Ranking *ranking, const uint8_t *codes) noexcept nogil
cdef void unrank_codes(const Ranking *ranking, Rank rank, uint8_t *codes) noexcept nogil
cdef size_t next_deal(uint8_t *codes, size_t size) noexcept nogil
cdef Rank rank_from(object number) except *
cdef object rank_number(Rank rank)
