/* Prefix sums in registers. The lanes of a vector are summed by doubling shifts (Hillis and Steele's algorithm, log2 of the
 * lanes steps); what precedes the vector is one more addition, and the chain from vector to vector is the addition of
 * its total alone. The elements ahead are summed in the same loop, so that memory is read while memory is written. */
#include "primitive/scan/add.h"

#include <string.h>

#include "function/built_in.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* The specification, and the ends that do not fill a vector. */
#define PLAIN(T) \
    static void scan_plain_##T(T *out, const T *x, size_t n, T *carry, bool exclusive) { \
        T sum = *carry; \
        for (size_t i = 0; i < n; i++) { \
            const T before = sum; \
            sum = (T)(sum + x[i]); \
            out[i] = exclusive ? before : sum; \
        } \
        *carry = sum; \
    } \
    static T sum_plain_##T(const T *x, size_t n) { \
        T sum = 0; \
        for (size_t i = 0; i < n; i++) sum = (T)(sum + x[i]); \
        return sum; \
    } \
    static void add_plain_##T(void *out, const void *x, size_t n, void *carry, bool exclusive, bool streaming, \
                              const void *ahead, void *ahead_sum) { \
        (void)streaming; \
        if (ahead) *(T *)ahead_sum = sum_plain_##T(ahead, n); \
        if (exclusive) \
            scan_plain_##T(out, x, n, carry, true); \
        else \
            scan_plain_##T(out, x, n, carry, false); \
    }
PLAIN(uint8_t)
PLAIN(uint16_t)
PLAIN(uint32_t)
PLAIN(uint64_t)

#if defined(__x86_64__)

#define INLINE_avx2 WW__TARGET_avx2 static inline __attribute__((always_inline))
#define INLINE_avx512 WW__TARGET_avx512 static inline __attribute__((always_inline))

/* The upper half gets what the lower one has, the lower one zeros. */
INLINE_avx2 __m256i upper_of_lower(__m256i last) { return _mm256_permute2x128_si256(last, last, 0x08); }

INLINE_avx2 __m256i prefix_avx2_uint8_t(__m256i x) {
    x = _mm256_add_epi8(x, _mm256_slli_si256(x, 1));
    x = _mm256_add_epi8(x, _mm256_slli_si256(x, 2));
    x = _mm256_add_epi8(x, _mm256_slli_si256(x, 4));
    x = _mm256_add_epi8(x, _mm256_slli_si256(x, 8));
    return _mm256_add_epi8(x, upper_of_lower(_mm256_shuffle_epi8(x, _mm256_set1_epi8(15))));
}
INLINE_avx2 __m256i prefix_avx2_uint16_t(__m256i x) {
    x = _mm256_add_epi16(x, _mm256_slli_si256(x, 2));
    x = _mm256_add_epi16(x, _mm256_slli_si256(x, 4));
    x = _mm256_add_epi16(x, _mm256_slli_si256(x, 8));
    return _mm256_add_epi16(x, upper_of_lower(_mm256_shuffle_epi8(x, _mm256_set1_epi16(0x0f0e))));
}
INLINE_avx2 __m256i prefix_avx2_uint32_t(__m256i x) {
    x = _mm256_add_epi32(x, _mm256_slli_si256(x, 4));
    x = _mm256_add_epi32(x, _mm256_slli_si256(x, 8));
    return _mm256_add_epi32(x, upper_of_lower(_mm256_shuffle_epi32(x, 0xff)));
}
INLINE_avx2 __m256i prefix_avx2_uint64_t(__m256i x) {
    x = _mm256_add_epi64(x, _mm256_slli_si256(x, 8));
    return _mm256_add_epi64(x, upper_of_lower(_mm256_shuffle_epi32(x, 0xee)));
}
INLINE_avx2 __m256i last_avx2_uint8_t(__m256i x) {
    return _mm256_shuffle_epi8(_mm256_permute4x64_epi64(x, 0xff), _mm256_set1_epi8(7));
}
INLINE_avx2 __m256i last_avx2_uint16_t(__m256i x) {
    return _mm256_shuffle_epi8(_mm256_permute4x64_epi64(x, 0xff), _mm256_set1_epi16(0x0706));
}
INLINE_avx2 __m256i last_avx2_uint32_t(__m256i x) { return _mm256_permutevar8x32_epi32(x, _mm256_set1_epi32(7)); }
INLINE_avx2 __m256i last_avx2_uint64_t(__m256i x) { return _mm256_permute4x64_epi64(x, 0xff); }
INLINE_avx2 __m256i all_avx2_uint8_t(uint8_t x) { return _mm256_set1_epi8((char)x); }
INLINE_avx2 __m256i all_avx2_uint16_t(uint16_t x) { return _mm256_set1_epi16((short)x); }
INLINE_avx2 __m256i all_avx2_uint32_t(uint32_t x) { return _mm256_set1_epi32((int)x); }
INLINE_avx2 __m256i all_avx2_uint64_t(uint64_t x) { return _mm256_set1_epi64x((long long)x); }
INLINE_avx2 __m256i load_avx2(const void *from) { return _mm256_loadu_si256(from); }
INLINE_avx2 void store_avx2(void *to, __m256i x, bool streaming) {
    if (streaming)
        _mm256_stream_si256(to, x);
    else
        _mm256_storeu_si256(to, x);
}
#define add_avx2_vector_uint8_t _mm256_add_epi8
#define add_avx2_vector_uint16_t _mm256_add_epi16
#define add_avx2_vector_uint32_t _mm256_add_epi32
#define add_avx2_vector_uint64_t _mm256_add_epi64
#define sub_avx2_vector_uint8_t _mm256_sub_epi8
#define sub_avx2_vector_uint16_t _mm256_sub_epi16
#define sub_avx2_vector_uint32_t _mm256_sub_epi32
#define sub_avx2_vector_uint64_t _mm256_sub_epi64

