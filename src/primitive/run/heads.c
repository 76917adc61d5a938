/* A tile's elements are compared with the same ones one place further, a word of 64 bits at a time. */
#include "primitive/run/heads.h"

#include <string.h>

#include "primitive/pack/bits.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define EACH_VECTOR_SIZE(X, ...) X(1, __VA_ARGS__) X(2, __VA_ARGS__) X(4, __VA_ARGS__) X(8, __VA_ARGS__)

/* Bits `from` to n - 1 of up to 64 elements; x[-1] is there when from is 0. */
static uint64_t word_any(const unsigned char *x, size_t from, size_t n, size_t size) {
    uint64_t word = 0;
    for (size_t i = from; i < n; i++) word |= (uint64_t)(memcmp(x + i * size, x + i * size - size, size) != 0) << i;
    return word;
}

/* 64 elements of S bytes. */
#define WORD_PLAIN(S, ignored) \
    WW__COMPILED static inline uint64_t word_##S##_plain(const unsigned char *x) { \
        uint64_t word = 0; \
        for (size_t i = 0; i < 64; i++) word |= (uint64_t)(memcmp(x + i * S, x + i * S - S, S) != 0) << i; \
        return word; \
    }
EACH_VECTOR_SIZE(WORD_PLAIN, 0)

#if defined(__x86_64__)
#define WORD(width) WW__TARGET_##width static inline __attribute__((always_inline)) uint64_t

WW__TARGET_avx2 static inline __attribute__((always_inline)) __m256i at(const unsigned char *x) {
    return _mm256_loadu_si256((const void *)x);
}

WORD(avx2) word_1_avx2(const unsigned char *x) {
    const uint32_t low = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(at(x), at(x - 1)));
    const uint32_t high = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(at(x + 32), at(x + 31)));
    return ~(low | (uint64_t)high << 32);
}

WORD(avx2) word_2_avx2(const unsigned char *x) {
    uint64_t equal = 0;
    for (unsigned i = 0; i < 64; i += 32, x += 64) {
        const __m256i low = _mm256_cmpeq_epi16(at(x), at(x - 2)), high = _mm256_cmpeq_epi16(at(x + 32), at(x + 30));
        /* Packing works in each half of the register: the quarters come out as 0, 2, 1, 3. */
        const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xd8);
        equal |= (uint64_t)(uint32_t)_mm256_movemask_epi8(bytes) << i;
    }
    return ~equal;
}

WORD(avx2) word_4_avx2(const unsigned char *x) {
    uint64_t equal = 0;
    for (unsigned i = 0; i < 64; i += 8, x += 32)
        equal |= (uint64_t)(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(at(x), at(x - 4)))) << i;
    return ~equal;
}

WORD(avx2) word_8_avx2(const unsigned char *x) {
    uint64_t equal = 0;
    for (unsigned i = 0; i < 64; i += 4, x += 32)
        equal |= (uint64_t)(unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(at(x), at(x - 8)))) << i;
    return ~equal;
}

WORD(avx512) word_1_avx512(const unsigned char *x) {
    return _mm512_cmpneq_epi8_mask(_mm512_loadu_si512((const void *)x), _mm512_loadu_si512((const void *)(x - 1)));
}

#define WORD_AVX512(S, lanes, bits) \
    WORD(avx512) word_##S##_avx512(const unsigned char *x) { \
        uint64_t word = 0; \
        for (unsigned i = 0; i < 64; i += lanes, x += 64) \
            word |= (uint64_t)_mm512_cmpneq_epi##bits##_mask(_mm512_loadu_si512((const void *)x), \
                                                             _mm512_loadu_si512((const void *)(x - S))) \
                    << i; \
        return word; \
    }
WORD_AVX512(2, 32, 16)
WORD_AVX512(4, 16, 32)
WORD_AVX512(8, 8, 64)
#endif

/* Whole words; returns the number of bits set. */
typedef size_t whole_words(uint64_t *bits, const unsigned char *x, size_t words);

#define WHOLE_WORDS(S, width) \
    WW__COMPILED WW__TARGET_##width static size_t words_##S##_##width(uint64_t *bits, const unsigned char *x, \
                                                                      size_t words) { \
        size_t set = 0; \
        for (size_t w = 0; w < words; w++, x += 64 * S) { \
            for (size_t line = 0; line < S; line++) __builtin_prefetch(x + 64 * line + WW__AHEAD); \
            bits[w] = word_##S##_##width(x); \
            set += (size_t)__builtin_popcountll(bits[w]); \
        } \
        return set; \
    }
EACH_VECTOR_SIZE(WHOLE_WORDS, plain)
#if defined(__x86_64__)
EACH_VECTOR_SIZE(WHOLE_WORDS, avx2)
EACH_VECTOR_SIZE(WHOLE_WORDS, avx512)
#endif

static whole_words *loop_of(int vector, size_t size) {
#if defined(__x86_64__)
#define LOOP(S, ignored) \
    case S: \
        return vector == WW_VECTOR_AVX512 ? words_##S##_avx512 \
               : vector == WW_VECTOR_AVX2 ? words_##S##_avx2 \
                                          : words_##S##_plain;
#else
    (void)vector;
#define LOOP(S, ignored) \
    case S: \
        return words_##S##_plain;
#endif
    switch (size) { EACH_VECTOR_SIZE(LOOP, 0) }
#undef LOOP
    return NULL;
}

/* The same by the caller's function, whose loop says for each element whether it is equal to the one before. */
static size_t heads_by(const ww_device *device, const ww_function *equal, const unsigned char *x, size_t size,
                       bool first, size_t n, uint64_t *bits, uint8_t *marks) {
    const ww_map_loops *const loops = ww__loops(device, equal);
    marks[0] = 0; /* where the element is the first of all */
    loops->mask(marks + first, x + (first ? 0 : -(ptrdiff_t)size), x + first * size, equal->bound, n - first);
    const size_t same = ww__bits_of_flags(device, bits, marks, n);
    for (size_t w = 0; w < ww__words(n); w++) bits[w] = ~bits[w];
    if (n % 64) bits[n / 64] &= ((uint64_t)1 << n % 64) - 1;
    return n - same;
}

size_t ww__heads(const ww_device *device, const ww_input *in, const ww_function *equal, uint64_t first, size_t n,
                 uint64_t *bits, void *buffer, const void **elements) {
    const size_t size = in->size, before = first ? 1 : 0;
    const unsigned char *x = ww__input_read(device, in, first - before, n + before, buffer);
    x += before * size;
    *elements = x;
    if (equal)
        return heads_by(device, equal, x, size, !first, n, bits, (uint8_t *)buffer + ww__heads_input_room(in, n));
    size_t i = 0, set = 0;
    if (!before) { /* the first element of all is compared with none */
        const size_t many = n < 64 ? n : 64;
        bits[0] = word_any(x, 1, many, size) | 1;
        set = (size_t)__builtin_popcountll(bits[0]);
        i = many;
    }
    whole_words *const loop = loop_of(device->vector, size);
    if (loop && n - i >= 64) {
        const size_t words = (n - i) / 64;
        set += loop(bits + i / 64, x + i * size, words);
        i += 64 * words;
    }
    for (; i < n; i += 64) {
        bits[i / 64] = word_any(x + i * size, 0, n - i < 64 ? n - i : 64, size);
        set += (size_t)__builtin_popcountll(bits[i / 64]);
    }
    return set;
}
