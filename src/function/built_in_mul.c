/* ww_mul: products; integers wrap in their type. */
#include "function/built_in.h"

/* Unsigned arithmetic wraps; narrow types would be promoted to int, whose overflow is undefined. */
#define UNSIGNED(T, label) \
    WW_COMBINE(mul_##label, T, a, b, WW_COMMUTES, WW_IDENTITY(1), { return (T)((uint64_t)a * b); });
#define SIGNED(T, label) \
    WW_COMBINE(mul_##label, T, a, b, WW_COMMUTES, WW_IDENTITY(1), { return (T)((uint64_t)a * (uint64_t)b); });
#define SIGNED_WIDE(T, label) \
    WW_COMBINE(mul_##label, T, a, b, WW_COMMUTES, WW_IDENTITY(1), { return (T)((ww_u128)a * (ww_u128)b); });
#define EXACT(T, label) WW_COMBINE(mul_##label, T, a, b, WW_COMMUTES, WW_IDENTITY(1), { return a * b; });

WW__EACH_UNSIGNED(UNSIGNED)
WW__EACH_SIGNED(SIGNED)
WW__EACH_U128(EXACT)
WW__EACH_I128(SIGNED_WIDE)
WW__EACH_FLOAT(EXACT)
WW__HALF(ww_f16, f16, mul, *, 0x3C00)
WW__HALF(ww_bf16, bf16, mul, *, 0x3F80)

const ww__built_in ww__muls = {WW__TABLE_INTEGERS(mul), WW__TABLE_FLOATS(mul), WW__TABLE_HALVES(mul)};
