/* Sorting numbers with values of their size, stably, by vectors that compare: pairs_quick.c. */
#ifndef WW__PAIRS_QUICK_H
#define WW__PAIRS_QUICK_H

#include "radix/network_leaf.h"

/* Steps of it; NULL where vectors of this width do not sort such pairs. */
const ww__network_parts *ww__pairs_parts_of(int vector, size_t key_size, size_t value_size);

#endif
