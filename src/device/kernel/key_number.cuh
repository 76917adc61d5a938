/* Keys and the numbers that order them (key_order.cuh), as functions of kernels. */
#ifndef WW_KEY_NUMBER_CUH
#define WW_KEY_NUMBER_CUH

#include "device/kernel/key_order.cuh"

template <int kind, bool descending, class T> WW_DEVICE T ww_key_number(T key) {
    return WW_KEY_NUMBER(T, key, WW_KEY_FLIP(T, 8 * sizeof(T), kind, descending), WW_KEY_FOLD(T, 8 * sizeof(T), kind));
}
template <int kind, bool descending, class T> WW_DEVICE T ww_number_key(T number) {
    return WW_NUMBER_KEY(T, number, WW_KEY_FLIP(T, 8 * sizeof(T), kind, descending),
                         WW_KEY_FOLD(T, 8 * sizeof(T), kind));
}

/* Floats by totalOrder. */
WW_DEVICE uint32_t ww_total_order(float x) { return WW_KEY_TOTAL_ORDER(uint32_t, ww_bits_float(x)); }
WW_DEVICE uint64_t ww_total_order(double x) { return WW_KEY_TOTAL_ORDER(uint64_t, ww_bits_double(x)); }
WW_DEVICE uint16_t ww_total_order(ww_f16 x) { return WW_KEY_TOTAL_ORDER(uint16_t, x.bits); }
WW_DEVICE uint16_t ww_total_order(ww_bf16 x) { return WW_KEY_TOTAL_ORDER(uint16_t, x.bits); }

#endif
