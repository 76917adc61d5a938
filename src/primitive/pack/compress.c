/* Compressing by vectors: a group of lanes is loaded, its kept lanes are moved together by one permutation that the
 * group's bits pick from a table (AVX2) or by the machine (AVX-512, into a register: compressing into memory is slow on
 * some machines), the whole vector is stored, and the output moves on by the number of bits. There is no branch that
 * depends on an element, so the rate is the same for every share of kept ones. The plain bodies do the same with groups
 * of one. Elements of other sizes are moved by memcpy, kept one by kept one. */
#include "primitive/pack/compress.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* The sizes that have plain bodies of their own: X(size). The first four have vector bodies too. */
#define EACH_VECTOR_SIZE(X, ...) X(1, __VA_ARGS__) X(2, __VA_ARGS__) X(4, __VA_ARGS__) X(8, __VA_ARGS__)
#define EACH_PLAIN_SIZE(X) X(1) X(2) X(4) X(8) X(12) X(16) X(24) X(32)

/* The bits of the elements from i on, cut at n. */
static inline uint64_t bits_from(const uint64_t *bits, uint64_t flip, size_t i, size_t n) {
    const uint64_t word = bits[i / 64] ^ flip;
    return n - i < 64 ? word & ~(~(uint64_t)0 << (n - i)) : word;
}

#define COMPRESS_PLAIN(S) \
    /* Up to 64 elements; returns where the next one goes. */ \
    static inline unsigned char *compress_word_##S(unsigned char *WW__R to, const unsigned char *WW__R from, \
                                                   uint64_t word, size_t n) { \
        for (size_t k = 0; word && k < n; k++, word >>= 1) { \
            memcpy(to, from + k * S, S); \
            to += word & 1 ? S : 0; \
        } \
        return to; \
    } \
    WW__COMPILED static size_t compress_##S##_plain(void *out, const void *in, const uint64_t *bits, uint64_t flip, \
                                                    size_t n, size_t size, size_t ahead) { \
        unsigned char *to = out; \
        const unsigned char *from = in; \
        (void)size; \
        for (size_t i = 0; i < n; i += 64) { \
            if (ahead) \
                for (size_t line = 0; line < S; line++) __builtin_prefetch(from + i * S + 64 * line + ahead); \
            to = compress_word_##S(to, from + i * S, bits_from(bits, flip, i, n), n - i < 64 ? n - i : 64); \
        } \
        return (size_t)(to - (unsigned char *)out) / S; \
    }
EACH_PLAIN_SIZE(COMPRESS_PLAIN)

static size_t compress_any_plain(void *out, const void *in, const uint64_t *bits, uint64_t flip, size_t n, size_t size,
                                 size_t ahead) {
    unsigned char *to = out;
    const unsigned char *from = in;
    (void)ahead;
    for (size_t i = 0; i < n; i += 64)
        for (uint64_t word = bits_from(bits, flip, i, n); word; word &= word - 1, to += size)
            memcpy(to, from + (i + (size_t)__builtin_ctzll(word)) * size, size);
    return (size_t)(to - (unsigned char *)out) / size;
}

#if defined(__x86_64__)

/* Byte r of order[m] is the position of the r-th set bit of m, for all m of 8 bits: which lane goes to lane r. */
#define PLACE(m, i) ((m) >> (i)&1u ? (uint64_t)(i) << 8 * __builtin_popcount((m) & ((1u << (i)) - 1u)) : 0u)
#define ORDER(m) \
    (PLACE(m, 0) | PLACE(m, 1) | PLACE(m, 2) | PLACE(m, 3) | PLACE(m, 4) | PLACE(m, 5) | PLACE(m, 6) | PLACE(m, 7))
#define ORDER_4(m) ORDER(m), ORDER((m) + 1u), ORDER((m) + 2u), ORDER((m) + 3u)
#define ORDER_16(m) ORDER_4(m), ORDER_4((m) + 4u), ORDER_4((m) + 8u), ORDER_4((m) + 12u)
#define ORDER_64(m) ORDER_16(m), ORDER_16((m) + 16u), ORDER_16((m) + 32u), ORDER_16((m) + 48u)
static const uint64_t order[256] = {ORDER_64(0u), ORDER_64(64u), ORDER_64(128u), ORDER_64(192u)};

/* One group of lanes: the lanes of each size, and how they are moved. */
enum { LANES_1_avx2 = 8, LANES_2_avx2 = 8, LANES_4_avx2 = 8, LANES_8_avx2 = 4 };
enum { LANES_1_avx512 = 16, LANES_2_avx512 = 16, LANES_4_avx512 = 16, LANES_8_avx512 = 8 };
#define GROUP(width) WW__TARGET_##width static inline __attribute__((always_inline)) void

