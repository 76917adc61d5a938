/* Counting up to 16 values in the nibbles of words of 32 bits that stand side by side in a vector: values 0 to 7 in one word, 8 to
 * 15 in another. After 15 vectors a word's nibbles are added to bytes, and after 17 such rounds these to the counts.
 * For x86-64: the AVX2 and AVX-512 loops of nibbles.c and slots.c. */
#ifndef WW__NIBBLE_WORDS_H
#define WW__NIBBLE_WORDS_H

#include <immintrin.h>

#include "warpwise/function_widths.h"

enum {
    WW__NIBBLE_VALUES = 16,
    WW__NIBBLE_ROUND = 15, /* what a nibble counts */
    WW__NIBBLE_ROUNDS = 17 /* … and a byte, of these */
};

typedef uint32_t ww__words_avx2 __attribute__((vector_size(32), may_alias));
typedef uint32_t ww__words_avx512 __attribute__((vector_size(64), may_alias));

#define WW__WORDS_INLINE(width) WW__TARGET_##width static inline __attribute__((always_inline))

/* Ones moved up by so many bits, none by 32 or more. */
WW__WORDS_INLINE(avx2) ww__words_avx2 ww__ones_avx2(ww__words_avx2 up) {
    return (ww__words_avx2)_mm256_sllv_epi32(_mm256_set1_epi32(1), (__m256i)up);
}
WW__WORDS_INLINE(avx512) ww__words_avx512 ww__ones_avx512(ww__words_avx512 up) {
    return (ww__words_avx512)_mm512_sllv_epi32(_mm512_set1_epi32(1), (__m512i)up);
}

/* word[0] and [1] count the values given, 4 times themselves; bytes[0 … 3] those words' nibbles, in each the even ones first. */
#define WW__NIBBLE_WORDS(width) \
    WW__WORDS_INLINE(width) void ww__count_words_##width(ww__words_##width *word, ww__words_##width fourfold) { \
        word[0] += ww__ones_##width(fourfold); \
        word[1] += ww__ones_##width(fourfold - 32); \
    } \
    WW__WORDS_INLINE(width) void ww__add_words_##width(ww__words_##width *bytes, const ww__words_##width *word) { \
        for (int half = 0; half < 2; half++) { \
            bytes[2 * half] += word[half] & 0x0f0f0f0f; \
            bytes[2 * half + 1] += word[half] >> 4 & 0x0f0f0f0f; \
        } \
    } \
    WW__WORDS_INLINE(width) void ww__add_bytes_##width(uint64_t *counts, const ww__words_##width *bytes) { \
        for (size_t lane = 0; lane < sizeof *bytes / sizeof(uint32_t); lane++) \
            for (size_t v = 0; v < WW__NIBBLE_VALUES; v++) \
                counts[v] += bytes[v / 8 * 2 + v % 2][lane] >> v % 8 / 2 * 8 & 0xff; \
    }
WW__NIBBLE_WORDS(avx2)
WW__NIBBLE_WORDS(avx512)

/* Counts values of n elements, whole rounds of them, from i on, which is where it stops. What is behind `counts` is done for the
 * elements from i on that fill a vector of words: it sets `fourfold`. */
#define WW__COUNT_NIBBLES(width, i, n, counts, ...) \
    do { \
        enum { WORDS_ = sizeof(ww__words_##width) / sizeof(uint32_t), ELEMENTS_ = WORDS_ * WW__NIBBLE_ROUND }; \
        while (i + ELEMENTS_ <= n) { \
            ww__words_##width bytes_[4] = {{0}}; \
            for (int round_ = 0; round_ < WW__NIBBLE_ROUNDS && i + ELEMENTS_ <= n; round_++) { \
                ww__words_##width word_[2] = {{0}}; \
                for (int turn_ = 0; turn_ < WW__NIBBLE_ROUND; turn_++, i += WORDS_) { \
                    ww__words_##width fourfold; \
                    __VA_ARGS__ \
                    ww__count_words_##width(word_, fourfold); \
                } \
                ww__add_words_##width(bytes_, word_); \
            } \
            ww__add_bytes_##width(counts, bytes_); \
        } \
    } while (0)

#endif
