/* ww_max: integers by value; floats as IEEE 754's maximum: a NaN wins, and -0 is below 0. */
#include <math.h>

#include "function/built_in.h"

#define UNSIGNED(T, label) WW_COMBINE(max_##label, T, a, b, WW_COMMUTES, WW_IDENTITY(0), { return a > b ? a : b; });
#define SIGNED(T, label) \
    WW_COMBINE(max_##label, T, a, b, WW_COMMUTES, WW_IDENTITY((T)((uint64_t)1 << (8 * sizeof(T) - 1))), \
               { return a > b ? a : b; });
#define SIGNED_WIDE(T, label) \
    WW_COMBINE(max_##label, T, a, b, WW_COMMUTES, WW_IDENTITY((T)((ww_u128)1 << 127)), { return a > b ? a : b; });
/* Equal floats have equal bits or are zeros of two signs: both sign bits make the result's. A NaN comes out as the one
 * quiet NaN of no sign, so that the order of two of them cannot be seen in it. */
#define FLOAT(T, label, nan_bits) \
    WW_COMBINE(max_##label, T, a, b, WW_COMMUTES, WW_IDENTITY(-INFINITY), { \
        const T kept = a > b ? a : b; \
        const T even = ww_##T##_of_bits(ww_bits_##T(a) & ww_bits_##T(b)); \
        return a != a || b != b ? ww_##T##_of_bits(nan_bits) : a == b ? even : kept; \
    });

WW__EACH_UNSIGNED(UNSIGNED)
WW__EACH_SIGNED(SIGNED)
WW__EACH_U128(UNSIGNED)
WW__EACH_I128(SIGNED_WIDE)
FLOAT(float, f32, 0x7fc00000u)
FLOAT(double, f64, 0x7ff8000000000000u)
WW__HALF_EXTREME(ww_f16, f16, max, >, 0xFC00, 0x7C00, 0x7E00)
WW__HALF_EXTREME(ww_bf16, bf16, max, >, 0xFF80, 0x7F80, 0x7FC0)

const ww__built_in ww__maxs = {WW__TABLE_INTEGERS(max), WW__TABLE_FLOATS(max), WW__TABLE_HALVES(max)};
