/* Subtexts in the lanes of vectors: what the methods that divide the text share (Ashkiani 2017, sections 2.4 and 2.6.2;
 * a lane does what a thread does there).
 *
 * A piece is cut into as many subtexts as there are lanes, of `own` starts each, which is a multiple of 64, so that no two lanes
 * write one word of marks. A lane reads its subtext a word at a time (Ashkiani's char4) and takes the characters out of
 * the word, the first from its lowest bits. */
#ifndef WW__TEXT_LANES_H
#define WW__TEXT_LANES_H

#include <string.h>

#include "function/function.h"
#include "warpwise/function_widths.h"

#define WW__VECTOR_BYTES_plain 16
#define WW__VECTOR_BYTES_avx2 32
#define WW__VECTOR_BYTES_avx512 64

/* Vectors of this many bits a lane, and two of them at a time: one's additions hide the other's delays. */
enum { WW__LANE_VECTORS = 2, WW__LANE_AHEAD = 256 /* bytes that are fetched ahead */ };
#define WW__LANES_TYPE(bits, width) \
    typedef uint##bits##_t ww__u##bits##_##width __attribute__((vector_size(WW__VECTOR_BYTES_##width)));
#define WW__LANES_TYPES(width, ignored) WW__LANES_TYPE(8, width) WW__LANES_TYPE(32, width) WW__LANES_TYPE(64, width)
WW__EACH_WIDTH(WW__LANES_TYPES, 0)
#define WW__LANE_COUNT(bits, width) (WW__LANE_VECTORS * WW__VECTOR_BYTES_##width / (bits / 8))

static inline uint32_t ww__word_32(const unsigned char *at) {
    uint32_t x;
    memcpy(&x, at, sizeof x);
    return x;
}
static inline uint64_t ww__word_64(const unsigned char *at) {
    uint64_t x;
    memcpy(&x, at, sizeof x);
    return x;
}

/* A word for each lane of one vector; the lanes' subtexts are `apart` bytes apart. */
#define WW__WORDS_2(W, at, apart) ww__word_##W(at), ww__word_##W((at) + (apart))
#define WW__WORDS_4(W, at, apart) WW__WORDS_2(W, at, apart), WW__WORDS_2(W, (at) + 2 * (apart), apart)
#define WW__WORDS_8(W, at, apart) WW__WORDS_4(W, at, apart), WW__WORDS_4(W, (at) + 4 * (apart), apart)
#define WW__WORDS_16(W, at, apart) WW__WORDS_8(W, at, apart), WW__WORDS_8(W, (at) + 8 * (apart), apart)
#define WW__WORDS_32_plain(at, apart) WW__WORDS_4(32, at, apart)
#define WW__WORDS_32_avx2(at, apart) WW__WORDS_8(32, at, apart)
#define WW__WORDS_32_avx512(at, apart) WW__WORDS_16(32, at, apart)
#define WW__WORDS_64_plain(at, apart) WW__WORDS_2(64, at, apart)
#define WW__WORDS_64_avx2(at, apart) WW__WORDS_4(64, at, apart)
#define WW__WORDS_64_avx512(at, apart) WW__WORDS_8(64, at, apart)

/* 'A' to 'Z' become 'a' to 'z' in every byte of a vector of T. */
#define WW__FOLDED_LANES(T, width, x) \
    ((x) | (T)((ww__u8_##width)((ww__u8_##width)(x) - (unsigned char)'A' < (unsigned char)26) & (unsigned char)32))

/* What is read at `before` and then at `word`, from bit `off` on, of W bits; off is below W. */
#define WW__FROM_BIT(before, word, off, W) ((before) >> (off) | (word) << (W - 1 - (off)) << 1)

/* Starts of each lane; 0: there are too few. An odd number of lines, so that the lanes do not meet in one set of the cache. In
 * packed texts a lane reads a word ahead, which must be there. */
static inline uint64_t ww__own_starts(uint64_t starts, uint64_t lanes, unsigned step) {
    const uint64_t ahead = step == 8 ? 0 : 256, lines = starts > ahead ? (starts - ahead) / (lanes * 64) : 0;
    return (lines ? (lines - 1) | 1 : 0) * 64;
}

#endif