GROUP(avx2) group_1_avx2(void *to, const void *from, unsigned m) {
    _mm_storel_epi64(to, _mm_shuffle_epi8(_mm_loadl_epi64(from), _mm_loadl_epi64((const void *)(order + m))));
}

GROUP(avx2) group_2_avx2(void *to, const void *from, unsigned m) {
    /* Lane l is bytes 2 l and 2 l + 1. */
    const __m128i lanes = _mm_cvtepu8_epi16(_mm_loadl_epi64((const void *)(order + m)));
    const __m128i bytes = _mm_add_epi8(_mm_mullo_epi16(lanes, _mm_set1_epi16(0x0202)), _mm_set1_epi16(0x0100));
    _mm_storeu_si128(to, _mm_shuffle_epi8(_mm_loadu_si128(from), bytes));
}

GROUP(avx2) group_4_avx2(void *to, const void *from, unsigned m) {
    const __m256i lanes = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)(order + m)));
    _mm256_storeu_si256(to, _mm256_permutevar8x32_epi32(_mm256_loadu_si256(from), lanes));
}

GROUP(avx2) group_8_avx2(void *to, const void *from, unsigned m) {
    /* Lane l is the 32-bit lanes 2 l and 2 l + 1. */
    const __m256i lanes = _mm256_cvtepu8_epi64(_mm_loadl_epi64((const void *)(order + m)));
    const __m256i halves = _mm256_or_si256(_mm256_slli_epi64(lanes, 1), _mm256_slli_epi64(lanes, 33));
    const __m256i words = _mm256_or_si256(halves, _mm256_set1_epi64x((int64_t)1 << 32));
    _mm256_storeu_si256(to, _mm256_permutevar8x32_epi32(_mm256_loadu_si256(from), words));
}

/* Bytes and words are widened: compressing them as they are needs a machine that is newer than this width asks for. */
GROUP(avx512) group_1_avx512(void *to, const void *from, unsigned m) {
    const __m512i x = _mm512_maskz_compress_epi32((__mmask16)m, _mm512_cvtepu8_epi32(_mm_loadu_si128(from)));
    _mm_storeu_si128(to, _mm512_cvtepi32_epi8(x));
}

GROUP(avx512) group_2_avx512(void *to, const void *from, unsigned m) {
    const __m512i x = _mm512_maskz_compress_epi32((__mmask16)m, _mm512_cvtepu16_epi32(_mm256_loadu_si256(from)));
    _mm256_storeu_si256(to, _mm512_cvtepi32_epi16(x));
}

GROUP(avx512) group_4_avx512(void *to, const void *from, unsigned m) {
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32((__mmask16)m, _mm512_loadu_si512(from)));
}

GROUP(avx512) group_8_avx512(void *to, const void *from, unsigned m) {
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi64((__mmask8)m, _mm512_loadu_si512(from)));
}

