/* Sorting numbers in cache, and pairs of them with values (network_pairs.h): spread to buckets of a block or less, and sort each
 * block in registers.
 *
 * A block is up to 16 rows of one register each. Its columns, one a lane, are sorted by a network that needs no shuffle (of 16
 * rows Green's of 60 comparators, of 12 Shapiro and Green's of 39); then neighbouring columns are merged, and what that makes,
 * by bitonic merges, until one column as wide as a register is left: the block, row after row. Elements go to the block's bucket
 * by a multiplication, so that the number of buckets, and so how full blocks are, is not bound to powers of two. They are not
 * counted before: each bucket has a slot of a block's size, which spread keys fill to three quarters or less; where one turns
 * out to be too small, they are sorted otherwise.
 *
 * A few blocks are merged instead (network_merge.h). Where keys crowd, slots overflow: then a quicksort by vectors takes over
 * (network_quick.h).
 *
 * The networks and how they lie in registers are in network_rows.h, and here is what each width does for them.
 *
 * Green, Some Improvements in Nonadaptive Sorting Algorithms (1972); Shapiro's: Knuth, The Art of Computer Programming 3, 5.3.4;
 * Batcher, Sorting Networks and Their Applications (1968); columns first: Bramas, A Novel Hybrid Quicksort Algorithm Vectorized
 * Using AVX-512 (2017), and vqsort, Blacher et al., Vectorized and Performance-Portable Quicksort (2022). */
#include "radix/network_leaf.h"

#include <string.h>

#include "warpwise/function_widths.h"

#if defined(__x86_64__)
#include <immintrin.h>

/* A full block has so many rows. */
enum { ROWS = 16 };

/* Buckets of a spread; the least make every spread get on by 4 bits, so that there are at most 16, one inside the other. The
 * most hold a bucket of the partition before: measured on an EPYC with AVX2, 2026-11, one thread, 2^25 keys of 32 bits take
 * 0.8 of the time that they take with 256, where a second spread follows the first. */
enum { BUCKETS_LEAST = 16, BUCKETS_MOST = 1024 };

static const ww__radix_order as_they_are = {0, 0};

#define JOINED(a, b) JOINED_EXPANDED(a, b)
#define JOINED_EXPANDED(a, b) a##_##b

/* ---- numbers of 32 bits ---- */

/* The places of a byte's set bits, in order, a byte each. */
#define PLACE(b, i) ((uint64_t)((b) >> (i)&1) * (i) << 8 * __builtin_popcount((b) & ((1 << (i)) - 1)))
#define PLACES(b) \
    PLACE(b, 0) | PLACE(b, 1) | PLACE(b, 2) | PLACE(b, 3) | PLACE(b, 4) | PLACE(b, 5) | PLACE(b, 6) | PLACE(b, 7)
#define PLACES_4(b) PLACES(b), PLACES((b) + 1), PLACES((b) + 2), PLACES((b) + 3)
#define PLACES_16(b) PLACES_4(b), PLACES_4((b) + 4), PLACES_4((b) + 8), PLACES_4((b) + 12)
#define PLACES_64(b) PLACES_16(b), PLACES_16((b) + 16), PLACES_16((b) + 32), PLACES_16((b) + 48)
static const uint64_t places_of_bits[256] = {PLACES_64(0), PLACES_64(64), PLACES_64(128), PLACES_64(192)};

/* The lanes of 8 whose bits are set, first: AVX2 has no instruction for it. */
WW__TARGET_avx2 static inline __attribute__((always_inline)) __m256i packed_8(__m256i v, unsigned bits) {
    return _mm256_permutevar8x32_epi32(v, _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)places_of_bits[bits])));
}

#define KEY uint32_t
#define PAIRS "radix/network_pairs.h"
#define WIDTH avx2
#define VECTOR __m256i
#define LANES 8
#define LANE_BITS unsigned
#define LOADED(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define FIRST_LANES(m) _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(m)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
#define LOADED_SOME(p, m) \
    _mm256_or_si256(_mm256_maskload_epi32((const int *)(const void *)(p), FIRST_LANES(m)), \
                    _mm256_xor_si256(FIRST_LANES(m), ONES))
