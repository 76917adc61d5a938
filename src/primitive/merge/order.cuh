/* The order of a call: ww_before(x, y). WW_ORDER: 0 the function ww_less; 1 and 2 IEEE 754's totalOrder of floats, up
 * and down, which is the order of their bits as sign and magnitude. */
#ifndef WW_ORDER_CUH
#define WW_ORDER_CUH

#if WW_ORDER
#include "device/kernel/key_number.cuh"
#endif

WW_DEVICE bool ww_before(const ww_item &x, const ww_item &y) {
#if WW_ORDER == 1
    return ww_total_order(x) < ww_total_order(y);
#elif WW_ORDER == 2
    return ww_total_order(y) < ww_total_order(x);
#else
    return ww_less(x, y);
#endif
}

#endif
