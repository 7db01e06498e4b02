/* The form of a deal that the kernels play: its constants, and how a result is packed. Shared by C and Cython;
   batch.pxd tells what it all means. */

#ifndef CAMICIA_FORM_H
#define CAMICIA_FORM_H

#include <stdint.h>

/* The code of an ace, the highest there is. */
enum { HIGHEST_CODE = 4 };

/* Payment cards that a deal in lanes may have, and cards: 89 number cards and 8 payment cards. */
enum { MAX_LINKS = 16, MOST_CARDS_IN_LANES = 97 };

/* The rows of a batch. The first MAX_LINKS are the links. */
enum {
    FIRST_A = MAX_LINKS, /* first payment card of hand A, or NONE */
    LAST_A,              /* its last payment card */
    LEAD_A,              /* number cards before the first */
    TRAIL_A,             /* number cards after the last */
    FIRST_B,
    LAST_B,
    OWED_B, /* hand B's lead plus hand A's trail: see the start of a game in lanes.pxi */
    TRAIL_B,
    WIDE_X, /* a wide gap, 0 if there is none */
    WIDE_Y,
    COST, /* four rows: the penalty of each rank */
    ROWS = COST + 4
};

/* In place of a card number. */
enum { NONE = 8 };

/* Deals of a batch: its rows and results stay in a second-level cache, and the lanes seldom run dry. That costs
   about 300 steps of all of them at the end of each batch, 2% of one of this size. */
enum { BATCH_DEALS = 16384 };

/* Games in lanes at once, at most. Bytes past the last deal of a row that the lanes may read, and that writers may
   scribble on. */
enum { MOST_LANES = 64, MARGIN = 64 };

/* Relabellings of four ranks of equal count. */
enum { MOST_RELABELLINGS = 24 };

/* The widest gap that a link holds; the two beyond it are the codes of wide gaps. */
static inline uint8_t widest_gap(int gap_bits) { return (uint8_t) ((1 << gap_bits) - 3); }

/* Card numbers stand shifted by 4 or 5 bits: none has the bit of NONE, and 16 << 4 has no byte. */
_Static_assert(NONE < 1 << 4 && MAX_LINKS << 4 == 256, "card numbers, and NONE, fit a byte and differ");
_Static_assert(MARGIN >= MOST_LANES, "lanes read and write whole vectors");

/* A packed result: cards, then tricks, then the winner. 0 is no game's: it means that the result stands elsewhere. */
enum { TRICKS_SHIFT = 16, WINNER_SHIFT = 31, CARDS_MASK = 0xFFFF, TRICKS_MASK = 0x7FFF };
_Static_assert(CARDS_MASK == (1 << TRICKS_SHIFT) - 1, "cards end where tricks begin");
_Static_assert((uint32_t) TRICKS_MASK << TRICKS_SHIFT == (UINT32_C(1) << WINNER_SHIFT) - 1 - CARDS_MASK,
               "tricks end where the winner begins");

static inline uint32_t packed_result(uint32_t cards, uint32_t tricks, uint32_t winner)
{
    return cards | tricks << TRICKS_SHIFT | winner << WINNER_SHIFT;
}

static inline uint32_t packed_cards(uint32_t result) { return result & CARDS_MASK; }
static inline uint32_t packed_tricks(uint32_t result) { return result >> TRICKS_SHIFT & TRICKS_MASK; }
static inline uint32_t packed_winner(uint32_t result) { return result >> WINNER_SHIFT; }

#endif
