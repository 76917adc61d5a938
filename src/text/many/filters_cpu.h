/* Candidate positions of many patterns in a text: the prefilters of patterns.h on a CPU. */
#ifndef WW__FILTERS_CPU_H
#define WW__FILTERS_CPU_H

#include "text/many/patterns.h"

/* A worker's. `crowded`: skimming has found so much that it is left for so many calls. */
typedef struct ww__marking {
    const ww_patterns *patterns;
    const unsigned char *text;
    uint64_t n;
    int vector;
    unsigned crowded;
} ww__marking;

/* Sets bit i of `marks`, which are clear, where a pattern may begin at text[first + i], i < starts; `first` is a multiple of
 * 64. */
void ww__filter_places(ww__marking *m, uint64_t first, uint64_t starts, uint64_t *marks);

/* The letters of 8 bytes as small ones: a byte from 'A' to 'Z' gets the bit that makes 'a' to 'z' of it. */
static inline uint64_t ww__folded_bytes(uint64_t x) {
    const uint64_t ones = UINT64_C(0x0101010101010101), low = x & 0x7F * ones;
    const uint64_t letters = (low + (0x80 - 'A') * ones) & ~(low + (0x7F - 'Z') * ones) & ~x & 0x80 * ones;
    return x | letters >> 2;
}

/* 8 bytes of the text, the first one lowest; 0 behind its end. */
static inline uint64_t ww__bytes_at(const unsigned char *text, uint64_t n, uint64_t at, bool fold) {
    uint64_t x = 0;
    if (n - at >= 8)
        __builtin_memcpy(&x, text + at, 8);
    else
        __builtin_memcpy(&x, text + at, (size_t)(n - at));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    return fold ? ww__folded_bytes(x) : x;
}

#endif