#define ONES _mm256_set1_epi32(-1)
#define STORE(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define STORE_SOME(p, v, m) _mm256_maskstore_epi32((int *)(void *)(p), FIRST_LANES(m), v)
#define COMPARE(a, b) \
    do { \
        const __m256i a_ = (a), b_ = (b); \
        (a) = _mm256_min_epu32(a_, b_); \
        (b) = _mm256_max_epu32(a_, b_); \
    } while (0)
#define LANES_WITH(low, high, bit) _mm256_blend_epi32(low, high, (bit) == 1 ? 0xAA : (bit) == 2 ? 0xCC : 0xF0)
#define LANES_WITHOUT(high, low, bit) LANES_WITH(low, high, bit)
#define LEFT_HALVES_2(u, v) LANES_WITH(u, SWAPPED_1(v), 1)
#define RIGHT_HALVES_2(u, v) LANES_WITHOUT(v, SWAPPED_1(u), 1)
#define LEFT_HALVES_4(u, v) _mm256_unpacklo_epi32(u, v)
#define RIGHT_HALVES_4(u, v) _mm256_unpackhi_epi32(u, v)
#define LEFT_HALVES_8(u, v) _mm256_permute2x128_si256(_mm256_unpacklo_epi32(u, v), _mm256_unpackhi_epi32(u, v), 0x20)
#define RIGHT_HALVES_8(u, v) _mm256_permute2x128_si256(_mm256_unpacklo_epi32(u, v), _mm256_unpackhi_epi32(u, v), 0x31)
#define SWAPPED_1(v) _mm256_shuffle_epi32(v, 0xB1)
#define SWAPPED_2(v) _mm256_shuffle_epi32(v, 0x4E)
#define SWAPPED_HALVES(v) _mm256_permute2x128_si256(v, v, 1)
#define REVERSED_4(v) _mm256_shuffle_epi32(v, 0x1B)
#define REVERSED_ROW REVERSED_8
#define UNCROSS_ROWS(u, v) UNCROSS(u, v, 8)
#define REVERSED_8(v) _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0))
#define FILLED(number) _mm256_set1_epi32((int)(number))
#define NEGATIVE(v) _mm256_srai_epi32(v, 31)
/* A number is below another where it is not its larger one. */
#define BELOW(a, b) \
    ((unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_max_epu32(a, b), a))) ^ 0xFF)
#define PACKED(v, bits) packed_8(v, bits)
#include "radix/network_rows.h"

/* Which of two numbers is not the third: more units do that than compare (u64 take 0.75 of the time, u32 0.95; a Xeon, 2026-11). */
#define OTHER_OF_TWO(a, b, one) _mm512_ternarylogic_epi64(a, b, one, 0x96)

#define KEY uint32_t
#define PAIRS "radix/network_pairs.h"
#define WIDTH avx512
#define VECTOR __m512i
#define LANES 16
#define LANE_BITS __mmask16
#define LOADED(p) _mm512_loadu_si512((const void *)(p))
#define FIRST_LANES(m) ((__mmask16)((1u << (m)) - 1))
#define LOADED_SOME(p, m) _mm512_mask_loadu_epi32(ONES, FIRST_LANES(m), (const void *)(p))
#define ONES _mm512_set1_epi32(-1)
#define STORE(p, v) _mm512_storeu_si512((void *)(p), v)
#define STORE_SOME(p, v, m) _mm512_mask_storeu_epi32((void *)(p), FIRST_LANES(m), v)
#define COMPARE(a, b) \
    do { \
        const __m512i a_ = (a), b_ = (b); \
        (a) = _mm512_min_epu32(a_, b_); \
        (b) = OTHER_OF_TWO(a_, b_, a); \
    } while (0)
#define LANES_WITH(low, high, bit) \
    _mm512_mask_mov_epi32(low, (bit) == 1 ? 0xAAAA : (bit) == 2 ? 0xCCCC : (bit) == 4 ? 0xF0F0 : 0xFF00, high)
