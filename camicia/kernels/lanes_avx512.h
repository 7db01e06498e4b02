/* The primitives of lanes.h with AVX-512 F, BW and VL: 64 lanes, mask registers. */

#include <immintrin.h>

enum { LANES = 64 };
typedef __m512i vec;
typedef __mmask64 mask;

PRIMITIVE vec splat(int value) { return _mm512_set1_epi8((char) value); }
PRIMITIVE vec load(const uint8_t *from) { return _mm512_loadu_si512(from); }
PRIMITIVE void store(uint8_t *to, vec v) { _mm512_storeu_si512(to, v); }
PRIMITIVE vec plus(vec a, vec b) { return _mm512_add_epi8(a, b); }
PRIMITIVE vec minus(vec a, vec b) { return _mm512_sub_epi8(a, b); }
PRIMITIVE vec common_bits(vec a, vec b) { return _mm512_and_si512(a, b); }
PRIMITIVE vec joined_bits(vec a, vec b) { return _mm512_or_si512(a, b); }
PRIMITIVE vec lesser(vec a, vec b) { return _mm512_min_epu8(a, b); }
PRIMITIVE vec greater(vec a, vec b) { return _mm512_max_epu8(a, b); }
PRIMITIVE mask equal(vec a, vec b) { return _mm512_cmpeq_epi8_mask(a, b); }
PRIMITIVE mask more(vec a, vec b) { return _mm512_cmpgt_epi8_mask(a, b); }
PRIMITIVE mask below(vec a, vec b) { return _mm512_cmplt_epu8_mask(a, b); }
PRIMITIVE mask both(mask m, mask n) { return m & n; }
PRIMITIVE mask either(mask m, mask n) { return m | n; }
PRIMITIVE mask but_not(mask m, mask n) { return m & ~n; }
PRIMITIVE mask differ(mask m, mask n) { return m ^ n; }
PRIMITIVE vec choose(mask m, vec yes, vec no) { return _mm512_mask_blend_epi8(m, no, yes); }
PRIMITIVE vec plus_where(mask m, vec a, vec b) { return _mm512_mask_add_epi8(a, m, a, b); }
PRIMITIVE vec keep_where(mask m, vec a) { return _mm512_maskz_mov_epi8(m, a); }
PRIMITIVE vec choose_by_bit(vec by, int bit, vec yes, vec no) {
    return choose(_mm512_test_epi8_mask(by, splat(1 << bit)), yes, no);
}
PRIMITIVE uint64_t lanes_of(mask m) { return m; }

/* How to lead consecutive deals of a batch to the lanes that are free. Every quarter of a register, which is as
   far as a shuffle of bytes reaches, has its own first deal, and each of its lanes a place after that. */
typedef struct {
    mask seats;
    vec place;
    const uint8_t *quarter[4];
    size_t stride;
} usher;

PRIMITIVE usher usher_for(uint64_t seats, const uint8_t *rows, size_t stride) {
    usher u;
    u.seats = seats;
    u.stride = stride;
    for (int i = 0; i < 4; i++)
        u.quarter[i] = rows + __builtin_popcountll(seats & ((UINT64_C(1) << 16 * i) - 1));
    /* How many free seats there are up to each lane of a quarter, by doubling strides; less one. */
    vec sum = keep_where(seats, splat(1));
    sum = plus(sum, _mm512_bslli_epi128(sum, 1));
    sum = plus(sum, _mm512_bslli_epi128(sum, 2));
    sum = plus(sum, _mm512_bslli_epi128(sum, 4));
    sum = plus(sum, _mm512_bslli_epi128(sum, 8));
    u.place = minus(sum, splat(1));
    return u;
}

PRIMITIVE mask seats_of(const usher *u) { return u->seats; }

/* The lanes of `old`, but those of the free seats from a row of the batch. */
PRIMITIVE vec seated(const usher *u, vec old, int row) {
    size_t at = row * u->stride;
    vec deals = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *) (u->quarter[0] + at)));
    deals = _mm512_inserti32x4(deals, _mm_loadu_si128((const __m128i *) (u->quarter[1] + at)), 1);
    deals = _mm512_inserti32x4(deals, _mm_loadu_si128((const __m128i *) (u->quarter[2] + at)), 2);
    deals = _mm512_inserti32x4(deals, _mm_loadu_si128((const __m128i *) (u->quarter[3] + at)), 3);
    return _mm512_mask_shuffle_epi8(old, u->seats, deals, u->place);
}
