/* The loops that pick keys, for each size of them and each width of vectors. A block of keys is first looked at as a whole,
 * without a way out, so that this can be vectorised; then a few at a time; only what has any is gone through one by one. */
#include "sort/select/pick.h"

#include "warpwise/function_widths.h"

enum { BLOCK = 256, FEW = 16 };

/* A key at any address, what it is as a number, and the loop. COUNT: what counts a block's keys at the same width. */
#define PICKS(S, KEY, COUNT) \
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
    WW__EACH_WIDTH(PICK, S)
#define PICK(width, S) \
    WW__TARGET_##width static size_t pick_##S##_##width(const ww__picking *p, const void *keys, size_t n, \
                                                        uint64_t first, void *numbers, uint64_t *positions, \
                                                        uint64_t *below) { \
        return below ? pick_##S(p, keys, n, first, numbers, positions, below) \
                     : pick_##S(p, keys, n, first, numbers, positions, NULL); \
    }

PICKS(8, uint8_t, uint16_t)
PICKS(16, uint16_t, uint16_t)
PICKS(32, uint32_t, uint32_t)
PICKS(64, uint64_t, uint64_t)
#if WW_HAS_U128
PICKS(128, ww_u128, uint32_t)
#endif

#if defined(__x86_64__)
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
