/* The loops that pick keys, for each size of them and each width of vectors. A block of keys is first looked at as a whole,
 * without a way out, so that this can be vectorised; then a few at a time; only what has any is gone through one by one. Keys of 4 and 8 bytes go by AVX-512 in one loop: four vectors are looked
 * at, and those that have any are compressed. */
#include "sort/select/pick.h"

#include "device/kernel/key_order.cuh"
#include "warpwise/function_widths.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { BLOCK = 256, FEW = 16, AHEAD = 4096 /* bytes that memory is asked for ahead */ };

/* A key at any address, what it is as a number, and the loop. COUNT: what counts a block's keys at the same width. */
#define PICKS(S, KEY, COUNT, WIDTHS) \
    typedef KEY key_##S __attribute__((aligned(1), may_alias)); \
    WW__INLINE size_t pick_##S(const ww__picking *p, const void *keys, size_t n, uint64_t first, void *numbers, \
                               uint64_t *positions, uint64_t *below) { \
        const KEY flip = (KEY)p->order.flip, fold = (KEY)p->order.fold, mask = (KEY)p->mask; \
        const KEY from = (KEY)p->from, span = (KEY)(p->to - p->from); \
        const key_##S *k = keys; \
        key_##S *out = numbers; \
        size_t picked = 0; \
        for (size_t i = 0; i < n; i += BLOCK) { \
            const size_t many = n - i < BLOCK ? n - i : BLOCK; \
            KEY room[BLOCK], any = 0; \
            for (size_t j = 0; j < many; j++) { \
                const KEY key = k[i + j]; \
                room[j] = WW_KEY_NUMBER(KEY, key, flip, fold); \
                any = (KEY)(any | (KEY)((KEY)((room[j] & mask) - from) <= span)); \
            } \
            if (below) { \
                COUNT less = 0; \
                for (size_t j = 0; j < many; j++) less = (COUNT)(less + ((KEY)(room[j] & mask) < from)); \
                *below += less; \
            } \
            if (!any) continue; \
            for (size_t j = 0; j < many;) { \
                KEY some = 1; \
                if (j % FEW == 0 && many - j >= FEW) { \
                    some = 0; \
                    for (size_t t = j; t < j + FEW; t++) \
                        some = (KEY)(some | (KEY)((KEY)((room[t] & mask) - from) <= span)); \
                } \
                if (!some) { \
                    j += FEW; \
                    continue; \
                } \
                for (const size_t end = many - j < FEW ? many : j + FEW; j < end; j++) { \
                    out[picked] = room[j]; \
                    if (positions) positions[picked] = first + i + j; \
                    picked += (KEY)((room[j] & mask) - from) <= span; \
                } \
            } \
        } \
        return picked; \
    } \
    WIDTHS(PICK, S)
#define PICK(width, S) \
    WW__TARGET_##width static size_t pick_##S##_##width(const ww__picking *p, const void *keys, size_t n, \
                                                        uint64_t first, void *numbers, uint64_t *positions, \
                                                        uint64_t *below) { \
        return below ? pick_##S(p, keys, n, first, numbers, positions, below) \
                     : pick_##S(p, keys, n, first, numbers, positions, NULL); \
    }

/* Sizes whose loop by AVX-512 is written by hand. */
#if defined(__x86_64__)
#define NARROW_WIDTHS(X, S) X(plain, S) X(avx2, S)
#else
#define NARROW_WIDTHS(X, S) X(plain, S)
#endif

PICKS(8, uint8_t, uint16_t, WW__EACH_WIDTH)
PICKS(16, uint16_t, uint16_t, WW__EACH_WIDTH)
PICKS(32, uint32_t, uint32_t, NARROW_WIDTHS)
PICKS(64, uint64_t, uint64_t, NARROW_WIDTHS)
#if WW_HAS_U128
PICKS(128, ww_u128, uint32_t, WW__EACH_WIDTH)
#endif

#if defined(__x86_64__)

typedef int lane_32;
typedef long long lane_64;

