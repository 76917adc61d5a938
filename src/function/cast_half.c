/* Casts of f16 and bf16, by way of floats: a tile of them at a time. What a float does not hold is rounded once, too: it sets the float's
 * last bit instead, which is none of those that stay. */
#include "function/computed.h"
#include "function/types.h"
#include "warpwise/function_widths.h"

typedef void cast_loop(void *out, const void *in, size_t n);

#define LOOP(width, F, T, name) \
    WW__LOOP(width) void name##_##width(void *WW__R out, const void *WW__R in, size_t n) { \
        T *WW__R to = out; \
        const F *WW__R from = in; \
        for (size_t i = 0; i < n; i++) to[i] = name(from[i]); \
    }

WW__INLINE float nearly_double(double x) {
    const float near = (float)x;
    const uint32_t beyond = x < 0 ? near < x : near > x;
    return (double)near == x || x != x ? near : ww_float_of_bits((ww_bits_float(near) - beyond) | 1);
}
WW__INLINE float nearly_u64(uint64_t x) {
    const uint64_t high = x >> 11 << 11; /* what a double holds of 64 bits */
    return nearly_double(x >> 53 ? (double)(high | (uint64_t)(x != high) << 11) : (double)x);
}
WW__INLINE float nearly_i64(int64_t x) { return x < 0 ? -nearly_u64(0 - (uint64_t)x) : nearly_u64((uint64_t)x); }
WW__INLINE float nearly_u32(uint32_t x) { return nearly_double(x); }
WW__INLINE float nearly_i32(int32_t x) { return nearly_double(x); }
LOOP(plain, double, float, nearly_double)
LOOP(plain, uint64_t, float, nearly_u64)
LOOP(plain, int64_t, float, nearly_i64)
LOOP(plain, uint32_t, float, nearly_u32)
LOOP(plain, int32_t, float, nearly_i32)
#if WW_HAS_U128
WW__INLINE float nearly_u128(ww_u128 x) {
    const uint64_t high = (uint64_t)(x >> 64);
    if (!high) return nearly_u64((uint64_t)x);
    if (!(high >> 32)) return nearly_u64((uint64_t)(x >> 32) | ((uint32_t)x != 0)) * 0x1p32f;
    return nearly_u64(high | ((uint64_t)x != 0)) * 0x1p64f;
}
WW__INLINE float nearly_i128(ww_i128 x) { return x < 0 ? -nearly_u128(0 - (ww_u128)x) : nearly_u128((ww_u128)x); }
LOOP(plain, ww_u128, float, nearly_u128)
LOOP(plain, ww_i128, float, nearly_i128)
#define NEARLY_128 [WW__U128] = nearly_u128_plain, [WW__I128] = nearly_i128_plain,
#else
#define NEARLY_128
#endif

/* NULL: the float is as good as the number. */
static cast_loop *const nearly[WW__NUMBERS] = {
    [WW__F64] = nearly_double_plain, [WW__U64] = nearly_u64_plain, [WW__I64] = nearly_i64_plain,
    [WW__U32] = nearly_u32_plain,    [WW__I32] = nearly_i32_plain, NEARLY_128};

typedef struct half_loops {
    cast_loop *to_float[2], *of_float[2];
} half_loops;

#define LOOPS(width, unused) \
    LOOP(width, ww_f16, float, ww_float_of_f16) \
    LOOP(width, ww_bf16, float, ww_float_of_bf16) \
    LOOP(width, float, ww_f16, ww_f16_of_float) \
    LOOP(width, float, ww_bf16, ww_bf16_of_float) \
    static const half_loops ww__loops_half_##width = {{ww_float_of_f16_##width, ww_float_of_bf16_##width}, \
                                                      {ww_f16_of_float_##width, ww_bf16_of_float_##width}};
WW__EACH_WIDTH(LOOPS, 0)
static const half_loops *const by_width[WW_VECTORS] = WW__TABLES(half);

static void to_float(const ww_device *device, float *out, const ww_type *from, const void *in, size_t n) {
    cast_loop *const near = nearly[ww__number_index(from)];
    if (ww__is_half(from))
        by_width[device->vector]->to_float[from == &ww_type_ww_bf16](out, in, n);
    else if (near)
        near(out, in, n);
    else
        ww__cast(device, &ww_type_float, out, from, in, n);
}

static void of_float(const ww_device *device, const ww_type *to, void *out, const float *in, size_t n) {
    if (ww__is_half(to))
        by_width[device->vector]->of_float[to == &ww_type_ww_bf16](out, in, n);
    else
        ww__cast(device, to, out, &ww_type_float, in, n);
}

void ww__cast_half(const ww_device *device, const ww_type *to, void *out, const ww_type *from, const void *in,
                   size_t n) {
    enum { TILE = 1024 };
    float tile[TILE];
    if (to == &ww_type_float) {
        to_float(device, out, from, in, n);
    } else if (from == &ww_type_float) {
        of_float(device, to, out, in, n);
    } else {
        for (size_t i = 0; i < n; i += TILE) {
            const size_t many = n - i < TILE ? n - i : TILE;
            to_float(device, tile, from, (const unsigned char *)in + i * from->size, many);
            of_float(device, to, (unsigned char *)out + i * to->size, tile, many);
        }
    }
}
