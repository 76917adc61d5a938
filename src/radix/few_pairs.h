/* Sorting a few keys with values: few_pairs.c. */
#ifndef WW__FEW_PAIRS_H
#define WW__FEW_PAIRS_H

#include "radix/network_leaf.h"

/* As many pairs at most. */
enum { WW__FEW_PAIRS = WW__NETWORK_FEW / sizeof(uint32_t) };

/* Keys and values, and where they go: there, or to memory that they share nothing with. */
typedef struct ww__few {
    const void *keys, *values;
    void *keys_out, *values_out;
    size_t n, value_size;
} ww__few;

/* Sorts keys by all their bits, stably, with values of any of the sizes that are moved with keys. `in` makes numbers of keys, `out` keys
 * of numbers. False, and nothing is written, where the keys are too near to each other for that. */
typedef bool ww__sort_few_pairs(const ww__few *few, const ww__radix_order *in, const ww__radix_order *out);

/* NULL where vectors of this width do not sort such keys. */
ww__sort_few_pairs *ww__few_pairs_of(int vector, size_t key_size);

#endif
