/* Marking where a pattern fits but for a few characters.
 *
 * The plain body takes one start after the other and counts eight characters at a time, until more differ than may.
 *
 * The vectors take a block of some hundred starts at once, a byte of a counter each, and one character of the pattern after
 * the other: the counters of those starts go up at which the text has that character. After i characters a start with fewer
 * than i - most equal ones is out, and when all are, so is the block: in most texts that is after most + 2 or 3 characters,
 * where those come first that are rare. (So looking first for one of most + 1 parts of the pattern, which has to be there
 * unchanged, gains nothing here: it would compare twice as many characters.) A few starts that are left are looked at one by
 * one, as the plain body does. No text makes this more than one step of a vector for each character of the pattern.
 *
 * Counters saturate at 255, which is enough: a pattern of 256 characters of which one may differ asks for 255. */
#include <string.h>

#include "text/near/near_cpu.h"
#include "warpwise/function_widths.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* ---- one start ---- */

static const uint64_t ones = UINT64_C(0x0101010101010101);

static inline uint64_t word_at(const unsigned char *at) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* How many bytes of a word are not 0. */
static inline size_t bytes_set(uint64_t x) {
    const uint64_t low = x & 127 * ones, set = ((low + 127 * ones) | x) >> 7 & ones;
    return (size_t)(set * ones >> 56);
}

size_t ww__near_differences(const ww__near_needle *n, const unsigned char *at, size_t limit) {
    size_t differ = 0, i = 0;
    for (; i + 8 <= n->m && differ <= limit; i += 8)
        differ += bytes_set((word_at(at + i) | word_at(n->case_bits + i)) ^ word_at(n->pattern + i));
    for (; i < n->m && differ <= limit; i++) differ += (at[i] | n->case_bits[i]) != n->pattern[i];
    return differ;
}

static uint64_t scan_plain(const void *needle, const unsigned char *text, uint64_t first, uint64_t starts,
                           uint64_t *found) {
    const ww__near_needle *n = needle;
    uint64_t matches = 0;
    for (uint64_t i = 0; i < starts; i++)
        if (ww__near_differences(n, text + first + i, n->most) <= n->most) {
            found[i / 64] |= UINT64_C(1) << i % 64;
            matches++;
        }
    return matches;
}

#if defined(__x86_64__)
/* ---- blocks: four vectors of starts ---- */

enum {
    VECTORS = 4,
    STEP = 4 /* characters from one look at the counters to the next */,
    EACH = 16 /* a start costs so many */
};

#define INLINE static inline __attribute__((always_inline))

/* counters_WIDTH: from -128 (AVX2, which saturates bytes with a sign) or 0. */
typedef struct counters_avx2 {
    __m256i of[VECTORS];
} counters_avx2;
typedef struct counters_avx512 {
    __m512i of[VECTORS];
} counters_avx512;
enum { WORDS_avx2 = VECTORS / 2, WORDS_avx512 = VECTORS }; /* of marks of a block */

WW__TARGET_avx2 INLINE void clear_avx2(counters_avx2 *c) {
    for (int v = 0; v < VECTORS; v++) c->of[v] = _mm256_set1_epi8(-128);
}
WW__TARGET_avx512 INLINE void clear_avx512(counters_avx512 *c) {
    for (int v = 0; v < VECTORS; v++) c->of[v] = _mm512_setzero_si512();
}

WW__TARGET_avx2 INLINE void count_avx2(counters_avx2 *c, const ww__near_character *p, const unsigned char *at,
                                       bool fold) {
    const __m256i character = _mm256_set1_epi8((char)p->character), case_bit = _mm256_set1_epi8((char)p->case_bit);
    for (int v = 0; v < VECTORS; v++) {
        __m256i x = _mm256_loadu_si256((const void *)(at + p->offset + 32 * v));
        if (fold) x = _mm256_or_si256(x, case_bit);
        c->of[v] = _mm256_subs_epi8(c->of[v], _mm256_cmpeq_epi8(x, character));
    }
}
WW__TARGET_avx512 INLINE void count_avx512(counters_avx512 *c, const ww__near_character *p, const unsigned char *at,
                                           bool fold) {
    const __m512i character = _mm512_set1_epi8((char)p->character), case_bit = _mm512_set1_epi8((char)p->case_bit);
    const __m512i one = _mm512_set1_epi8(1);
    for (int v = 0; v < VECTORS; v++) {
        __m512i x = _mm512_loadu_si512((const void *)(at + p->offset + 64 * v));
        if (fold) x = _mm512_or_si512(x, case_bit);
        c->of[v] = _mm512_mask_adds_epu8(c->of[v], _mm512_cmpeq_epi8_mask(x, character), c->of[v], one);
    }
}

