/* Vector gathers, which check the indices of each row on the way. Intel's processors with AVX512-FP16 (from Sapphire
 * Rapids on) take 0.7 of the time of loads one by one; those before need a microcode against Downfall that makes gathers many
 * times slower, and others are no faster with them, so these do not use any. Arrays that are larger than caches are better asked for
 * ahead of time, which gathers cannot be. (Measured with gcc 12, 2026-11: 10^4 to 10^6 elements of 4 bytes.) */
#include "function/lookup.h"

#include "warpwise/function_widths.h"

/* SSE2 has no minimum or maximum of such numbers: the least is then said to be 0, which is as good a bound. */
enum { HAS_LEAST_plain = 0, HAS_LEAST_avx2 = 1, HAS_LEAST_avx512 = 1 };

#define SPAN(width, T) \
    WW__LOOP(width) ww__span span_##T##_##width(const void *index, size_t n) { \
        const T *WW__R x = index; \
        T least = (T)-1, most = 0; \
        for (size_t i = 0; i < n; i++) { \
            if (HAS_LEAST_##width) least = x[i] < least ? x[i] : least; \
            most = x[i] > most ? x[i] : most; \
        } \
        return (ww__span){HAS_LEAST_##width ? least : 0, most}; \
    }
typedef ww__span span_loop(const void *index, size_t n);
#define LOOPS(width, unused) \
    SPAN(width, uint32_t) \
    SPAN(width, uint64_t) \
    static span_loop *const ww__loops_span_##width[2] = {span_uint32_t_##width, span_uint64_t_##width};
WW__EACH_WIDTH(LOOPS, 0)
static span_loop *const (*const span_by_width[WW_VECTORS])[2] = WW__TABLES(span);

ww__span ww__span_of(const ww_device *device, const void *index, bool wide, size_t n) {
    return (*span_by_width[device->vector])[wide](index, n);
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

/* Of any alignment, and whatever lies there. */
typedef uint32_t word __attribute__((aligned(1), may_alias));
typedef uint64_t long_word __attribute__((aligned(1), may_alias));

enum { CACHED_BYTES = 16 << 20 };

static bool machine_is_fast(void) {
    static int known; /* atomic: 1 is fast, 2 is not */
    int fast = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (!fast) {
        enum { FP16 = 1 << 23 };
        unsigned a, b, c, d;
        fast = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d & FP16) ? 1 : 2;
        __atomic_store_n(&known, fast, __ATOMIC_RELAXED);
    }
    return fast == 1;
}

/* Rows of eight or four indices, and what is left of a tile one by one. */
#define TARGET __attribute__((target("avx2")))
#define REST \
    for (; i < n; i++) { \
        if (x[i] >= l->limit) return false; \
        to[i] = from[x[i]]; \
    } \
    return true;

TARGET static bool words_4_by_4(const ww__lookup *l, void *out, const void *index, size_t n) {
    const uint32_t *const x = index;
    const word *const from = l->array;
    word *const to = out;
    const __m256i last = _mm256_set1_epi32((int)(l->limit - 1));
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        const __m256i at = _mm256_loadu_si256((const __m256i *)(const void *)(x + i));
        const __m256i inside = _mm256_cmpeq_epi32(_mm256_min_epu32(at, last), at);
        if (_mm256_movemask_epi8(inside) != -1) return false;
        _mm256_storeu_si256((__m256i *)(void *)(to + i),
                            _mm256_i32gather_epi32((const int *)(const void *)from, at, 4));
    }
    REST
}

TARGET static bool words_8_by_4(const ww__lookup *l, void *out, const void *index, size_t n) {
    const uint32_t *const x = index;
    const long_word *const from = l->array;
    long_word *const to = out;
    const __m128i last = _mm_set1_epi32((int)(l->limit - 1));
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const __m128i at = _mm_loadu_si128((const __m128i *)(const void *)(x + i));
        const __m128i inside = _mm_cmpeq_epi32(_mm_min_epu32(at, last), at);
        if (_mm_movemask_epi8(inside) != 0xffff) return false;
        _mm256_storeu_si256((__m256i *)(void *)(to + i),
                            _mm256_i32gather_epi64((const long long *)(const void *)from, at, 8));
    }
    REST
}

/* An index above all counts is a negative number. */
TARGET static inline bool all_inside(__m256i at, __m256i limit) {
    const __m256i below = _mm256_cmpgt_epi64(limit, at), negative = _mm256_cmpgt_epi64(_mm256_setzero_si256(), at);
    return _mm256_movemask_epi8(_mm256_andnot_si256(negative, below)) == -1;
}

TARGET static bool words_4_by_8(const ww__lookup *l, void *out, const void *index, size_t n) {
    const uint64_t *const x = index;
    const word *const from = l->array;
    word *const to = out;
    const __m256i limit = _mm256_set1_epi64x((long long)l->limit);
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const __m256i at = _mm256_loadu_si256((const __m256i *)(const void *)(x + i));
        if (!all_inside(at, limit)) return false;
        _mm_storeu_si128((__m128i *)(void *)(to + i), _mm256_i64gather_epi32((const int *)(const void *)from, at, 4));
    }
    REST
}

TARGET static bool words_8_by_8(const ww__lookup *l, void *out, const void *index, size_t n) {
    const uint64_t *const x = index;
    const long_word *const from = l->array;
    long_word *const to = out;
    const __m256i limit = _mm256_set1_epi64x((long long)l->limit);
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const __m256i at = _mm256_loadu_si256((const __m256i *)(const void *)(x + i));
        if (!all_inside(at, limit)) return false;
        _mm256_storeu_si256((__m256i *)(void *)(to + i),
                            _mm256_i64gather_epi64((const long long *)(const void *)from, at, 8));
    }
    REST
}

bool ww__look_up_words(const ww_device *device, const ww__lookup *l, void *out, const void *index, size_t n) {
    if (device->vector < WW_VECTOR_AVX2 || (l->size != 4 && l->size != 8) || !l->limit ||
        l->limit > CACHED_BYTES / l->size || !machine_is_fast())
        return false;
    if (l->size == 4) return (l->wide ? words_4_by_8 : words_4_by_4)(l, out, index, n);
    return (l->wide ? words_8_by_8 : words_8_by_4)(l, out, index, n);
}
#else
bool ww__look_up_words(const ww_device *device, const ww__lookup *lookup, void *out, const void *index, size_t n) {
    (void)device, (void)lookup, (void)out, (void)index, (void)n;
    return false;
}
#endif
