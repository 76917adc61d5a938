/* Flags to bits and bits to positions, a word of 64 at a time. */
#include "primitive/pack/bits.h"

#include "primitive/pack/compress.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

static uint64_t word_of_flags(const uint8_t *flags, size_t n) {
    uint64_t word = 0;
    for (size_t i = 0; i < n; i++) word |= (uint64_t)(flags[i] != 0) << i;
    return word;
}

/* A word of 64 flags: X(name), given to the loop below by width. */
static inline uint64_t word_plain(const uint8_t *flags) { return word_of_flags(flags, 64); }

#if defined(__x86_64__)
WW__TARGET_avx2 static inline __attribute__((always_inline)) uint64_t word_avx2(const uint8_t *flags) {
    const __m256i zero = _mm256_setzero_si256();
    const __m256i low = _mm256_cmpeq_epi8(_mm256_loadu_si256((const void *)flags), zero);
    const __m256i high = _mm256_cmpeq_epi8(_mm256_loadu_si256((const void *)(flags + 32)), zero);
    return ~((uint64_t)(uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32);
}

WW__TARGET_avx512 static inline __attribute__((always_inline)) uint64_t word_avx512(const uint8_t *flags) {
    const __m512i x = _mm512_loadu_si512((const void *)flags);
    return _mm512_test_epi8_mask(x, x);
}
#endif

#define BITS_OF_FLAGS(width, ignored) \
    WW__COMPILED WW__TARGET_##width static size_t bits_of_flags_##width(uint64_t *bits, const uint8_t *flags, \
                                                                        size_t n) { \
        size_t i = 0, set = 0; \
        for (; i + 64 <= n; i += 64) { \
            __builtin_prefetch(flags + i + WW__AHEAD); \
            const uint64_t word = word_##width(flags + i); \
            bits[i / 64] = word; \
            set += (size_t)__builtin_popcountll(word); \
        } \
        if (i < n) { \
            bits[i / 64] = word_of_flags(flags + i, n - i); \
            set += (size_t)__builtin_popcountll(bits[i / 64]); \
        } \
        return set; \
    }
WW__EACH_WIDTH(BITS_OF_FLAGS, 0)

size_t ww__bits_of_flags(const ww_device *device, uint64_t *bits, const uint8_t *flags, size_t n) {
#if defined(__x86_64__)
    if (device->vector == WW_VECTOR_AVX512) return bits_of_flags_avx512(bits, flags, n);
    if (device->vector == WW_VECTOR_AVX2) return bits_of_flags_avx2(bits, flags, n);
#endif
    (void)device;
    return bits_of_flags_plain(bits, flags, n);
}

/* Positions are what is left when 0, 1, 2, … is compressed; runs of 512 numbers are made at a time. */
size_t ww__bits_positions(const ww_device *device, uint32_t *positions, const uint64_t *bits, size_t n) {
    enum { RUN = 512 };
    ww__compress *const compress = ww__compress_loop(device, sizeof(uint32_t));
    uint32_t numbers[RUN];
    size_t found = 0;
    for (size_t first = 0; first < n; first += RUN) {
        const size_t many = n - first < RUN ? n - first : RUN;
        for (size_t i = 0; i < many; i++) numbers[i] = (uint32_t)(first + i);
        found += compress(positions + found, numbers, bits + first / 64, 0, many, sizeof(uint32_t), 0);
    }
    return found;
}

size_t ww__bits_last(const uint64_t *bits, size_t n) {
    size_t w = ww__words(n) - 1;
    while (!bits[w]) w--;
    return 64 * w + 63 - (size_t)__builtin_clzll(bits[w]);
}
