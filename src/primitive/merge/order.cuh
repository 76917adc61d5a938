/* The order of a call: ww_before(x, y). WW_ORDER: 0 the function ww_less; 1 and 2 IEEE 754's totalOrder of floats, up
 * and down, which is the order of their bits as sign and magnitude. */
#ifndef WW_ORDER_CUH
#define WW_ORDER_CUH

#if WW_ORDER
WW_DEVICE uint32_t total_order(float x) {
    const uint32_t b = ww_bits_float(x);
    return b ^ (uint32_t(int32_t(b) >> 31) | 0x80000000u);
}
WW_DEVICE uint64_t total_order(double x) {
    const uint64_t b = ww_bits_double(x);
    return b ^ (uint64_t(int64_t(b) >> 63) | 0x8000000000000000ull);
}
#endif

WW_DEVICE bool ww_before(const ww_item &x, const ww_item &y) {
#if WW_ORDER == 1
    return total_order(x) < total_order(y);
#elif WW_ORDER == 2
    return total_order(y) < total_order(x);
#else
    return ww_less(x, y);
#endif
}

#endif