/* Marks the starts with at least so many equal characters, 1 to 255; returns how many there are. */
WW__TARGET_avx2 INLINE unsigned left_avx2(const counters_avx2 *c, size_t least, uint64_t *left) {
    const __m256i below = _mm256_set1_epi8((char)((int)least - 1 - 128));
    __m256i is[VECTORS];
    for (int v = 0; v < VECTORS; v++) is[v] = _mm256_cmpgt_epi8(c->of[v], below);
    const __m256i any = _mm256_or_si256(_mm256_or_si256(is[0], is[1]), _mm256_or_si256(is[2], is[3]));
    if (_mm256_testz_si256(any, any)) return 0;
    for (int w = 0; w < WORDS_avx2; w++)
        left[w] = (uint64_t)(uint32_t)_mm256_movemask_epi8(is[2 * w]) |
                  (uint64_t)(uint32_t)_mm256_movemask_epi8(is[2 * w + 1]) << 32;
    return (unsigned)(__builtin_popcountll(left[0]) + __builtin_popcountll(left[1]));
}
WW__TARGET_avx512 INLINE unsigned left_avx512(const counters_avx512 *c, size_t least, uint64_t *left) {
    const __m512i enough = _mm512_set1_epi8((char)least);
    unsigned many = 0;
    for (int v = 0; v < VECTORS; v++) {
        left[v] = _mm512_cmpge_epu8_mask(c->of[v], enough);
        many += (unsigned)__builtin_popcountll(left[v]);
    }
    return many;
}

/* Keeps the marks of starts at which the pattern fits; returns how many those are. */
static unsigned keep_near(const ww__near_needle *n, const unsigned char *at, uint64_t *marks, size_t words) {
    unsigned kept = 0;
    for (size_t w = 0; w < words; w++)
        for (uint64_t look = marks[w]; look; look &= look - 1) {
            const bool fits = ww__near_differences(n, at + 64 * w + (unsigned)__builtin_ctzll(look), n->most) <=
                              n->most;
            if (!fits) marks[w] ^= look & -look;
            kept += fits;
        }
    return kept;
}

/* A block, whose marks are clear; and all of them, with the plain body for the starts behind the last. */
#define SCAN(width) \
    WW__TARGET_##width INLINE uint64_t block_##width(const ww__near_needle *n, const unsigned char *at, \
                                                     uint64_t *found, bool fold) { \
        uint64_t left[WORDS_##width]; \
        counters_##width c; \
        clear_##width(&c); \
        for (size_t i = 0, to = n->most + 2;; to += STEP) { \
            for (; i < to && i < n->m; i++) count_##width(&c, &n->rarest[i], at, fold); \
            const unsigned many = left_##width(&c, i - n->most, left); \
            if (!many) return 0; \
            const bool one_by_one = i < n->m && EACH * many <= n->m - i; \
            if (i < n->m && !one_by_one) continue; \
            const uint64_t matches = one_by_one ? keep_near(n, at, left, WORDS_##width) : many; \
            memcpy(found, left, sizeof left); \
            return matches; \
        } \
    } \
    WW__TARGET_##width static uint64_t scan_##width(const void *needle, const unsigned char *text, uint64_t first, \
                                                    uint64_t starts, uint64_t *found) { \
        enum { BLOCK = 64 * WORDS_##width }; \
        const ww__near_needle *n = needle; \
        uint64_t matches = 0, i = 0; \
        for (; i + BLOCK <= starts; i += BLOCK) { \
            const unsigned char *const at = text + first + i; \
            for (int line = 0; line < BLOCK; line += 64) __builtin_prefetch(at + WW__AHEAD + line); \
            matches += n->fold ? block_##width(n, at, found + i / 64, true) \
                               : block_##width(n, at, found + i / 64, false); \
        } \
        return matches + scan_plain(needle, text, first + i, starts - i, found + i / 64); \
    }
SCAN(avx2)
SCAN(avx512)
#endif

ww__text_scan *ww__near_scan(const ww_device *device) {
#if defined(__x86_64__)
    if (device->vector == WW_VECTOR_AVX512) return scan_avx512;
    if (device->vector == WW_VECTOR_AVX2) return scan_avx2;
#endif
    (void)device;
    return scan_plain;
}
