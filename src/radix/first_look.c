/* The loops of first_look.h, for each size of keys and each width of vectors. Blocks have no way out in them, so that they can be
 * vectorised. Counts of a block fit in a key. */
#include "radix/first_look.h"

#include "warpwise/function_widths.h"

enum {
    LOOKED = 256,
    TALLIED = 512, /* keys of a block, of one byte 128 */
    TOGETHER = 8   /* values that a block is held against at once */
};

#define FETCH(p, bytes) \
    for (size_t f_ = 0; f_ < (bytes); f_ += 64) __builtin_prefetch((const char *)(p) + WW__AHEAD + f_)

#define LOOKS(S, KEY) \
    typedef KEY key_##S __attribute__((aligned(1), may_alias)); \
    /* Keys are numbers as they are, and all bits count. */ \
    WW__INLINE unsigned descents_##S(const key_##S *k, size_t n) { \
        unsigned descents = 0; \
        for (size_t j = 0; j < n; j++) descents |= k[j + 1] < k[j]; \
        return descents; \
    } \
    WW__INLINE unsigned descents_of_numbers_##S(const key_##S *k, size_t n, KEY flip, KEY fold, KEY bits) { \
        unsigned descents = 0; \
        for (size_t j = 0; j < n; j++) \
            descents |= (WW_KEY_NUMBER(KEY, k[j + 1], flip, fold) & bits) < \
                        (WW_KEY_NUMBER(KEY, k[j], flip, fold) & bits); \
        return descents; \
    } \
    WW__INLINE bool in_order_##S(const void *keys, size_t n, const ww__radix_order *order, ww__word mask) { \
        const key_##S *k = keys; \
        const KEY flip = (KEY)order->flip, fold = (KEY)order->fold, bits = (KEY)mask; \
        const bool plain = !flip && !fold && bits == (KEY) ~(KEY)0; \
        for (size_t i = 0; i + 1 < n;) { \
            const size_t many = n - 1 - i < LOOKED ? n - 1 - i : LOOKED; \
            FETCH(k + i, many * sizeof(KEY)); \
            if (plain ? descents_##S(k + i, many) : descents_of_numbers_##S(k + i, many, flip, fold, bits)) \
                return false; \
            i += many; \
        } \
        return true; \
    } \
    WW__INLINE void tally_block_##S(const key_##S *k, size_t n, const KEY value[TOGETHER], uint64_t *counts) { \
        KEY equal[TOGETHER] = {0}; \
        for (size_t j = 0; j < n; j++) \
            _Pragma("GCC unroll 8") for (size_t d = 0; d < TOGETHER; d++) \
                equal[d] = (KEY)(equal[d] + (k[j] == value[d])); \
        for (size_t d = 0; d < TOGETHER; d++) counts[d] += (uint64_t)equal[d]; \
    } \
    WW__INLINE bool tally_##S(const void *keys, size_t n, const void *values, size_t many, uint64_t *counts) { \
        const key_##S *k = keys, *v = values; \
        KEY value[WW__TALLY_MOST]; \
        uint64_t count[WW__TALLY_MOST] = {0}, all = 0; \
        for (size_t d = 0; d < WW__TALLY_MOST; d++) value[d] = v[d < many ? d : 0]; \
        for (size_t i = 0, most = sizeof(KEY) == 1 ? 128 : TALLIED; i < n; i += most) { \
            const size_t some = n - i < most ? n - i : most; \
            FETCH(k + i, some * sizeof(KEY)); \
            for (size_t d = 0; d < many; d += TOGETHER) tally_block_##S(k + i, some, value + d, count + d); \
        } \
        for (size_t d = 0; d < many; d++) all += counts[d] = count[d]; \
        return all == n; \
    } \
    WW__EACH_WIDTH(LOOK, S)
#define LOOK(width, S) \
    WW__TARGET_##width static bool in_order_##S##_##width(const void *keys, size_t n, const ww__radix_order *order, \
                                                          ww__word mask) { \
        return in_order_##S(keys, n, order, mask); \
    } \
    WW__TARGET_##width static bool tally_##S##_##width(const void *keys, size_t n, const void *values, size_t many, \
                                                       uint64_t *counts) { \
        return tally_##S(keys, n, values, many, counts); \
    }

LOOKS(8, uint8_t)
LOOKS(16, uint16_t)
LOOKS(32, uint32_t)
LOOKS(64, uint64_t)
#if WW_HAS_U128
LOOKS(128, ww_u128)
#endif

#define OF(S, width) \
    { in_order_##S##_##width, tally_##S##_##width }
#if defined(__x86_64__)
#define LOOPS(S) \
    { OF(S, plain), OF(S, avx2), OF(S, avx512) }
#else
#define LOOPS(S) \
    { OF(S, plain), OF(S, plain), OF(S, plain) }
#endif

const ww__first_look *ww__first_look_of(const ww_device *device, size_t key_size) {
    static const ww__first_look looks[][WW_VECTORS] = {
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
    return &looks[size_class][device->vector];
}
