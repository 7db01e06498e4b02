/* What every game adds to an account, for blocks of packed results: checksum, sums, extremes.

   Written once as a plain loop that compilers vectorise, and compiled also for AVX2 and AVX-512, which halve
   its time and halve it again; the choice is made by what the CPU and the system support. The numbers are the
   same everywhere. account.pyx tells where the mixing function comes from. */

#ifndef CAMICIA_TALLY_H
#define CAMICIA_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "form.h"

/* The odd multipliers that keep a game's number, lengths and status apart before they are mixed: the golden ratio
   of SplitMix64, and the fractional parts of the square roots of 3, 5 and 7, made odd. */
#define NUMBER_FACTOR 0x9E3779B97F4A7C15ULL
#define CARDS_FACTOR 0xBB67AE8584CAA73BULL
#define TRICKS_FACTOR 0x3C6EF372FE94F82BULL
#define STATUS_FACTOR 0xA54FF53A5F1D36F1ULL

typedef struct {
    uint64_t checksum;
    uint64_t cards;
    uint32_t most_cards;
    uint32_t most_tricks;
    uint32_t zeros; /* results that are told elsewhere; they are in the checksum as games of nothing */
} Tally;

/* The finaliser of SplitMix64: every bit of the word touches every bit of the result. */
static inline __attribute__((always_inline)) uint64_t mix(uint64_t word)
{
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ULL;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBULL;
    return word ^ (word >> 31);
}

static inline __attribute__((always_inline)) uint64_t mixed_game(
    uint64_t number, uint64_t status, uint64_t cards, uint64_t tricks)
{
    return mix(
        number * NUMBER_FACTOR + cards * CARDS_FACTOR + tricks * TRICKS_FACTOR + status * STATUS_FACTOR);
}

static inline __attribute__((always_inline)) Tally tally_any(
    const uint32_t *results, size_t count, uint64_t first_number)
{
    Tally tally = {0, 0, 0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        uint32_t cards = packed_cards(results[i]);
        uint32_t tricks = packed_tricks(results[i]);
        tally.checksum += mixed_game(first_number + i, 0, cards, tricks);
        tally.cards += cards;
        tally.most_cards = cards > tally.most_cards ? cards : tally.most_cards;
        tally.most_tricks = tricks > tally.most_tricks ? tricks : tally.most_tricks;
        tally.zeros += results[i] == 0;
    }
    return tally;
}

#if defined(__x86_64__) && defined(__GNUC__)

__attribute__((target("avx2"))) static Tally tally_avx2(
    const uint32_t *results, size_t count, uint64_t first_number)
{
    return tally_any(results, count, first_number);
}

__attribute__((target("avx512f,avx512dq,avx512vl"))) static Tally tally_avx512(
    const uint32_t *results, size_t count, uint64_t first_number)
{
    return tally_any(results, count, first_number);
}

static Tally tally_block(const uint32_t *results, size_t count, uint64_t first_number)
{
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return tally_avx512(results, count, first_number);
    if (__builtin_cpu_supports("avx2"))
        return tally_avx2(results, count, first_number);
    return tally_any(results, count, first_number);
}

#else

static Tally tally_block(const uint32_t *results, size_t count, uint64_t first_number)
{
    return tally_any(results, count, first_number);
}

#endif

#endif
