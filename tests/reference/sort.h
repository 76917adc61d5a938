/* The serial oracle of sorting. */
#ifndef REFERENCE_SORT_H
#define REFERENCE_SORT_H

#include "warpwise.h"

/* Which bits of keys to compare: all of them, by value, when bit_count is 0. */
typedef struct reference_order {
    const ww_type *type;
    bool descending;
    uint32_t bit_first, bit_count;
} reference_order;

/* The positions of n keys in sorted order, by a merge sort: equal keys by position. */
void reference_sort_positions(reference_order order, const void *keys, size_t n, uint32_t *positions);

#endif
