/* The vector type of a build and its primitives: all that the game in lanes.pxi is written in.

   A `vec` holds LANES bytes, one for each game, and is as wide as the widest register that the flags of the
   build allow. A `mask` says yes or no for every lane: a mask register with AVX-512, bytes of ones or zeros
   elsewhere. All arithmetic is modulo 256; `more` compares as signed bytes, `below` as unsigned ones. */

#ifndef CAMICIA_LANES_H
#define CAMICIA_LANES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "form.h"

#define PRIMITIVE static inline __attribute__((always_inline))

#if defined(__AVX512BW__)
#include "lanes_avx512.h"
#elif defined(__AVX2__)
#include "lanes_avx2.h"
#else
#include "lanes_baseline.h"
#endif

_Static_assert(LANES == sizeof(vec), "a lane is a byte");
_Static_assert((int) LANES <= (int) MOST_LANES, "there is room for what every lane has to say");

PRIMITIVE vec nothing(void) { return splat(0); }
PRIMITIVE mask nowhere(void) { return equal(splat(0), splat(1)); }
PRIMITIVE int lowest_bit(uint64_t bits) { return __builtin_ctzll(bits); }
PRIMITIVE int count_bits(uint64_t bits) { return __builtin_popcountll(bits); }

/* The links of every game: link i of all lanes is one vec. */
typedef struct { vec link[MAX_LINKS]; } chain;

/* Each shifted card number in every lane. Comparing with memory costs one instruction; without the veil below
   GCC makes each of the sixteen constants anew, from a general register, at every step. */
#define EIGHT(v) v, v, v, v, v, v, v, v
#define EVERY_LANE(v) {EIGHT(v), EIGHT(v), EIGHT(v), EIGHT(v), EIGHT(v), EIGHT(v), EIGHT(v), EIGHT(v)}
static const uint8_t CARD_NUMBERS[MAX_LINKS][MOST_LANES] __attribute__((aligned(64))) = {
    EVERY_LANE(0x00), EVERY_LANE(0x10), EVERY_LANE(0x20), EVERY_LANE(0x30),
    EVERY_LANE(0x40), EVERY_LANE(0x50), EVERY_LANE(0x60), EVERY_LANE(0x70),
    EVERY_LANE(0x80), EVERY_LANE(0x90), EVERY_LANE(0xA0), EVERY_LANE(0xB0),
    EVERY_LANE(0xC0), EVERY_LANE(0xD0), EVERY_LANE(0xE0), EVERY_LANE(0xF0),
};

typedef const uint8_t (*numbers_in_memory)[MOST_LANES];

PRIMITIVE numbers_in_memory card_numbers(void) {
    numbers_in_memory numbers = CARD_NUMBERS;
    __asm__("" : "+r"(numbers));
    return numbers;
}

/* Write `now` as link i of the lanes where `place` is number i; returns link i of every lane. */
PRIMITIVE vec put(chain *c, numbers_in_memory numbers, int i, int gap_bits, vec place, vec now) {
    mask here = equal(place, load(numbers[i << (gap_bits - 4)]));
    return c->link[i] = choose(here, now, c->link[i]);
}

PRIMITIVE vec put2(chain *c, numbers_in_memory n, int i, int gap_bits, vec place, vec now, vec card) {
    vec even = put(c, n, i, gap_bits, place, now);
    vec odd = put(c, n, i + 1, gap_bits, place, now);
    return choose_by_bit(card, gap_bits, odd, even);
}

PRIMITIVE vec put4(chain *c, numbers_in_memory n, int i, int gap_bits, vec place, vec now, vec card) {
    vec low = put2(c, n, i, gap_bits, place, now, card);
    vec high = put2(c, n, i + 2, gap_bits, place, now, card);
    return choose_by_bit(card, gap_bits + 1, high, low);
}

PRIMITIVE vec put8(chain *c, numbers_in_memory n, int i, int gap_bits, vec place, vec now, vec card) {
    vec low = put4(c, n, i, gap_bits, place, now, card);
    vec high = put4(c, n, i + 4, gap_bits, place, now, card);
    return choose_by_bit(card, gap_bits + 2, high, low);
}

