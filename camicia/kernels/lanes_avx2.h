/* The primitives of lanes.h with AVX2: 32 lanes, masks of whole bytes. */

#include <immintrin.h>

enum { LANES = 32 };
typedef __m256i vec;
typedef __m256i mask;

PRIMITIVE vec splat(int value) { return _mm256_set1_epi8((char) value); }
PRIMITIVE vec load(const uint8_t *from) { return _mm256_loadu_si256((const __m256i *) from); }
PRIMITIVE void store(uint8_t *to, vec v) { _mm256_storeu_si256((__m256i *) to, v); }
PRIMITIVE vec plus(vec a, vec b) { return _mm256_add_epi8(a, b); }
PRIMITIVE vec minus(vec a, vec b) { return _mm256_sub_epi8(a, b); }
PRIMITIVE vec common_bits(vec a, vec b) { return _mm256_and_si256(a, b); }
PRIMITIVE vec joined_bits(vec a, vec b) { return _mm256_or_si256(a, b); }
PRIMITIVE vec lesser(vec a, vec b) { return _mm256_min_epu8(a, b); }
PRIMITIVE vec greater(vec a, vec b) { return _mm256_max_epu8(a, b); }
PRIMITIVE mask equal(vec a, vec b) { return _mm256_cmpeq_epi8(a, b); }
PRIMITIVE mask more(vec a, vec b) { return _mm256_cmpgt_epi8(a, b); }
PRIMITIVE mask both(mask m, mask n) { return _mm256_and_si256(m, n); }
PRIMITIVE mask either(mask m, mask n) { return _mm256_or_si256(m, n); }
PRIMITIVE mask but_not(mask m, mask n) { return _mm256_andnot_si256(n, m); }
PRIMITIVE mask differ(mask m, mask n) { return _mm256_xor_si256(m, n); }
PRIMITIVE mask below(vec a, vec b) { return but_not(splat(-1), equal(greater(a, b), a)); }
PRIMITIVE vec choose(mask m, vec yes, vec no) { return _mm256_blendv_epi8(no, yes, m); }
PRIMITIVE vec plus_where(mask m, vec a, vec b) { return plus(a, both(m, b)); }
PRIMITIVE vec keep_where(mask m, vec a) { return both(m, a); }
/* A blend looks at the top bit of each byte only, so the bit is shifted there, whatever else comes along. */
PRIMITIVE vec choose_by_bit(vec by, int bit, vec yes, vec no) {
    return choose(_mm256_slli_epi16(by, 7 - bit), yes, no);
}
PRIMITIVE uint64_t lanes_of(mask m) { return (uint32_t) _mm256_movemask_epi8(m); }

/* How to lead consecutive deals of a batch to the lanes that are free. Each half of a register, which is as far
   as a shuffle of bytes reaches, has its own first deal, and each of its lanes a place after that. */
typedef struct {
    mask seats;
    vec place;
    const uint8_t *half[2];
    size_t stride;
} usher;

PRIMITIVE usher usher_for(uint64_t seats, const uint8_t *rows, size_t stride) {
    usher u;
    u.stride = stride;
    u.half[0] = rows;
    u.half[1] = rows + __builtin_popcountll(seats & 0xFFFF);
    /* Every lane gets the byte of `seats` that has its bit, and keeps the bit. */
    const vec bytes = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const vec bits = _mm256_set1_epi64x((int64_t) 0x8040201008040201);
    u.seats = equal(both(_mm256_shuffle_epi8(_mm256_set1_epi32((int) seats), bytes), bits), bits);
    /* How many free seats there are up to each lane of a half, by doubling strides; less one. */
    vec sum = both(u.seats, splat(1));
    sum = plus(sum, _mm256_bslli_epi128(sum, 1));
    sum = plus(sum, _mm256_bslli_epi128(sum, 2));
    sum = plus(sum, _mm256_bslli_epi128(sum, 4));
    sum = plus(sum, _mm256_bslli_epi128(sum, 8));
    u.place = minus(sum, splat(1));
    return u;
}

PRIMITIVE mask seats_of(const usher *u) { return u->seats; }

/* The lanes of `old`, but those of the free seats from a row of the batch. */
PRIMITIVE vec seated(const usher *u, vec old, int row) {
    size_t at = row * u->stride;
    vec deals = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *) (u->half[0] + at)));
    deals = _mm256_inserti128_si256(deals, _mm_loadu_si128((const __m128i *) (u->half[1] + at)), 1);
    return choose(u->seats, _mm256_shuffle_epi8(deals, u->place), old);
}
