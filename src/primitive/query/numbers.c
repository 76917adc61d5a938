/* The least, the greatest and the first descent of numbers. Floats are compared as their bits read as a signed number, with the
 * magnitude's bits complemented where the sign is set: that is totalOrder, and what is equal then is the same bytes. Neighbours
 * are compared a block at a time, so that vector units do it; only a block with a descent is looked through. */
#include "primitive/query/numbers.h"

#include <string.h>

#include "function/function.h"
#include "function/types.h"

#define SAME(T, x) (x)
#define TURNED_float(T, x) ((x) ^ (int32_t)((uint32_t)((x) >> 31) >> 1))
#define TURNED_double(T, x) ((x) ^ (int64_t)((uint64_t)((x) >> 63) >> 1))

/* K: what elements are read as; V: what makes it a number that orders as they do, and back. */
#define SORTED(width, name, K, V, direction, descends) \
    WW__LOOP(width) size_t sorted##direction##name##_##width(const void *array, size_t n) { \
        enum { L = WW__LANES(sizeof(K)) }; \
        const K *x = WW__SEEN(K, array); \
        size_t i = 1; \
        for (; i + L <= n; i += L) { \
            K any = 0; \
            WW__FETCH(x + i); \
            for (size_t l = i; l < i + L; l++) any |= (K)(V(K, x[l]) descends V(K, x[l - 1])); \
            if (any) break; \
        } \
        for (; i < n; i++) \
            if (V(K, x[i]) descends V(K, x[i - 1])) return i; \
        return n; \
    }

#define LOOPS(width, name, K, V) \
    WW__LOOP(width) void ends_##name##_##width(void *ends, const void *array, size_t n) { \
        enum { L = WW__LANES(sizeof(K)) }; \
        const K *x = WW__SEEN(K, array); \
        K end[2], least[L], greatest[L]; \
        memcpy(end, ends, sizeof end); \
        for (size_t l = 0; l < L; l++) { \
            least[l] = V(K, end[0]); \
            greatest[l] = V(K, end[1]); \
        } \
        size_t i = 0; \
        for (; i + L <= n; i += L) { \
            WW__FETCH(x + i); \
            for (size_t l = 0; l < L; l++) { \
                const K v = V(K, x[i + l]); \
                least[l] = v < least[l] ? v : least[l]; \
                greatest[l] = v > greatest[l] ? v : greatest[l]; \
            } \
        } \
        for (size_t l = 0; i < n; i++, l++) { \
            const K v = V(K, x[i]); \
            least[l] = v < least[l] ? v : least[l]; \
            greatest[l] = v > greatest[l] ? v : greatest[l]; \
        } \
        for (size_t l = 1; l < L; l++) { \
            least[0] = least[l] < least[0] ? least[l] : least[0]; \
            greatest[0] = greatest[l] > greatest[0] ? greatest[l] : greatest[0]; \
        } \
        end[0] = V(K, least[0]); \
        end[1] = V(K, greatest[0]); \
        memcpy(ends, end, sizeof end); \
    } \
    WW__LOOP(width) size_t find_##name##_##width(const void *array, size_t n, const void *one) { \
        enum { L = 2 * WW__LANES(sizeof(K)) }; \
        const K *x = WW__SEEN(K, array); \
        const K wanted = *WW__SEEN(K, one); \
        size_t i = 0; \
        for (; i + L <= n; i += L) { \
            K any = 0; \
            for (size_t l = i; l < i + L; l++) any |= (K)(x[l] == wanted); \
            if (any) break; \
        } \
        while (i < n && x[i] != wanted) i++; \
        return i; \
    } \
    SORTED(width, name, K, V, _, <) \
    SORTED(width, name, K, V, _falling_, >) \
    static const ww__number_loops ww__loops_##name##_##width = { \
        ends_##name##_##width, sorted_##name##_##width, sorted_falling_##name##_##width, find_##name##_##width};

#define INTEGER(T, label) WW__EACH_WIDTH(LOOPS, label, T, SAME)
WW__EACH_UNSIGNED(INTEGER)
WW__EACH_SIGNED(INTEGER)
WW__EACH_WIDTH(LOOPS, f32, int32_t, TURNED_float)
WW__EACH_WIDTH(LOOPS, f64, int64_t, TURNED_double)

static const ww__number_loops *const all[WW__NUMBERS][WW_VECTORS] = {
    [WW__U8] = WW__TABLES(u8),   [WW__U16] = WW__TABLES(u16), [WW__U32] = WW__TABLES(u32), [WW__U64] = WW__TABLES(u64),
    [WW__I8] = WW__TABLES(i8),   [WW__I16] = WW__TABLES(i16), [WW__I32] = WW__TABLES(i32), [WW__I64] = WW__TABLES(i64),
    [WW__F32] = WW__TABLES(f32), [WW__F64] = WW__TABLES(f64)};

const ww__number_loops *ww__number_loops_of(const ww_device *device, const ww_function *less, const ww_type *type,
                                            size_t size, bool *falls) {
    const int number = ww__is_half(type) ? -1 : ww__number_index(type);
    const bool rises = number >= 0 && less == ww__order(&ww_ascending, type, size);
    *falls = number >= 0 && type->size <= sizeof(uint64_t) && less == ww__order(&ww_descending, type, size);
    return rises || *falls ? all[number][device->vector] : NULL;
}
