/* The built-in operators and orders: one WW_COMBINE or WW_LESS for each type, made by the same macros that callers use. */
#ifndef WW__BUILT_IN_H
#define WW__BUILT_IN_H

#include "function/types.h"
#include "warpwise/function.h"

typedef const ww_function *ww__built_in[WW__NUMBERS]; /* by ww__number_index; NULL where a type has none */

extern const ww__built_in ww__adds, ww__muls, ww__mins, ww__maxs, ww__ands, ww__ors, ww__ascendings, ww__descendings,
    ww__by_numbers, ww__by_bits, ww__by_deltas;

/* The table of all types for operators named `name_label`, and of the integers alone. */
#define WW__TABLE_INTEGERS(name) \
    [WW__U8] = &name##_u8_ww, [WW__U16] = &name##_u16_ww, [WW__U32] = &name##_u32_ww, [WW__U64] = &name##_u64_ww, \
    [WW__I8] = &name##_i8_ww, [WW__I16] = &name##_i16_ww, [WW__I32] = &name##_i32_ww, \
    [WW__I64] = &name##_i64_ww WW__TABLE_U128(name)
#define WW__TABLE_FLOATS(name) [WW__F32] = &name##_f32_ww, [WW__F64] = &name##_f64_ww
#if WW_HAS_U128
#define WW__TABLE_U128(name) , [WW__U128] = &name##_u128_ww
#else
#define WW__TABLE_U128(name)
#endif

#endif
