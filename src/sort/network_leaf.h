/* Sorting keys without values in cache, by vectors: network_leaf.c. */
#ifndef WW__NETWORK_LEAF_H
#define WW__NETWORK_LEAF_H

#include "device/device.h"

/* Sorts n unsigned numbers from keys[from] into keys[1]; both are n numbers of room. Equal numbers are the same: it is for
 * keys that are compared by all their bits and bring no values. */
typedef void ww__network_leaf(void *const keys[2], int from, size_t n);

/* NULL where vectors of this width do not sort numbers of this size. */
ww__network_leaf *ww__network_leaf_of(int vector, size_t key_size);

#endif
