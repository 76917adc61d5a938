/* ww_ascending and ww_descending: integers by value, floats by IEEE 754's totalOrder. */
#include "device/kernel/key_order.cuh"
#include "function/built_in.h"

WW__INLINE uint32_t total_float(float x) { return WW_KEY_TOTAL_ORDER(uint32_t, ww_bits_float(x)); }
WW__INLINE uint64_t total_double(double x) { return WW_KEY_TOTAL_ORDER(uint64_t, ww_bits_double(x)); }
WW__INLINE uint16_t total_ww_f16(ww_f16 x) { return WW_KEY_TOTAL_ORDER(uint16_t, x.bits); }
WW__INLINE uint16_t total_ww_bf16(ww_bf16 x) { return WW_KEY_TOTAL_ORDER(uint16_t, x.bits); }

#define INTEGER(T, label) \
    WW_LESS(ascending_##label, T, a, b, { return a < b; }); \
    WW_LESS(descending_##label, T, a, b, { return b < a; });
#define FLOAT(T, label) \
    WW_LESS(ascending_##label, T, a, b, { return total_##T(a) < total_##T(b); }); \
    WW_LESS(descending_##label, T, a, b, { return total_##T(b) < total_##T(a); });

WW__EACH_INTEGER(INTEGER)
WW__EACH_FLOAT(FLOAT)
WW__EACH_HALF(FLOAT)

const ww__built_in ww__ascendings = {WW__TABLE_INTEGERS(ascending), WW__TABLE_FLOATS(ascending),
                                     WW__TABLE_HALVES(ascending)};
const ww__built_in ww__descendings = {WW__TABLE_INTEGERS(descending), WW__TABLE_FLOATS(descending),
                                      WW__TABLE_HALVES(descending)};
