/* The built-in operators and orders: one WW_COMBINE or WW_LESS for each type, made by the same macros that callers use. */
#ifndef WW__BUILT_IN_H
#define WW__BUILT_IN_H

#include "function/types.h"
#include "warpwise/function.h"

typedef const ww_function *ww__built_in[WW__NUMBERS]; /* by ww__number_index; NULL where a type has none */

extern const ww__built_in ww__adds, ww__muls, ww__mins, ww__maxs, ww__ands, ww__ors, ww__ascendings, ww__descendings;

/* What a name as ww_add stands for: of each type, a function of the table. */
typedef struct ww__built_in_family {
    const ww_function *object;
    const ww__built_in *table;
} ww__built_in_family;

/* Defines such a name. */
#define WW__BUILT_IN(symbol, text) \
    const ww_function symbol = {WW_FUNCTION_VERSION, \
                                WW_ROLE_BUILT_IN, \
                                0, \
                                0, \
                                text, \
                                __FILE__, \
                                NULL, \
                                NULL, \
                                NULL, \
                                NULL, \
                                NULL, \
                                NULL, \
                                NULL, \
                                NULL, \
                                {NULL, NULL, NULL}, \
                                NULL, \
                                NULL, \
                                NULL, \
                                0}

/* The function that `f` stands for on elements of a type: itself, or the one of its family; NULL where it is of another role or
 * type. */
const ww_function *ww__resolve(const ww_function *f, ww_role role, const ww_type *type, size_t size,
                               const ww__built_in_family *family, size_t families);

/* The table of all types for operators named `name_label`, and of the integers alone. */
#define WW__TABLE_INTEGERS(name) \
    [WW__U8] = &name##_u8_ww, [WW__U16] = &name##_u16_ww, [WW__U32] = &name##_u32_ww, [WW__U64] = &name##_u64_ww, \
    [WW__I8] = &name##_i8_ww, [WW__I16] = &name##_i16_ww, [WW__I32] = &name##_i32_ww, \
    [WW__I64] = &name##_i64_ww WW__TABLE_128(name)
#define WW__TABLE_FLOATS(name) [WW__F32] = &name##_f32_ww, [WW__F64] = &name##_f64_ww
#define WW__TABLE_HALVES(name) [WW__F16] = &name##_f16_ww, [WW__BF16] = &name##_bf16_ww
#if WW_HAS_U128
#define WW__TABLE_128(name) , [WW__U128] = &name##_u128_ww, [WW__I128] = &name##_i128_ww
#else
#define WW__TABLE_128(name)
#endif

/* An operation on f16 or bf16: its result in float, rounded. (What is folded of many is not rounded in between: function/halves.h.) */
#define WW__HALF(T, label, name, sign, identity_bits) \
    WW_COMBINE(name##_##label, T, a, b, WW_COMMUTES, WW_IDENTITY({identity_bits}), \
               { return T##_of_float(ww_float_of_##label(a) sign ww_float_of_##label(b)); });
/* The one that is `sign` the other in totalOrder; a NaN wins, and comes out as the quiet one of no sign. */
#define WW__HALF_EXTREME(T, label, name, sign, identity_bits, infinity_bits, nan_bits) \
    WW_COMBINE(name##_##label, T, a, b, WW_COMMUTES, WW_IDENTITY({identity_bits}), { \
        const int32_t x = a.bits < 0x8000 ? a.bits : 0x7FFF - (int32_t)a.bits; \
        const int32_t y = b.bits < 0x8000 ? b.bits : 0x7FFF - (int32_t)b.bits; \
        const bool is_nan = (a.bits & 0x7FFF) > infinity_bits || (b.bits & 0x7FFF) > infinity_bits; \
        T kept = a; \
        kept.bits = (uint16_t)(is_nan ? nan_bits : x sign y ? a.bits : b.bits); \
        return kept; \
    });

#endif