#define LANES_WITHOUT(high, low, bit) \
    _mm512_mask_mov_epi32(high, (bit) == 1 ? 0x5555 : (bit) == 2 ? 0x3333 : (bit) == 4 ? 0x0F0F : 0x00FF, low)
#define LEFT_HALVES_2(u, v) LANES_WITH(u, SWAPPED_1(v), 1)
#define RIGHT_HALVES_2(u, v) LANES_WITHOUT(v, SWAPPED_1(u), 1)
#define LEFT_HALVES_4(u, v) _mm512_unpacklo_epi32(u, v)
#define RIGHT_HALVES_4(u, v) _mm512_unpackhi_epi32(u, v)
#define LEFT_HALVES_8(u, v) \
    _mm512_permutex2var_epi32(u, _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27), v)
#define RIGHT_HALVES_8(u, v) \
    _mm512_permutex2var_epi32(u, _mm512_setr_epi32(4, 20, 5, 21, 6, 22, 7, 23, 12, 28, 13, 29, 14, 30, 15, 31), v)
#define LEFT_HALVES_16(u, v) \
    _mm512_permutex2var_epi32(u, _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23), v)
#define RIGHT_HALVES_16(u, v) \
    _mm512_permutex2var_epi32(u, _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31), v)
#define SWAPPED_1(v) _mm512_shuffle_epi32(v, (_MM_PERM_ENUM)0xB1)
#define SWAPPED_2(v) _mm512_shuffle_epi32(v, (_MM_PERM_ENUM)0x4E)
#define SWAPPED_4(v) _mm512_permutex_epi64(v, 0x4E)
#define SWAPPED_HALVES(v) _mm512_shuffle_i64x2(v, v, 0x4E)
#define REVERSED_4(v) _mm512_shuffle_epi32(v, (_MM_PERM_ENUM)0x1B)
#define REVERSED_ROW REVERSED_16
#define UNCROSS_ROWS(u, v) UNCROSS(u, v, 16)
#define REVERSED_8(v) \
    _mm512_permutexvar_epi32(_mm512_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8), v)
#define REVERSED_16(v) \
    _mm512_permutexvar_epi32(_mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), v)
#define FILLED(number) _mm512_set1_epi32((int)(number))
#define NEGATIVE(v) _mm512_srai_epi32(v, 31)
#define BELOW(a, b) _mm512_cmplt_epu32_mask(a, b)
#define PACKED(v, bits) _mm512_maskz_compress_epi32(bits, v)
#include "radix/network_rows.h"

/* ---- numbers of 64 bits: by AVX2, which has no minimum of them and four to a register, it is no faster than by digits ---- */

#define KEY uint64_t
#define WIDTH avx512
#define VECTOR __m512i
#define LANES 8
#define LANE_BITS __mmask8
#define LOADED(p) _mm512_loadu_si512((const void *)(p))
#define FIRST_LANES(m) ((__mmask8)((1u << (m)) - 1))
#define LOADED_SOME(p, m) _mm512_mask_loadu_epi64(ONES, FIRST_LANES(m), (const void *)(p))
#define ONES _mm512_set1_epi64(-1)
#define STORE(p, v) _mm512_storeu_si512((void *)(p), v)
#define STORE_SOME(p, v, m) _mm512_mask_storeu_epi64((void *)(p), FIRST_LANES(m), v)
#define COMPARE(a, b) \
    do { \
        const __m512i a_ = (a), b_ = (b); \
        (a) = _mm512_min_epu64(a_, b_); \
        (b) = OTHER_OF_TWO(a_, b_, a); \
    } while (0)
