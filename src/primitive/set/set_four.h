/* Sets of blocks of 4- and 8-byte elements in built-in orders: set_four.c. */
#ifndef WW__SET_FOUR_H
#define WW__SET_FOUR_H

#include "primitive/set/set.h"

/* Writes the set of two sorted runs and returns its count. out: room for na + nb elements, more of which are written than
 * belong to the result. */
typedef size_t ww__set_block(void *out, const void *a, size_t na, const void *b, size_t nb);

/* The loop of an order, NULL where it is none of order_bits.h. */
ww__set_block *ww__set_four_of(ww__set_kind kind, const ww_function *order);

#endif
