/* How keys are ordered: by unsigned numbers that are made of their bits.
 *     number = key ^ flip ^ (fold, if the key's highest bit is set)
 * Unsigned: flip 0; signed: flip the highest bit; floats: fold all other bits too (IEEE 754's totalOrder); descending:
 * flip everything once more. digits.cuh says the same to kernels. */
#ifndef WW__RADIX_ORDER_H
#define WW__RADIX_ORDER_H

#include "warpwise/type.h"

#if WW_HAS_U128
typedef ww_u128 ww__word; /* a key of any size */
#else
typedef uint64_t ww__word;
#endif

/* What keys are: WW_ORDER in digits.cuh. */
typedef enum ww__key_order { WW__ORDER_UNSIGNED, WW__ORDER_SIGNED, WW__ORDER_FLOAT } ww__key_order;

typedef struct ww__radix_order {
    ww__word flip, fold;
} ww__radix_order;

static inline ww__word ww__radix_ones(unsigned bits) {
    return bits >= 8 * sizeof(ww__word) ? ~(ww__word)0 : ((ww__word)1 << bits) - 1;
}

static inline ww__radix_order ww__radix_order_from(ww__key_order kind, bool descending, size_t key_size) {
    const unsigned bits = (unsigned)(8 * key_size);
    const ww__word highest = (ww__word)1 << (bits - 1);
    ww__radix_order order = {0, 0};
    if (kind != WW__ORDER_UNSIGNED) order.flip = highest;
    if (kind == WW__ORDER_FLOAT) order.fold = highest - 1;
    if (descending) order.flip ^= ww__radix_ones(bits);
    return order;
}

/* The number of a key of the unsigned type KEY, for loops. */
#define WW__KEY_NUMBER(KEY, key, flip, fold) \
    ((KEY)((key) ^ (flip) ^ ((fold) & (KEY)(0 - (KEY)((key) >> (8 * sizeof(KEY) - 1))))))

/* The number of a key of `size` bytes. */
static inline ww__word ww__radix_number(ww__word key, size_t size, const ww__radix_order *order) {
    const bool high = key >> (8 * size - 1) & 1;
    return key ^ order->flip ^ (high ? order->fold : 0);
}

#endif
