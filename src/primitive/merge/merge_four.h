/* Merging tiles of 4- and 8-byte elements in built-in orders: merge_four.c. */
#ifndef WW__MERGE_FOUR_H
#define WW__MERGE_FOUR_H

#include "function/function.h"

/* As ww_less_loops.merge (neither run empty); and ww__path_cut on two runs in memory. */
typedef struct ww__merge_four {
    void (*merge)(void *out, const void *a, size_t na, const void *b, size_t nb, uint8_t *from);
    size_t (*cut)(const void *a, size_t na, const void *b, size_t nb, size_t diagonal);
} ww__merge_four;

/* The loops of an order, NULL where it is none of order_bits.h. */
const ww__merge_four *ww__merge_four_of(const ww_function *order);

#endif
