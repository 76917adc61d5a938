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
 * infinity). */
template <class T, class F> struct ww_cast_of<T, F, false, true> {
    static const bool is_signed = T(-1) < T(0);
    static const int bits = 8 * int(sizeof(T)) - is_signed;
    static WW_DEVICE_MEMBER T from(F x) {
        const F half = F(1ull << (bits < 64 ? bits - 1 : 63)), whole = 2 * half,
                end = bits > 64 ? whole * whole : whole;
        const T most = bits > 64 ? T(~T(0)) : T(~0ull >> (bits < 64 ? 64 - bits : 0));
        const T least = is_signed ? T(-most - 1) : T(0);
        if (x >= (is_signed ? -end : F(0))) return x < end ? T(x) : most;
        return x < 0 ? least : T(0);
    }
};

template <class T, class F> WW_DEVICE T ww_cast_to(F x) {
    return ww_cast_of<T, F, ww_is_float<T>::yes, ww_is_float<F>::yes>::from(x);
}

#endif
