/* One loop for each type and way of combining. Integers wrap; floats have IEEE 754's minimum and maximum as ww_min and
 * ww_max do: a NaN wins (as the quiet one without a sign), -0 is below 0. */
#include "primitive/gather/scatter_combine.h"

#include "function/types.h"
#include "warpwise/function.h"

enum { AHEAD = 32 };

#define COMBINE(name, T, ...) \
    WW__COMPILED static void name(unsigned char *places_of, const unsigned char *in, const uint64_t *places, \
                                  const uint32_t *positions, size_t n, size_t size) { \
        WW__EXACT \
        T *to = (T *)(void *)places_of; \
        const T *x = (const T *)(const void *)in; \
        (void)size; \
        for (size_t i = 0; i < n; i++) { \
            if (i + AHEAD < n) __builtin_prefetch(to + places[i + AHEAD], 1); \
            const T a = to[places[i]], b = x[positions[i]]; \
            to[places[i]] = __VA_ARGS__; \
        } \
    }

#define ADD(T, label) COMBINE(add_##label, T, (T)(a + b))
#define MIN(T, label) COMBINE(min_##label, T, b < a ? b : a)
#define MAX(T, label) COMBINE(max_##label, T, b > a ? b : a)
WW__EACH_UNSIGNED(ADD)
WW__EACH_U128(ADD)
WW__EACH_FLOAT(ADD)
WW__EACH_INTEGER(MIN)
WW__EACH_INTEGER(MAX)

/* Zeros of two signs are equal: their sign bits are joined (min) or met (max). */
#define EXTREME(name, T, nan, better, join) \
    COMBINE(name, T, \
            a != a || b != b ? ww_##T##_of_bits(nan) \
            : a == b         ? ww_##T##_of_bits(ww_bits_##T(a) join ww_bits_##T(b)) \
            : b better a     ? b \
                             : a)
EXTREME(min_f32, float, 0x7fc00000u, <, |)
EXTREME(max_f32, float, 0x7fc00000u, >, &)
EXTREME(min_f64, double, 0x7ff8000000000000u, <, |)
EXTREME(max_f64, double, 0x7ff8000000000000u, >, &)

/* Halves as their operators have it: each sum is rounded. */
COMBINE(add_f16, ww_f16, ww_f16_of_float(ww_float_of_f16(a) + ww_float_of_f16(b)))
COMBINE(add_bf16, ww_bf16, ww_bf16_of_float(ww_float_of_bf16(a) + ww_float_of_bf16(b)))
#define HALF_EXTREME(name, T, infinity, nan, sign) \
    WW__INLINE T name##_of(T a, T b) { \
        const int32_t x = a.bits < 0x8000 ? a.bits : 0x7FFF - (int32_t)a.bits; \
        const int32_t y = b.bits < 0x8000 ? b.bits : 0x7FFF - (int32_t)b.bits; \
        const bool is_nan = (a.bits & 0x7FFF) > (infinity) || (b.bits & 0x7FFF) > (infinity); \
        return is_nan ? (T){nan} : x sign y ? a : b; \
    } \
    COMBINE(name, T, name##_of(a, b))
HALF_EXTREME(min_f16, ww_f16, 0x7C00, 0x7E00, <)
HALF_EXTREME(max_f16, ww_f16, 0x7C00, 0x7E00, >)
HALF_EXTREME(min_bf16, ww_bf16, 0x7F80, 0x7FC0, <)
HALF_EXTREME(max_bf16, ww_bf16, 0x7F80, 0x7FC0, >)

#if WW_HAS_U128
#define WIDE(op) , [WW__U128] = op##_u128, [WW__I128] = SIGNED_##op(128)
#else
#define WIDE(op)
#endif
/* Signed sums have the bits of unsigned ones. */
#define SIGNED_add(n) add_u##n
#define SIGNED_min(n) min_i##n
#define SIGNED_max(n) max_i##n
#define TABLE(op) \
    { \
        [WW__U8] = op##_u8, [WW__U16] = op##_u16, [WW__U32] = op##_u32, [WW__U64] = op##_u64, \
        [WW__I8] = SIGNED_##op(8), [WW__I16] = SIGNED_##op(16), [WW__I32] = SIGNED_##op(32), \
        [WW__I64] = SIGNED_##op(64), [WW__F32] = op##_f32, [WW__F64] = op##_f64, [WW__F16] = op##_f16, \
        [WW__BF16] = op##_bf16 WIDE(op) \
    }
static ww__place_loop *const loops[3][WW__NUMBERS] = {TABLE(add), TABLE(min), TABLE(max)};

ww__place_loop *ww__combine_loop(ww_conflict conflict, const ww_type *type) {
    return loops[conflict - WW_CONFLICT_ADD][ww__number_index(type)];
}
