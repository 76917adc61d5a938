#include "reference/gather.h"

#include <math.h>
#include <string.h>

#include "function/types.h"
#include "reference/half.h"

void reference_gather(const void *from, size_t count, const uint64_t *index, size_t n, void *out, size_t size) {
    for (size_t i = 0; i < n; i++)
        if (index[i] < count) memcpy((char *)out + i * size, (const char *)from + index[i] * size, size);
}

#define INTEGER(T, label) \
    static void combine_##label(T *to, T x, ww_conflict conflict) { \
        if (conflict == WW_CONFLICT_ADD) \
            *to = (T)((uint64_t)*to + (uint64_t)x); \
        else if (conflict == WW_CONFLICT_MIN ? x < *to : x > *to) \
            *to = x; \
    }
#define FLOAT(T, label) \
    static void combine_##label(T *to, T x, ww_conflict conflict) { \
        if (conflict == WW_CONFLICT_ADD) \
            *to += x; \
        else if (isnan(*to) || isnan(x)) \
            *to = (T)NAN; \
        else if (x == 0 && *to == 0) \
            *to = conflict == WW_CONFLICT_MIN ? (signbit(x) ? x : *to) : (signbit(x) ? *to : x); \
        else if (conflict == WW_CONFLICT_MIN ? x < *to : x > *to) \
            *to = x; \
    }
WW__EACH_UNSIGNED(INTEGER)
WW__EACH_SIGNED(INTEGER)
WW__EACH_FLOAT(FLOAT)
#if WW_HAS_U128
static void combine_u128(ww_u128 *to, ww_u128 x, ww_conflict conflict) {
    if (conflict == WW_CONFLICT_ADD)
        *to += x;
    else if (conflict == WW_CONFLICT_MIN ? x < *to : x > *to)
        *to = x;
}
static void combine_i128(ww_i128 *to, ww_i128 x, ww_conflict conflict) {
    if (conflict == WW_CONFLICT_ADD)
        *to = (ww_i128)((ww_u128)*to + (ww_u128)x);
    else if (conflict == WW_CONFLICT_MIN ? x < *to : x > *to)
        *to = x;
}
#endif

static void combine_half(const ww_type *type, void *to, const void *in, ww_conflict conflict) {
    double a = reference_half_value(type, to), x = reference_half_value(type, in);
    if (conflict == WW_CONFLICT_ADD)
        a += x;
    else
        combine_f64(&a, x, conflict);
    reference_put_half(type, a, to);
}

void reference_scatter(const void *in, const ww_type *type, size_t size, const uint64_t *index, size_t n, void *to,
                       size_t count, ww_conflict conflict) {
    for (size_t i = 0; i < n; i++) {
        if (index[i] >= count) continue;
        if (conflict == WW_CONFLICT_LAST) memcpy((char *)to + index[i] * size, (const char *)in + i * size, size);
#define COMBINE(T, label) \
    else if (type == &ww_type_##T) combine_##label((T *)to + index[i], ((const T *)in)[i], conflict);
        WW__EACH_NUMBER(COMBINE)
        else if (reference_is_half(type)) {
            combine_half(type, (char *)to + index[i] * size, (const char *)in + i * size, conflict);
        }
    }
}
