/* The order of keys of any size on the host: what device/kernel/key_order.cuh makes numbers by, kept for a call. */
#ifndef WW__RADIX_ORDER_H
#define WW__RADIX_ORDER_H

#include "device/kernel/key_order.cuh"
#include "warpwise/type.h"

#if WW_HAS_U128
typedef ww_u128 ww__word; /* a key of any size */
#else
typedef uint64_t ww__word;
#endif

typedef uint32_t ww__key_kind; /* WW_KEY_UNSIGNED, … */

typedef struct ww__radix_order {
    ww__word flip, fold;
} ww__radix_order;

static inline ww__word ww__radix_ones(unsigned bits) { return bits ? WW_KEY_ONES(ww__word, bits) : 0; }

static inline ww__radix_order ww__radix_order_from(ww__key_kind kind, bool descending, size_t key_size) {
    const unsigned bits = (unsigned)(8 * key_size);
    return (ww__radix_order){WW_KEY_FLIP(ww__word, bits, kind, descending), WW_KEY_FOLD(ww__word, bits, kind)};
}

/* The number of a key of `size` bytes. */
static inline ww__word ww__radix_number(ww__word key, size_t size, const ww__radix_order *order) {
    return WW_KEY_NUMBER_IN(8 * size, key, order->flip, order->fold);
}

#endif
