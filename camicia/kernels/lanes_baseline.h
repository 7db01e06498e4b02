/* The primitives of lanes.h with the vector types of GCC and Clang alone: 16 lanes, on any architecture. */

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { LANES = 16 };
typedef uint8_t vec __attribute__((vector_size(16)));
typedef int8_t signed_vec __attribute__((vector_size(16)));
typedef uint16_t wide_vec __attribute__((vector_size(16)));
typedef vec mask;

PRIMITIVE vec splat(int value) { return (vec) {0} + (uint8_t) value; }
PRIMITIVE vec load(const uint8_t *from) { vec v; memcpy(&v, from, sizeof v); return v; }
PRIMITIVE void store(uint8_t *to, vec v) { memcpy(to, &v, sizeof v); }
PRIMITIVE vec plus(vec a, vec b) { return a + b; }
PRIMITIVE vec minus(vec a, vec b) { return a - b; }
PRIMITIVE vec common_bits(vec a, vec b) { return a & b; }
PRIMITIVE vec joined_bits(vec a, vec b) { return a | b; }
PRIMITIVE mask equal(vec a, vec b) { return (mask) (a == b); }
PRIMITIVE mask more(vec a, vec b) { return (mask) ((signed_vec) a > (signed_vec) b); }
PRIMITIVE mask both(mask m, mask n) { return m & n; }
PRIMITIVE mask either(mask m, mask n) { return m | n; }
PRIMITIVE mask but_not(mask m, mask n) { return m & ~n; }
PRIMITIVE mask differ(mask m, mask n) { return m ^ n; }
PRIMITIVE vec choose(mask m, vec yes, vec no) { return no ^ ((yes ^ no) & m); }
PRIMITIVE vec plus_where(mask m, vec a, vec b) { return a + (b & m); }
PRIMITIVE vec keep_where(mask m, vec a) { return a & m; }
PRIMITIVE vec choose_by_bit(vec by, int bit, vec yes, vec no) {
    return choose(more(splat(0), (vec) ((wide_vec) by << (7 - bit))), yes, no);
}
#if defined(__SSE2__)
PRIMITIVE vec lesser(vec a, vec b) { return (vec) _mm_min_epu8((__m128i) a, (__m128i) b); }
PRIMITIVE vec greater(vec a, vec b) { return (vec) _mm_max_epu8((__m128i) a, (__m128i) b); }
PRIMITIVE mask below(vec a, vec b) { return ~equal(greater(a, b), a); }
PRIMITIVE uint64_t lanes_of(mask m) { return (uint32_t) _mm_movemask_epi8((__m128i) m); }
#else
PRIMITIVE mask below(vec a, vec b) { return (mask) (a < b); }
PRIMITIVE vec lesser(vec a, vec b) { return choose(below(a, b), a, b); }
PRIMITIVE vec greater(vec a, vec b) { return choose(below(a, b), b, a); }
PRIMITIVE uint64_t lanes_of(mask m) {
    uint64_t lanes = 0;
    for (int lane = 0; lane < LANES; lane++)
        lanes |= (uint64_t) (m[lane] & 1) << lane;
    return lanes;
}
#endif

/* Consecutive deals of a batch, already where the lanes that are free want them: there is no shuffle by a
   variable here, and to write single bytes between vectors is slow. */
typedef struct {
    mask seats;
    uint8_t row[ROWS][LANES];
} usher;

PRIMITIVE usher usher_for(uint64_t seats, const uint8_t *rows, size_t stride) {
    usher u;
    uint8_t taken[LANES] = {0};
    for (; seats; seats &= seats - 1, rows++) {
        int lane = __builtin_ctzll(seats);
        taken[lane] = 0xFF;
        for (int i = 0; i < ROWS; i++)
            u.row[i][lane] = rows[i * stride];
    }
    u.seats = load(taken);
    return u;
}

PRIMITIVE mask seats_of(const usher *u) { return u->seats; }

/* The lanes of `old`, but those of the free seats from a row of the batch. */
PRIMITIVE vec seated(const usher *u, vec old, int row) { return choose(u->seats, load(u->row[row]), old); }