/* LANES keys from k on as numbers, and which of them are within the bounds; `valid` of them are keys. */
#define VECTOR_PICKS(S, LANES, MASK) \
    typedef struct bounds_##S { \
        __m512i flip, fold, mask, from, span; \
    } bounds_##S; \
    WW__TARGET_avx512 static inline __attribute__((always_inline)) \
    __m512i numbers_##S(const bounds_##S *b, __m512i key) { \
        const __m512i negative = _mm512_srai_epi##S(key, S - 1); \
        return _mm512_xor_si512(key, _mm512_xor_si512(b->flip, _mm512_and_si512(b->fold, negative))); \
    } \
    WW__TARGET_avx512 static inline \
        __attribute__((always_inline)) unsigned within_##S(const bounds_##S *b, __m512i x) { \
        return _mm512_cmple_epu##S##_mask(_mm512_sub_epi##S(_mm512_and_si512(x, b->mask), b->from), b->span); \
    } \
    WW__TARGET_avx512 static inline \
        __attribute__((always_inline)) unsigned before_##S(const bounds_##S *b, __m512i x) { \
        return _mm512_cmplt_epu##S##_mask(_mm512_and_si512(x, b->mask), b->from); \
    } \
    /* Nothing is stored behind what is picked. */ \
    WW__TARGET_avx512 static size_t put_##S(__m512i x, unsigned in, uint64_t first, uint##S##_t *to, \
                                            uint64_t *positions) { \
        const __m512i counting = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0); \
        const unsigned picked = (unsigned)__builtin_popcount(in); \
        _mm512_mask_storeu_epi##S(to, (MASK)((1u << picked) - 1u), _mm512_maskz_compress_epi##S((MASK)in, x)); \
        for (unsigned l = 0; positions && l < LANES; l += 8) { \
            const unsigned eight = in >> l & 255u, found = (unsigned)__builtin_popcount(eight); \
            const __m512i places = _mm512_add_epi64(_mm512_set1_epi64((long long)(first + l)), counting); \
            _mm512_mask_storeu_epi64(positions, (__mmask8)((1u << found) - 1u), \
                                     _mm512_maskz_compress_epi64((__mmask8)eight, places)); \
            positions += found; \
        } \
        return picked; \
    } \
    WW__TARGET_avx512 static size_t pick_##S##_avx512(const ww__picking *p, const void *keys, size_t n, \
                                                      uint64_t first, void *numbers, uint64_t *positions, \
                                                      uint64_t *below) { \
        enum { MANY = 4 * LANES }; \
        const bounds_##S b = {_mm512_set1_epi##S((lane_##S)p->order.flip), \
                              _mm512_set1_epi##S((lane_##S)p->order.fold), _mm512_set1_epi##S((lane_##S)p->mask), \
                              _mm512_set1_epi##S((lane_##S)p->from), _mm512_set1_epi##S((lane_##S)(p->to - p->from))}; \
        const uint##S##_t *k = keys; \
        uint##S##_t *to = numbers; \
        size_t picked = 0, i = 0, less = 0; \
        for (; i + MANY <= n; i += MANY) { \
            __m512i x[4]; \
            unsigned in[4]; \
            for (size_t v = 0; v < 4; v++) { \
                x[v] = numbers_##S(&b, _mm512_loadu_si512(k + i + v * LANES)); \
                in[v] = within_##S(&b, x[v]); \
                if (below) less += (size_t)__builtin_popcount(before_##S(&b, x[v])); \
            } \
            for (size_t line = 0; line < sizeof x; line += 64) \
                __builtin_prefetch((const char *)(k + i) + AHEAD + line); \
            if (!(in[0] | in[1] | in[2] | in[3])) continue; \
            /* Which of the four have any is nothing that a processor foresees. */ \
            for (size_t v = 0; v < 4; v++) \
                if (!positions || in[v]) \
                    picked += put_##S(x[v], in[v], first + i + v * LANES, to + picked, \
                                      positions ? positions + picked : NULL); \
        } \
        for (; i < n; i += LANES) { \
            const unsigned valid = n - i < LANES ? (1u << (n - i)) - 1u : (1u << LANES) - 1u; \
            const __m512i x = numbers_##S(&b, _mm512_maskz_loadu_epi##S((MASK)valid, k + i)); \
            const unsigned in = within_##S(&b, x) & valid; \
            less += (size_t)__builtin_popcount(before_##S(&b, x) & valid); \
            picked += put_##S(x, in, first + i, to + picked, positions ? positions + picked : NULL); \
        } \
        if (below) *below += less; \
        return picked; \
    }
VECTOR_PICKS(32, 16, __mmask16)
VECTOR_PICKS(64, 8, __mmask8)

#define LOOPS(S) \
    { pick_##S##_plain, pick_##S##_avx2, pick_##S##_avx512 }
#else
#define LOOPS(S) \
    { pick_##S##_plain, pick_##S##_plain, pick_##S##_plain }
#endif

ww__pick *ww__pick_of(const ww_device *device, size_t key_size) {
    static ww__pick *const loops[][WW_VECTORS] = {
        LOOPS(8),
        LOOPS(16),
        LOOPS(32),
        LOOPS(64),
#if WW_HAS_U128
        LOOPS(128)
#endif
    };
    size_t size_class = 0;
    while ((size_t)1 << size_class < key_size) size_class++;
    return loops[size_class][device->vector];
}