#define COMPRESS_VECTOR(S, width) \
    WW__COMPILED WW__TARGET_##width static size_t compress_##S##_##width( \
        void *out, const void *in, const uint64_t *bits, uint64_t flip, size_t n, size_t size, size_t ahead) { \
        enum { LANES = LANES_##S##_##width }; \
        unsigned char *to = out; \
        const unsigned char *from = in; \
        size_t i = 0; \
        (void)size; \
        for (; i + 64 <= n; i += 64) { \
            uint64_t word = bits[i / 64] ^ flip; \
            if (ahead) \
                for (size_t line = 0; line < S; line++) __builtin_prefetch(from + i * S + 64 * line + ahead); \
            if (!word) continue; \
            for (size_t k = i; k < i + 64; k += LANES, word >>= LANES) { \
                const unsigned m = (unsigned)word & ((1u << LANES) - 1u); \
                group_##S##_##width(to, from + k * S, m); \
                to += (size_t)__builtin_popcount(m) * S; \
            } \
        } \
        if (i < n) to = compress_word_##S(to, from + i * S, bits_from(bits, flip, i, n), n - i); \
        return (size_t)(to - (unsigned char *)out) / S; \
    }
EACH_VECTOR_SIZE(COMPRESS_VECTOR, avx2)
EACH_VECTOR_SIZE(COMPRESS_VECTOR, avx512)

/* The same by masked stores, into an output that no one else may see change. The machine's own compressing into memory (vpcompressd)
 * is as fast on Intel's processors and ten times slower on AMD's Zen 4. */
#define EXACT(S, number, mask) \
    WW__COMPILED WW__TARGET_avx512 static size_t compress_exact_##S( \
        void *out, const void *in, const uint64_t *bits, uint64_t flip, size_t n, size_t size, size_t ahead) { \
        enum { LANES = LANES_##S##_avx512 }; \
        unsigned char *to = out; \
        const unsigned char *from = in; \
        size_t i = 0; \
        (void)size; \
        for (; i < n; i += 64) { \
            uint64_t word = bits_from(bits, flip, i, n); \
            if (ahead) \
                for (size_t line = 0; line < S; line++) __builtin_prefetch(from + i * S + 64 * line + ahead); \
            for (const unsigned char *lanes = from + i * S; word; word >>= LANES, lanes += LANES * S) { \
                const unsigned m = (unsigned)word & ((1u << LANES) - 1u), many = (unsigned)__builtin_popcount(m); \
                const __m512i x = _mm512_maskz_loadu_epi##number((mask)m, lanes); \
                _mm512_mask_storeu_epi##number(to, (mask)_bzhi_u32(~0u, many), \
                                               _mm512_maskz_compress_epi##number((mask)m, x)); \
                to += (size_t)many * S; \
            } \
        } \
        return (size_t)(to - (unsigned char *)out) / S; \
    }
EXACT(4, 32, __mmask16)
EXACT(8, 64, __mmask8)

ww__compress *ww__compress_loop_exact(const ww_device *device, size_t size) {
    if (device->vector != WW_VECTOR_AVX512) return NULL;
    return size == 4 ? compress_exact_4 : size == 8 ? compress_exact_8 : NULL;
}

static ww__compress *vector_loop(int vector, size_t size) {
    switch (size) {
#define CASE(S, ignored) \
    case S: \
        return vector == WW_VECTOR_AVX512 ? compress_##S##_avx512 : compress_##S##_avx2;
        EACH_VECTOR_SIZE(CASE, 0)
#undef CASE
    }
    return NULL;
}

#else

ww__compress *ww__compress_loop_exact(const ww_device *device, size_t size) {
    (void)device;
    (void)size;
    return NULL;
}

static ww__compress *vector_loop(int vector, size_t size) {
    (void)vector;
    (void)size;
    return NULL;
}

#endif

/* Two positions of each word are written, whether there are so many or not: a branch at every word is foreseen by no processor. Where
 * processors do not count bits by themselves it takes half as long again. */
#define FEW_POSITIONS(width, unused) \
    WW__LOOP(width) void few_positions_##width(uint16_t *WW__R positions, const uint64_t *bits, size_t n) { \
        size_t found = 0; \
        for (size_t i = 0; i < n; i += 64) { \
            uint64_t word = bits_from(bits, 0, i, n); \
            const size_t many = (size_t)__builtin_popcountll(word), end = (size_t)1 << 63; \
            positions[found] = (uint16_t)(i + (size_t)__builtin_ctzll(word | end)); \
            word &= word - 1; \
            positions[found + 1] = (uint16_t)(i + (size_t)__builtin_ctzll(word | end)); \
            for (size_t k = 2; __builtin_expect(k < many, 0); k++) { \
                word &= word - 1; \
                positions[found + k] = (uint16_t)(i + (size_t)__builtin_ctzll(word | end)); \
            } \
            found += many; \
        } \
    } \
    static few_loop *const ww__loops_few_##width = few_positions_##width;
typedef void few_loop(uint16_t *WW__R positions, const uint64_t *bits, size_t n);
WW__EACH_WIDTH(FEW_POSITIONS, 0)
static few_loop *const *const few_by_width[WW_VECTORS] = WW__TABLES(few);

void ww__compress_few(const ww_device *device, void *out, const void *in, const uint64_t *bits, size_t n, size_t kept,
                      size_t size) {
    uint16_t positions[WW__COMPRESS_MOST / WW__COMPRESS_FEW + 2];
    unsigned char *to = out;
    const unsigned char *from = in;
    if (!kept) return;
    (*few_by_width[device->vector])(positions, bits, n);
    switch (size) {
#define CASE(S) \
    case S: \
        for (size_t k = 0; k < kept; k++) memcpy(to + k * S, from + positions[k] * S, S); \
        break;
        EACH_PLAIN_SIZE(CASE)
#undef CASE
    default:
        for (size_t k = 0; k < kept; k++) memcpy(to + k * size, from + positions[k] * size, size);
    }
}

ww__compress *ww__compress_loop(const ww_device *device, size_t size) {
    ww__compress *const loop = device->vector == WW_VECTOR_PLAIN ? NULL : vector_loop(device->vector, size);
    if (loop) return loop;
    switch (size) {
#define CASE(S) \
    case S: \
        return compress_##S##_plain;
        EACH_PLAIN_SIZE(CASE)
#undef CASE
    }
    return compress_any_plain;
}