/* Lanes moved up by k, zeros below. */
#define UP32(x, k) _mm512_alignr_epi32(x, _mm512_setzero_si512(), 16 - (k))
#define UP64(x, k) _mm512_alignr_epi64(x, _mm512_setzero_si512(), 8 - (k))
INLINE_avx512 __m512i prefix_avx512_uint32_t(__m512i x) {
    x = _mm512_add_epi32(x, UP32(x, 1));
    x = _mm512_add_epi32(x, UP32(x, 2));
    x = _mm512_add_epi32(x, UP32(x, 4));
    return _mm512_add_epi32(x, UP32(x, 8));
}
INLINE_avx512 __m512i prefix_avx512_uint64_t(__m512i x) {
    x = _mm512_add_epi64(x, UP64(x, 1));
    x = _mm512_add_epi64(x, UP64(x, 2));
    return _mm512_add_epi64(x, UP64(x, 4));
}
INLINE_avx512 __m512i last_avx512_uint32_t(__m512i x) { return _mm512_permutexvar_epi32(_mm512_set1_epi32(15), x); }
INLINE_avx512 __m512i last_avx512_uint64_t(__m512i x) { return _mm512_permutexvar_epi64(_mm512_set1_epi64(7), x); }
INLINE_avx512 __m512i all_avx512_uint32_t(uint32_t x) { return _mm512_set1_epi32((int)x); }
INLINE_avx512 __m512i all_avx512_uint64_t(uint64_t x) { return _mm512_set1_epi64((long long)x); }
INLINE_avx512 __m512i load_avx512(const void *from) { return _mm512_loadu_si512(from); }
INLINE_avx512 void store_avx512(void *to, __m512i x, bool streaming) {
    if (streaming)
        _mm512_stream_si512(to, x);
    else
        _mm512_storeu_si512(to, x);
}
#define add_avx512_vector_uint32_t _mm512_add_epi32
#define add_avx512_vector_uint64_t _mm512_add_epi64
#define sub_avx512_vector_uint32_t _mm512_sub_epi32
#define sub_avx512_vector_uint64_t _mm512_sub_epi64

