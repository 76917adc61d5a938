/* Searching a large sorted array of 4- or 8-byte elements in a built-in order through samples of it: sampled.c. */
#ifndef WW__SAMPLED_H
#define WW__SAMPLED_H

#include "function/function.h"

typedef struct ww__sampled {
    const void *sorted, *samples; /* samples[s] = sorted[(s + 1) * stride - 1] */
    uint64_t n, stride, count;    /* 1 <= stride <= n; count samples: n / stride */
} ww__sampled;

/* As ww_less_loops.bound. */
typedef void ww__sampled_bound(uint64_t *out, const ww__sampled *s, const void *needles, size_t m, bool upper);

/* The loop of an order, NULL where it is none of order_bits.h. */
ww__sampled_bound *ww__sampled_of(const ww_function *order);

#endif
