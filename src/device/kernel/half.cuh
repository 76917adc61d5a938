/* Floats of 16 bits in kernels: the host's words for them (warpwise/function_loops.h), and C's operators, so that what is written for numbers
 * takes them: each result is rounded. */
#ifndef WW_HALF_CUH
#define WW_HALF_CUH

struct ww_f16 {
    uint16_t bits;
};
struct ww_bf16 {
    uint16_t bits;
};

WW_INLINE float ww_float_of_bf16(ww_bf16 x) {
    const uint32_t bits = uint32_t(x.bits) << 16;
    return ww_float_of_bits((bits & 0x7FFFFFFFu) > 0x7F800000u ? 0x7FC00000u : bits);
}
WW_INLINE ww_bf16 ww_bf16_of_float(float x) {
    const uint32_t bits = ww_bits_float(x);
    ww_bf16 half;
    half.bits = uint16_t((bits & 0x7FFFFFFFu) > 0x7F800000u ? 0x7FC0u : (bits + 0x7FFFu + (bits >> 16 & 1)) >> 16);
    return half;
}
#ifdef WW_EMULATED
WW_INLINE float ww_float_of_f16(ww_f16 x) {
    const uint32_t exponent = x.bits >> 10 & 31, fraction = x.bits & 0x3FFu, sign = uint32_t(x.bits & 0x8000u) << 16;
    if (exponent == 31) return ww_float_of_bits(fraction ? 0x7FC00000u : 0x7F800000u | sign);
    const float magnitude = exponent ? ww_float_of_bits((exponent + 112) << 23 | fraction << 13)
                                     : float(fraction) * (1.0f / (1 << 24));
    return ww_float_of_bits(ww_bits_float(magnitude) | sign);
}
WW_INLINE ww_f16 ww_f16_of_float(float x) {
    const uint32_t magnitude = ww_bits_float(x) & 0x7FFFFFFFu, sign = ww_bits_float(x) >> 16 & 0x8000u;
    uint32_t bits = 0x7C00u | sign;
    if (magnitude > 0x7F800000u)
        bits = 0x7E00u;
    else if (magnitude < 0x38800000u) /* below 2^-14: a sum with 0.5 is rounded to steps of 2^-24 */
        bits = (ww_bits_float(ww_float_of_bits(magnitude) + 0.5f) - 0x3F000000u) | sign;
    else if (magnitude < 0x477FF000u)
        bits = (magnitude + 0xFFFu + (magnitude >> 13 & 1) - 0x38000000u) >> 13 | sign;
    ww_f16 half;
    half.bits = uint16_t(bits);
    return half;
}
#else
WW_INLINE float ww_float_of_f16(ww_f16 x) {
    float wide;
    asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(x.bits));
    return wide == wide ? wide : ww_float_of_bits(0x7FC00000u);
}
WW_INLINE ww_f16 ww_f16_of_float(float x) {
    ww_f16 half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half.bits) : "f"(x));
    if (x != x) half.bits = 0x7E00;
    return half;
}
#endif

#define WW_HALF_OPERATORS(T, label) \
    WW_DEVICE bool operator<(T x, T y) { return ww_float_of_##label(x) < ww_float_of_##label(y); } \
    WW_DEVICE bool operator>(T x, T y) { return ww_float_of_##label(x) > ww_float_of_##label(y); } \
    WW_DEVICE bool operator<=(T x, T y) { return ww_float_of_##label(x) <= ww_float_of_##label(y); } \
    WW_DEVICE bool operator>=(T x, T y) { return ww_float_of_##label(x) >= ww_float_of_##label(y); } \
    WW_DEVICE bool operator==(T x, T y) { return ww_float_of_##label(x) == ww_float_of_##label(y); } \
    WW_DEVICE bool operator!=(T x, T y) { return ww_float_of_##label(x) != ww_float_of_##label(y); } \
    WW_DEVICE T operator+(T x, T y) { return T##_of_float(ww_float_of_##label(x) + ww_float_of_##label(y)); } \
    WW_DEVICE T operator-(T x, T y) { return T##_of_float(ww_float_of_##label(x) - ww_float_of_##label(y)); }
WW_HALF_OPERATORS(ww_f16, f16)
WW_HALF_OPERATORS(ww_bf16, bf16)

#endif
