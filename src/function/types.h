/* The library's element types, as lists to generate code from, X(C type, label); and which of them positions are of. */
#ifndef WW__TYPES_H
#define WW__TYPES_H

#include "warpwise/type.h"

#define WW__EACH_UNSIGNED(X) X(uint8_t, u8) X(uint16_t, u16) X(uint32_t, u32) X(uint64_t, u64)
#define WW__EACH_SIGNED(X) X(int8_t, i8) X(int16_t, i16) X(int32_t, i32) X(int64_t, i64)
#define WW__EACH_FLOAT(X) X(float, f32) X(double, f64)
#define WW__EACH_HALF(X) X(ww_f16, f16) X(ww_bf16, bf16)
#if WW_HAS_U128
#define WW__EACH_U128(X) X(ww_u128, u128)
#define WW__EACH_I128(X) X(ww_i128, i128)
#else
#define WW__EACH_U128(X)
#define WW__EACH_I128(X)
#endif
#define WW__EACH_INTEGER(X) WW__EACH_UNSIGNED(X) WW__EACH_SIGNED(X) WW__EACH_U128(X) WW__EACH_I128(X)
#define WW__EACH_NUMBER(X) WW__EACH_INTEGER(X) WW__EACH_FLOAT(X)

/* The place of a library type in tables, -1 for records and structs. The numbers that C has are the first WW__PLAIN_NUMBERS. */
enum {
    WW__U8,
    WW__U16,
    WW__U32,
    WW__U64,
    WW__I8,
    WW__I16,
    WW__I32,
    WW__I64,
    WW__U128,
    WW__I128,
    WW__F32,
    WW__F64,
    WW__PLAIN_NUMBERS,
    WW__F16 = WW__PLAIN_NUMBERS,
    WW__BF16,
    WW__NUMBERS
};
int ww__number_index(const ww_type *type);
/* Whether it is f16 or bf16. */
static inline bool ww__is_half(const ww_type *type) { return type == &ww_type_ww_f16 || type == &ww_type_ww_bf16; }

/* Positions are of u32, or of u64 from 2^32 elements on. */
static inline const ww_type *ww__position_type(uint64_t count) {
    return count <= UINT32_MAX ? &ww_type_uint32_t : &ww_type_uint64_t;
}

#endif
