/* Numbers as numbers of other types: a loop for each pair of types and vector width, of one line each. */
#include "function/computed.h"
#include "function/types.h"
#include "warpwise/function_widths.h"

/* Integers, and integers to floats: as C does. */
#define EXACT(T, x) ((T)(x))

/* Floats to integers: the nearest number that there is. LOW and HIGH are powers of two, which floats hold exactly (HIGH of u128
 * does not fit a float, so that is compared as a double). */
#define SATURATED(T, x, low, high, least, most) \
    ((x) >= (low) ? ((x) < (high) ? (T)(x) : (most)) : (x) < (low) ? (least) : 0)
#define TO_uint8_t(x) SATURATED(uint8_t, x, 0, 0x1p8f, 0, UINT8_MAX)
#define TO_uint16_t(x) SATURATED(uint16_t, x, 0, 0x1p16f, 0, UINT16_MAX)
#define TO_uint32_t(x) SATURATED(uint32_t, x, 0, 0x1p32f, 0, UINT32_MAX)
#define TO_uint64_t(x) SATURATED(uint64_t, x, 0, 0x1p64f, 0, UINT64_MAX)
#define TO_int8_t(x) SATURATED(int8_t, x, -0x1p7f, 0x1p7f, INT8_MIN, INT8_MAX)
#define TO_int16_t(x) SATURATED(int16_t, x, -0x1p15f, 0x1p15f, INT16_MIN, INT16_MAX)
#define TO_int32_t(x) SATURATED(int32_t, x, -0x1p31f, 0x1p31f, INT32_MIN, INT32_MAX)
#define TO_int64_t(x) SATURATED(int64_t, x, -0x1p63f, 0x1p63f, INT64_MIN, INT64_MAX)
#define TO_ww_u128(x) SATURATED(ww_u128, (double)(x), 0, 0x1p128, 0, ~(ww_u128)0)
#define TO_ww_i128(x) \
    SATURATED(ww_i128, x, -0x1p127f, 0x1p127f, (ww_i128)((ww_u128)1 << 127), (ww_i128)(((ww_u128)1 << 127) - 1))
/* Between floats: a NaN's bits are not the same on every machine. */
#define TO_float(x) ((x) == (x) ? (float)(x) : __builtin_nanf(""))
#define TO_double(x) ((x) == (x) ? (double)(x) : __builtin_nan(""))

#define LOOP(width, F, T, value) \
    WW__LOOP(width) void F##_as_##T##_##width(void *WW__R out, const void *WW__R in, size_t n) { \
        WW__EXACT \
        T *WW__R to = out; \
        const F *WW__R from = in; \
        size_t i = 0; \
        for (; i + WW__LANES(sizeof(F)) <= n; i += WW__LANES(sizeof(F))) { \
            WW__FETCH(from + i); \
            for (size_t l = i; l < i + WW__LANES(sizeof(F)); l++) { \
                const F x = from[l]; \
                to[l] = value; \
            } \
        } \
        for (; i < n; i++) { \
            const F x = from[i]; \
            to[i] = value; \
        } \
    }

#if WW_HAS_U128
#define WITH_128(X, width, F) X(width, F, ww_u128) X(width, F, ww_i128)
#else
#define WITH_128(X, width, F)
#endif
/* X(width, F, T) for all types T; a list of its own, since a macro does not expand in itself. */
#define EACH_TO(X, width, F) \
    X(width, F, uint8_t) \
    X(width, F, uint16_t) \
    X(width, F, uint32_t) \
    X(width, F, uint64_t) X(width, F, int8_t) X(width, F, int16_t) X(width, F, int32_t) X(width, F, int64_t) \
        WITH_128(X, width, F) X(width, F, float) X(width, F, double)
#define FROM_INTEGER(width, F, T) LOOP(width, F, T, EXACT(T, x))
#define FROM_FLOAT(width, F, T) LOOP(width, F, T, TO_##T(x))

#define ROW_uint8_t [WW__U8]
#define ROW_uint16_t [WW__U16]
#define ROW_uint32_t [WW__U32]
#define ROW_uint64_t [WW__U64]
#define ROW_int8_t [WW__I8]
#define ROW_int16_t [WW__I16]
#define ROW_int32_t [WW__I32]
#define ROW_int64_t [WW__I64]
#define ROW_ww_u128 [WW__U128]
#define ROW_ww_i128 [WW__I128]
#define ROW_float [WW__F32]
#define ROW_double [WW__F64]
#define LISTED(width, F, T) ROW_##T = F##_as_##T##_##width,
#define ROW_OF(width, F) ROW_##F = {EACH_TO(LISTED, width, F)},

typedef void cast_loop(void *out, const void *in, size_t n);
typedef cast_loop *const table[WW__PLAIN_NUMBERS][WW__PLAIN_NUMBERS];

#if WW_HAS_U128
#define LOOPS_128(width) EACH_TO(FROM_INTEGER, width, ww_u128) EACH_TO(FROM_INTEGER, width, ww_i128)
#define ROWS_128(width) ROW_OF(width, ww_u128) ROW_OF(width, ww_i128)
#else
#define LOOPS_128(width)
#define ROWS_128(width)
#endif
#define LOOPS(width, unused) \
    EACH_TO(FROM_INTEGER, width, uint8_t) \
    EACH_TO(FROM_INTEGER, width, uint16_t) \
    EACH_TO(FROM_INTEGER, width, uint32_t) \
    EACH_TO(FROM_INTEGER, width, uint64_t) \
    EACH_TO(FROM_INTEGER, width, int8_t) \
    EACH_TO(FROM_INTEGER, width, int16_t) \
    EACH_TO(FROM_INTEGER, width, int32_t) \
    EACH_TO(FROM_INTEGER, width, int64_t) \
    LOOPS_128(width) \
    EACH_TO(FROM_FLOAT, width, float) \
    EACH_TO(FROM_FLOAT, width, double) \
    static table ww__loops_cast_##width = {ROW_OF(width, uint8_t) ROW_OF(width, uint16_t) ROW_OF(width, uint32_t) \
                                               ROW_OF(width, uint64_t) ROW_OF(width, int8_t) ROW_OF(width, int16_t) \
                                                   ROW_OF(width, int32_t) ROW_OF(width, int64_t) ROWS_128(width) \
                                                       ROW_OF(width, float) ROW_OF(width, double)};
WW__EACH_WIDTH(LOOPS, 0)

static table *const by_width[WW_VECTORS] = WW__TABLES(cast);

void ww__cast(const ww_device *device, const ww_type *to, void *out, const ww_type *from, const void *in, size_t n) {
    if (ww__is_half(from) || ww__is_half(to))
        ww__cast_half(device, to, out, from, in, n);
    else
        (*by_width[device->vector])[ww__number_index(from)][ww__number_index(to)](out, in, n);
}
