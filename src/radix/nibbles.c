/* Counting numbers by a digit of up to 4 bits in the nibbles of vectors of words (nibble_words.h). It takes vectors whose lanes are
 * shifted each by a count of its own (AVX2), and a third of the time that counters in memory take (an EPYC, 2026-11). */
#include "radix/nibbles.h"

#include <string.h>

#if defined(__x86_64__)
#include "radix/nibble_words.h"

/* Keys that are numbers as they are need not be made ones. Whole functions, not inline ones in a function: vectors longer than a
 * function's own, which 64-bit keys have here, are taken apart before it is part of another one. */
#define AS_THEY_ARE(at) (at)
/* Of vectors, too. */
#define MADE(at) WW_KEY_NUMBER_IN(8 * sizeof(flip), at, flip, fold)

#define COUNTING(name, KEY, width, NUMBER) \
    WW__TARGET_##width static ww__word name##_##KEY##_##width(const ww__radix_count *count) { \
        enum { LANES = sizeof(ww__words_##width) / sizeof(uint32_t) }; \
        typedef ww__words_##width words; \
        typedef KEY key __attribute__((aligned(1), may_alias)); \
        typedef KEY keys __attribute__((vector_size(LANES * sizeof(KEY)), aligned(1), may_alias)); \
        const key *k = count->keys, *first = count->first; \
        const KEY flip = (KEY)count->order.flip, fold = (KEY)count->order.fold, one = (KEY)NUMBER(*first); \
        const KEY mask = (KEY)((1u << count->bits) - 1); \
        const unsigned low = count->low; \
        uint64_t counts[WW__NIBBLE_VALUES] = {0}; \
        keys differ = {0}; \
        KEY differing = 0; \
        size_t i = 0; \
        (void)flip, (void)fold; \
        WW__COUNT_NIBBLES(width, i, count->n, counts, { \
            for (size_t f = 0; f < sizeof(keys); f += 64) __builtin_prefetch((const char *)(k + i) + WW__AHEAD + f); \
            const keys at = *(const keys *)(k + i), number = NUMBER(at); \
            differ |= number ^ one; \
            fourfold = __builtin_convertvector(WW_KEY_DIGIT(number, low, mask), words) * 4; \
        }); \
        for (size_t lane = 0; lane < LANES; lane++) differing |= differ[lane]; \
        for (; i < count->n; i++) { \
            const KEY number = (KEY)NUMBER(k[i]); \
            differing |= number ^ one; \
            counts[WW_KEY_DIGIT(number, low, mask)]++; \
        } \
        memcpy(count->counts, counts, sizeof *counts << count->bits); \
        return differing; \
    }
#define COUNTINGS(KEY, width) \
    COUNTING(as_they_are, KEY, width, AS_THEY_ARE) \
    COUNTING(made, KEY, width, MADE) \
    static ww__word nibbles_##KEY##_##width(const ww__radix_count *count) { \
        return count->order.flip | count->order.fold ? made_##KEY##_##width(count) \
                                                     : as_they_are_##KEY##_##width(count); \
    }
COUNTINGS(uint32_t, avx2)
COUNTINGS(uint64_t, avx2)
COUNTINGS(uint32_t, avx512)
COUNTINGS(uint64_t, avx512)

ww__count_nibbles *ww__count_nibbles_of(int vector, size_t key_size) {
    const bool wide = vector == WW_VECTOR_AVX512;
    if (vector == WW_VECTOR_PLAIN) return NULL;
    if (key_size == 4) return wide ? nibbles_uint32_t_avx512 : nibbles_uint32_t_avx2;
    return key_size != 8 ? NULL : wide ? nibbles_uint64_t_avx512 : nibbles_uint64_t_avx2;
}

#else
ww__count_nibbles *ww__count_nibbles_of(int vector, size_t key_size) {
    (void)vector, (void)key_size;
    return NULL;
}
#endif
