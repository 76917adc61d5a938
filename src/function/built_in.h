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
    [WW__U8] = &ww_##name##_u8, [WW__U16] = &ww_##name##_u16, [WW__U32] = &ww_##name##_u32, \
    [WW__U64] = &ww_##name##_u64, [WW__I8] = &ww_##name##_i8, [WW__I16] = &ww_##name##_i16, \
    [WW__I32] = &ww_##name##_i32, [WW__I64] = &ww_##name##_i64 WW__TABLE_U128(name)
#define WW__TABLE_FLOATS(name) [WW__F32] = &ww_##name##_f32, [WW__F64] = &ww_##name##_f64
#if WW_HAS_U128
#define WW__TABLE_U128(name) , [WW__U128] = &ww_##name##_u128
#else
#define WW__TABLE_U128(name)
#endif

#endif