/* In every lane write `now` as the link of card `place`, then read the link of `card`. `links` and `gap_bits`
   are constants of the caller. The writes and the tree of choices that reads are interleaved, depth first,
   so that few links are in registers at a time. Neither NONE nor any other wrong `place` is written. */
PRIMITIVE vec put_and_read(chain *c, int links, int gap_bits, vec place, vec now, vec card) {
    numbers_in_memory numbers = card_numbers();
    vec low = put8(c, numbers, 0, gap_bits, place, now, card);
    if (links == 8)
        return low;
    vec high = links == 12 ? put4(c, numbers, 8, gap_bits, place, now, card)
                           : put8(c, numbers, 8, gap_bits, place, now, card);
    return choose_by_bit(card, gap_bits + 3, high, low);
}

/* The three below are written out because GCC keeps a chain in registers only if every index is a constant. */
#define FIRST_EIGHT(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define NEXT_FOUR(DO) DO(8) DO(9) DO(10) DO(11)
#define LAST_FOUR(DO) DO(12) DO(13) DO(14) DO(15)
#define UP_TO(links, DO) FIRST_EIGHT(DO) if (links > 8) { NEXT_FOUR(DO) } if (links > 12) { LAST_FOUR(DO) }

PRIMITIVE void clear_chain(chain *c) {
#define CLEAR(i) c->link[i] = splat(0);
    UP_TO(MAX_LINKS, CLEAR)
#undef CLEAR
}

/* Write `now` as the link of card `place` in every lane. */
PRIMITIVE void put_chain(chain *c, int links, int gap_bits, vec place, vec now) {
    numbers_in_memory numbers = card_numbers();
#define PUT(i) put(c, numbers, i, gap_bits, place, now);
    UP_TO(links, PUT)
#undef PUT
}

/* Give the free seats the links of their new deals, a row for each link. */
PRIMITIVE void seat_chain(chain *c, int links, const usher *u) {
#define SEAT(i) c->link[i] = seated(u, c->link[i], i);
    UP_TO(links, SEAT)
#undef SEAT
}

/* Sixteen bytes, whatever the width of a vec. */
typedef uint8_t bytes16 __attribute__((vector_size(16)));

#if defined(__clang__) || __GNUC__ >= 12
#define PICK16(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define PICK16(a, b, ...) __builtin_shuffle(a, b, (bytes16) {__VA_ARGS__})
#endif

/* Turn a square of sixteen rows of sixteen bytes: interleaving the first half of the rows with the second does
   it in four rounds. Column i goes to `columns` + i * LANES. */
PRIMITIVE void turn_square(bytes16 *row, uint8_t *columns) {
    bytes16 next[16];
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 8; i++) {
            next[2 * i] = PICK16(row[i], row[i + 8], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
            next[2 * i + 1] =
                PICK16(row[i], row[i + 8], 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        }
        for (int i = 0; i < 16; i++)
            row[i] = next[i];
    }
    for (int i = 0; i < 16; i++)
        memcpy(columns + i * LANES, &row[i], 16);
}

/* Turn LANES deals of `size` codes, `stride` bytes apart, into one vec a card. `cards` has room for sixteen
   cards at least. */
PRIMITIVE void turn(const uint8_t *const *deals, Py_ssize_t stride, size_t size, uint8_t *cards) {
    bytes16 row[16];
    if (stride != 1) {
        for (int lane = 0; lane < LANES; lane++)
            for (size_t card = 0; card < size; card++)
                cards[card * LANES + lane] = deals[lane][(Py_ssize_t) card * stride];
        return;
    }
    for (int lane = 0; lane < LANES; lane += 16) {
        for (size_t card = 0; card < size; card += 16) {
            /* The last square reaches back over cards already done, for no byte past a deal may be read. */
            size_t from = card + 16 <= size || size < 16 ? card : size - 16;
            for (int i = 0; i < 16; i++) {
                row[i] = (bytes16) {0};
                if (size >= 16)
                    memcpy(&row[i], deals[lane + i] + from, 16);
                else
                    memcpy(&row[i], deals[lane + i], size);
            }
            turn_square(row, cards + from * LANES + lane);
        }
    }
}

#endif
