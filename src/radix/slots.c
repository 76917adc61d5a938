/* A tally of up to 16 different keys by a perfect hash: each has one of 16 slots to itself. A key is multiplied by a factor; 4
 * high bits of the product, turned (exclusive or) by what a table has for its 3 highest, are the slot. Vectors look up both tables,
 * the turns and the slots' keys, in registers. That a key is its slot's is seen to by comparing them, and slots are counted in
 * nibbles (nibble_words.h).
 *
 * It takes a fixed number of steps, where first_look.c's compares take two for each of the keys: with 16 of them and AVX2 0.75 of
 * the time (an EPYC, 2026-11); AVX-512 halves the steps again, since a register then holds all slots.
 *
 * Turns are found as in Fox, Heath, Chen and Daoud, Practical Minimal Perfect Hash Functions for Large Databases (1992): the
 * fullest of the 8 groups first, each by the first turn that brings it to free slots. 5 factors are tried on average for 16
 * keys; 85 were the most in 200,000 trials. */
#include "radix/slots.h"

#include <string.h>

#if defined(__x86_64__)
#include "radix/nibble_words.h"

enum {
    SLOTS = WW__TALLY_MOST,
    GROUPS = 8,
    GROUP_SHIFT = 29,
    SLOT_SHIFT = 25,
    FACTORS = 1000, /* that are tried */
    LEAST = 9       /* keys; fewer are compared with all at once (first_look.c) */
};
_Static_assert(SLOTS == (int)WW__NIBBLE_VALUES, "slots are counted in nibbles");

typedef struct slots {
    uint32_t factor;
    uint32_t turn[SLOTS]; /* of each group; as long as a register */
    uint32_t key[SLOTS];  /* of each slot; where it is free, one that has another */
} slots;

static uint32_t slot_of(const slots *s, uint32_t key) {
    const uint32_t product = key * s->factor;
    return (product >> SLOT_SHIFT ^ s->turn[product >> GROUP_SHIFT]) % SLOTS;
}

/* The slots that a group takes, when turned. */
static uint32_t turned(uint32_t group, uint32_t turn) {
    uint32_t to = 0;
    for (uint32_t slot = 0; slot < SLOTS; slot++) to |= (group >> slot & 1) << (slot ^ turn);
    return to;
}

static bool find_turns(slots *s, const uint32_t *keys, size_t many) {
    uint32_t group[GROUPS] = {0}, taken = 0;
    for (size_t i = 0; i < many; i++) {
        const uint32_t product = keys[i] * s->factor, slot = 1u << (product >> SLOT_SHIFT) % SLOTS;
        if (group[product >> GROUP_SHIFT] & slot) return false;
        group[product >> GROUP_SHIFT] |= slot;
    }
    for (int size = SLOTS; size > 0; size--)
        for (size_t g = 0; g < GROUPS; g++) {
            uint32_t turn = 0;
            if (__builtin_popcount(group[g]) != size) continue;
            while (turn < SLOTS && turned(group[g], turn) & taken) turn++;
            if (turn == SLOTS) return false;
            taken |= turned(group[g], turn);
            s->turn[g] = turn;
        }
    return true;
}

static bool find_slots(slots *s, const uint32_t *keys, size_t many) {
    uint32_t factor = 0x9e3779b1;
    for (int trial = 0; trial < FACTORS; trial++, factor = factor * 1664525 + 1013904223) {
        memset(s, 0, sizeof *s);
        s->factor = factor | 1;
        if (!find_turns(s, keys, many)) continue;
        for (size_t i = 0; i < SLOTS; i++) s->key[i] = keys[0];
        for (size_t i = 0; i < many; i++) s->key[slot_of(s, keys[i])] = keys[i];
        return true;
    }
    return false;
}

typedef uint32_t any_key __attribute__((aligned(1), may_alias));

/* Lanes of a table by the low bits of `at`. */
WW__WORDS_INLINE(avx2) ww__words_avx2 turns_avx2(const uint32_t *table, ww__words_avx2 at) {
    return (ww__words_avx2)_mm256_permutevar8x32_epi32(_mm256_loadu_si256((const void *)table), (__m256i)at);
}
WW__WORDS_INLINE(avx2) ww__words_avx2 keys_avx2(const uint32_t *table, ww__words_avx2 at) {
    const __m256 low = (__m256)turns_avx2(table, at), high = (__m256)turns_avx2(table + 8, at);
    return (ww__words_avx2)_mm256_blendv_ps(low, high, (__m256)(at << 28));
}

WW__WORDS_INLINE(avx512) ww__words_avx512 keys_avx512(const uint32_t *table, ww__words_avx512 at) {
    return (ww__words_avx512)_mm512_permutexvar_epi32((__m512i)at, _mm512_loadu_si512((const void *)table));
}
WW__WORDS_INLINE(avx512) ww__words_avx512 turns_avx512(const uint32_t *table, ww__words_avx512 at) {
    return keys_avx512(table, at);
}

#define TALLY(width) \
    WW__TARGET_##width static bool tally_##width(const void *keys, size_t n, const void *values, size_t many, \
                                                 uint64_t *counts) { \
        enum { LANES = sizeof(ww__words_##width) / sizeof(uint32_t) }; \
        typedef ww__words_##width words; \
        const any_key *k = keys; \
        uint64_t in_slot[SLOTS] = {0}; \
        uint32_t some = 0; \
        slots s; \
        size_t i = 0; \
        if (!find_slots(&s, values, many)) return false; \
        words other = {0}; \
        WW__COUNT_NIBBLES(width, i, n, in_slot, { \
            words key; \
            __builtin_prefetch((const char *)(k + i) + WW__AHEAD); \
            memcpy(&key, k + i, sizeof key); \
            const words product = key * s.factor; \
            const words slot = product >> SLOT_SHIFT ^ turns_##width(s.turn, product >> GROUP_SHIFT); \
            other |= keys_##width(s.key, slot) ^ key; \
            fourfold = (slot & (SLOTS - 1)) * 4; \
        }); \
        for (size_t lane = 0; lane < LANES; lane++) some |= other[lane]; \
        for (; i < n; i++) { \
            in_slot[slot_of(&s, k[i])]++; \
            some |= s.key[slot_of(&s, k[i])] ^ k[i]; \
        } \
        for (size_t v = 0; v < many; v++) { \
            uint32_t value; \
            memcpy(&value, (const unsigned char *)values + v * sizeof value, sizeof value); \
            counts[v] = in_slot[slot_of(&s, value)]; \
        } \
        return some == 0; \
    }
TALLY(avx2)
TALLY(avx512)

ww__tally *ww__tally_slots_of(int vector, size_t key_size, size_t many) {
    if (vector == WW_VECTOR_PLAIN || key_size != sizeof(uint32_t) || many < LEAST) return NULL;
    return vector == WW_VECTOR_AVX512 ? tally_avx512 : tally_avx2;
}

#else
ww__tally *ww__tally_slots_of(int vector, size_t key_size, size_t many) {
    (void)vector, (void)key_size, (void)many;
    return NULL;
}
#endif
