/* ww_ascending and ww_descending: integers by value, floats by IEEE 754's totalOrder. */
#include "device/kernel/key_order.cuh"
#include "function/built_in.h"

WW__INLINE uint32_t total_float(float x) { return WW_KEY_TOTAL_ORDER(uint32_t, ww_bits_float(x)); }
WW__INLINE uint64_t total_double(double x) { return WW_KEY_TOTAL_ORDER(uint64_t, ww_bits_double(x)); }

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