/* A turn of the loop is 128 bytes, V vectors. With nothing ahead the input itself is asked for. */
#define VECTORS(width, vector, T) \
    INLINE_##width void loop_##width##_##T(T *out, const T *x, size_t n, T *carry, bool exclusive, bool streaming, \
                                           const T *ahead, T *ahead_sum) { \
        enum { LANES = sizeof(vector) / sizeof(T), V = 128 / sizeof(vector) }; \
        vector before = all_##width##_##T(*carry), sum = all_##width##_##T(0); \
        size_t i = 0; \
        for (; i + V * LANES <= n; i += V * LANES) { \
            WW__FETCH(ahead ? ahead + i : x + i); \
            for (size_t v = 0; v < V; v++) { \
                const vector here = load_##width(x + i + v * LANES); \
                const vector in = prefix_##width##_##T(here); \
                const vector o = exclusive ? sub_##width##_vector_##T(in, here) : in; \
                store_##width(out + i + v * LANES, add_##width##_vector_##T(o, before), streaming); \
                before = add_##width##_vector_##T(before, last_##width##_##T(in)); \
                if (ahead) sum = add_##width##_vector_##T(sum, load_##width(ahead + i + v * LANES)); \
            } \
        } \
        memcpy(carry, &before, sizeof *carry); /* any lane */ \
        if (ahead) { \
            sum = last_##width##_##T(prefix_##width##_##T(sum)); \
            memcpy(ahead_sum, &sum, sizeof *ahead_sum); \
            *ahead_sum = (T)(*ahead_sum + sum_plain_##T(ahead + i, n - i)); \
        } \
        if (exclusive) \
            scan_plain_##T(out + i, x + i, n - i, carry, true); \
        else \
            scan_plain_##T(out + i, x + i, n - i, carry, false); \
    } \
    WW__TARGET_##width static void add_##width##_##T(void *out, const void *x, size_t n, void *carry, bool exclusive, \
                                                     bool streaming, const void *ahead, void *ahead_sum) { \
        if (!exclusive && streaming && ahead) \
            loop_##width##_##T(out, x, n, carry, false, true, ahead, ahead_sum); \
        else if (!exclusive && streaming) \
            loop_##width##_##T(out, x, n, carry, false, true, NULL, NULL); \
        else if (!exclusive) \
            loop_##width##_##T(out, x, n, carry, false, false, ahead, ahead_sum); \
        else if (streaming) \
            loop_##width##_##T(out, x, n, carry, true, true, ahead, ahead_sum); \
        else \
            loop_##width##_##T(out, x, n, carry, true, false, ahead, ahead_sum); \
    }
VECTORS(avx2, __m256i, uint8_t)
VECTORS(avx2, __m256i, uint16_t)
VECTORS(avx2, __m256i, uint32_t)
VECTORS(avx2, __m256i, uint64_t)
VECTORS(avx512, __m512i, uint32_t)
VECTORS(avx512, __m512i, uint64_t)

#define WIDTHS(T) \
    { add_plain_##T, add_avx2_##T, add_avx512_##T }
/* Shifts by bytes stay in 128 bits, so longer vectors bring narrow types little. */
#define WIDTHS_NARROW(T) \
    { add_plain_##T, add_avx2_##T, add_avx2_##T }
#else
#define WIDTHS(T) \
    { add_plain_##T, add_plain_##T, add_plain_##T }
#define WIDTHS_NARROW WIDTHS
#endif

static ww__scan_add *const adds[4][WW_VECTORS] = {WIDTHS_NARROW(uint8_t), WIDTHS_NARROW(uint16_t), WIDTHS(uint32_t),
                                                  WIDTHS(uint64_t)};

ww__scan_add *ww__scan_add_of(const ww_device *device, const ww_function *op) {
    for (int log_size = 0; log_size < 4; log_size++)
        if (op == ww__adds[WW__U8 + log_size] || op == ww__adds[WW__I8 + log_size])
            return adds[log_size][device->vector];
    return NULL;
}