#define LANES_WITH(low, high, bit) _mm512_mask_mov_epi64(low, (bit) == 1 ? 0xAA : (bit) == 2 ? 0xCC : 0xF0, high)
#define LANES_WITHOUT(high, low, bit) _mm512_mask_mov_epi64(high, (bit) == 1 ? 0x55 : (bit) == 2 ? 0x33 : 0x0F, low)
#define LEFT_HALVES_2(u, v) _mm512_unpacklo_epi64(u, v)
#define RIGHT_HALVES_2(u, v) _mm512_unpackhi_epi64(u, v)
#define LEFT_HALVES_4(u, v) _mm512_permutex2var_epi64(u, _mm512_setr_epi64(0, 8, 1, 9, 4, 12, 5, 13), v)
#define RIGHT_HALVES_4(u, v) _mm512_permutex2var_epi64(u, _mm512_setr_epi64(2, 10, 3, 11, 6, 14, 7, 15), v)
#define LEFT_HALVES_8(u, v) _mm512_permutex2var_epi64(u, _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), v)
#define RIGHT_HALVES_8(u, v) _mm512_permutex2var_epi64(u, _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15), v)
#define SWAPPED_1(v) _mm512_shuffle_epi32(v, (_MM_PERM_ENUM)0x4E)
#define SWAPPED_2(v) _mm512_permutex_epi64(v, 0x4E)
#define SWAPPED_HALVES(v) _mm512_shuffle_i64x2(v, v, 0x4E)
#define REVERSED_4(v) _mm512_permutex_epi64(v, 0x1B)
#define REVERSED_ROW REVERSED_8
#define UNCROSS_ROWS(u, v) UNCROSS(u, v, 8)
#define REVERSED_8(v) _mm512_permutexvar_epi64(_mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0), v)
#define FILLED(number) _mm512_set1_epi64((long long)(number))
#define NEGATIVE(v) _mm512_srai_epi64(v, 63)
#define BELOW(a, b) _mm512_cmplt_epu64_mask(a, b)
#define PACKED(v, bits) _mm512_maskz_compress_epi64(bits, v)
#include "radix/network_rows.h"

ww__network_leaf *ww__network_leaf_of(int vector, size_t key_size) {
    if (vector == WW_VECTOR_AVX512 && key_size == 8) return leaf_uint64_t_avx512;
    if (vector == WW_VECTOR_AVX512 && key_size == 4) return leaf_uint32_t_avx512;
    if (vector == WW_VECTOR_AVX2 && key_size == 4) return leaf_uint32_t_avx2;
    return NULL;
}

ww__network_quick *ww__network_quick_of(int vector, size_t key_size) {
    if (vector == WW_VECTOR_AVX512 && key_size == 8) return quick_uint64_t_avx512;
    if (vector == WW_VECTOR_AVX512 && key_size == 4) return quick_uint32_t_avx512;
    if (vector == WW_VECTOR_AVX2 && key_size == 4) return quick_uint32_t_avx2;
    return NULL;
}

const ww__network_parts *ww__network_parts_of(int vector, size_t key_size) {
    if (vector == WW_VECTOR_AVX512 && key_size == 8) return &parts_uint64_t_avx512;
    if (vector == WW_VECTOR_AVX512 && key_size == 4) return &parts_uint32_t_avx512;
    if (vector == WW_VECTOR_AVX2 && key_size == 4) return &parts_uint32_t_avx2;
    return NULL;
}

ww__network_words *ww__network_words_of(int vector) {
    return vector == WW_VECTOR_AVX512 ? sort_few_uint32_t_avx512 : vector == WW_VECTOR_AVX2 ? sort_few_uint32_t_avx2 : NULL;
}

ww__network_pairs *ww__network_pairs_of(int vector, size_t key_size, size_t value_size) {
    if (key_size != 4 || value_size != 4) return NULL;
    return vector == WW_VECTOR_AVX512 ? pairs_uint32_t_avx512 : vector == WW_VECTOR_AVX2 ? pairs_uint32_t_avx2 : NULL;
}

#else
ww__network_quick *ww__network_quick_of(int vector, size_t key_size) {
    (void)vector, (void)key_size;
    return NULL;
}
const ww__network_parts *ww__network_parts_of(int vector, size_t key_size) {
    (void)vector, (void)key_size;
    return NULL;
}
ww__network_leaf *ww__network_leaf_of(int vector, size_t key_size) {
    (void)vector, (void)key_size;
    return NULL;
}
ww__network_words *ww__network_words_of(int vector) {
    (void)vector;
    return NULL;
}
ww__network_pairs *ww__network_pairs_of(int vector, size_t key_size, size_t value_size) {
    (void)vector, (void)key_size, (void)value_size;
    return NULL;
}
#endif
