/* Numbers as numbers of other types, as ww_cast says (warpwise/input.h). */
#ifndef WW_CAST_CUH
#define WW_CAST_CUH

template <class T> struct ww_is_float { static const bool yes = false; };
template <> struct ww_is_float<float> {
    static const bool yes = true;
    static WW_DEVICE_MEMBER float nan() { return ww_float_of_bits(0x7FC00000u); }
};
template <> struct ww_is_float<double> {
    static const bool yes = true;
    static WW_DEVICE_MEMBER double nan() { return ww_double_of_bits(0x7FF8000000000000ull); }
};

/* Integers, and integers to floats. */
template <class T, class F, bool to_float, bool from_float> struct ww_cast_of {
    static WW_DEVICE_MEMBER T from(F x) { return T(x); }
};
/* Between floats. */
template <class T, class F> struct ww_cast_of<T, F, true, true> {
    static WW_DEVICE_MEMBER T from(F x) { return x == x ? T(x) : ww_is_float<T>::nan(); }
};
/* Floats to integers: the nearest that there is; 0 for a NaN. 2^bits is the first number that does not fit (of ww_u128 and float an
 * infinity; of ww_i128 2^127). */
template <class T, class F> struct ww_cast_of<T, F, false, true> {
    static const bool is_signed = T(-1) < T(0);
    static const int bits = 8 * int(sizeof(T)) - is_signed;
    static WW_DEVICE_MEMBER T from(F x) {
        const F half = F(1ull << (bits < 64 ? bits - 1 : 63)), whole = 2 * half,
                end = bits > 64 ? whole * (is_signed ? half : whole) : whole;
        const T most = bits > 64 ? T(~ww_u128(0) >> (bits > 64 ? 128 - bits : 0)) : T(~0ull >> (bits < 64 ? 64 - bits : 0));
        const T least = is_signed ? T(-most - 1) : T(0);
        if (x >= (is_signed ? -end : F(0))) return x < end ? T(x) : most;
        return x < 0 ? least : T(0);
    }
};

/* A float on the way to one of 16 bits, so that it is rounded once: what a float does not hold sets its last bit instead, which is none of
 * those that stay. */
WW_DEVICE float ww_nearly(double x) {
    const float near = float(x);
    if (double(near) == x || x != x) return near;
    const bool beyond = (x < 0 ? -double(near) : double(near)) > (x < 0 ? -x : x);
    return ww_float_of_bits((ww_bits_float(near) - uint32_t(beyond)) | 1);
}
WW_DEVICE float ww_nearly(float x) { return x; }
WW_DEVICE float ww_nearly(uint64_t x) {
    const uint64_t high = x >> 11 << 11; /* what a double holds of 64 bits */
    return ww_nearly(x >> 53 ? double(high | uint64_t(x != high) << 11) : double(x));
}
WW_DEVICE float ww_nearly(int64_t x) { return x < 0 ? -ww_nearly(uint64_t(0) - uint64_t(x)) : ww_nearly(uint64_t(x)); }
WW_DEVICE float ww_nearly(ww_u128 x) {
    const uint64_t high = uint64_t(x >> 64);
    if (!high) return ww_nearly(uint64_t(x));
    if (!(high >> 32)) return ww_nearly(uint64_t(x >> 32) | uint64_t(uint32_t(x) != 0)) * 4294967296.0f;
    return ww_nearly(high | uint64_t(uint64_t(x) != 0)) * 18446744073709551616.0f;
}
WW_DEVICE float ww_nearly(ww_i128 x) { return x < 0 ? -ww_nearly(ww_u128(0) - ww_u128(x)) : ww_nearly(ww_u128(x)); }
WW_DEVICE float ww_nearly(uint32_t x) { return ww_nearly(double(x)); }
WW_DEVICE float ww_nearly(int32_t x) { return ww_nearly(double(x)); }
WW_DEVICE float ww_nearly(uint16_t x) { return float(x); }
WW_DEVICE float ww_nearly(int16_t x) { return float(x); }
WW_DEVICE float ww_nearly(uint8_t x) { return float(x); }
WW_DEVICE float ww_nearly(int8_t x) { return float(x); }

template <class T, class F> struct ww_cast_any {
    static WW_DEVICE_MEMBER T from(F x) { return ww_cast_of<T, F, ww_is_float<T>::yes, ww_is_float<F>::yes>::from(x); }
};
/* What a float of 16 bits holds, a float does. */
template <class T> struct ww_cast_any<T, ww_f16> {
    static WW_DEVICE_MEMBER T from(ww_f16 x) { return ww_cast_any<T, float>::from(ww_float_of_f16(x)); }
};
template <class T> struct ww_cast_any<T, ww_bf16> {
    static WW_DEVICE_MEMBER T from(ww_bf16 x) { return ww_cast_any<T, float>::from(ww_float_of_bf16(x)); }
};
template <class F> struct ww_cast_any<ww_f16, F> {
    static WW_DEVICE_MEMBER ww_f16 from(F x) { return ww_f16_of_float(ww_nearly(x)); }
};
template <class F> struct ww_cast_any<ww_bf16, F> {
    static WW_DEVICE_MEMBER ww_bf16 from(F x) { return ww_bf16_of_float(ww_nearly(x)); }
};
template <> struct ww_cast_any<ww_bf16, ww_f16> {
    static WW_DEVICE_MEMBER ww_bf16 from(ww_f16 x) { return ww_bf16_of_float(ww_float_of_f16(x)); }
};
template <> struct ww_cast_any<ww_f16, ww_bf16> {
    static WW_DEVICE_MEMBER ww_f16 from(ww_bf16 x) { return ww_f16_of_float(ww_float_of_bf16(x)); }
};

template <class T, class F> WW_DEVICE T ww_cast_to(F x) { return ww_cast_any<T, F>::from(x); }

#endif
