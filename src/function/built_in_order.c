/* ww_ascending and ww_descending: integers by value, floats by IEEE 754's totalOrder, which is the order of their bits as
 * sign and magnitude. */
#include "function/built_in.h"

/* A float's bits as an unsigned number that orders as totalOrder does: negative ones are complemented, others get the
 * sign bit. */
WW__INLINE uint32_t total_float(float x) {
    const uint32_t b = ww_bits_float(x);
    return b ^ ((b >> 31) ? 0xffffffffu : 0x80000000u);
}
WW__INLINE uint64_t total_double(double x) {
    const uint64_t b = ww_bits_double(x);
    return b ^ ((b >> 63) ? UINT64_MAX : (uint64_t)1 << 63);
}

#define INTEGER(T, label) \
    WW_LESS(ascending_##label, T, a, b, { return a < b; }); \
    WW_LESS(descending_##label, T, a, b, { return b < a; });
#define FLOAT(T, label) \
    WW_LESS(ascending_##label, T, a, b, { return total_##T(a) < total_##T(b); }); \
    WW_LESS(descending_##label, T, a, b, { return total_##T(b) < total_##T(a); });

WW__EACH_INTEGER(INTEGER)
WW__EACH_FLOAT(FLOAT)

const ww__built_in ww__ascendings = {WW__TABLE_INTEGERS(ascending), WW__TABLE_FLOATS(ascending)};
const ww__built_in ww__descendings = {WW__TABLE_INTEGERS(descending), WW__TABLE_FLOATS(descending)};
