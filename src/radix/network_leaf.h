/* Sorting in cache by vectors: network_leaf.c. */
#ifndef WW__NETWORK_LEAF_H
#define WW__NETWORK_LEAF_H

#include "radix/radix.h"

/* What a leaf is given to work with. */
enum { WW__NETWORK_SLOTS = 1 << 19 };

/* Sorts n unsigned numbers from keys[from] into keys[1]; both are n numbers of room. They differ in no bits but the mask's.
 * Equal numbers are the same: it is for keys that are compared by all their bits and bring no values. */
typedef void ww__network_leaf(void *const keys[2], int from, size_t n, ww__word mask, void *slots);

/* Sorts n keys, fewer than 2^32, into `result`. Both it and `scratch` are n keys of room, and the keys may lie in either. By
 * quicksort from the first pass on: for keys that are spread badly, or of which many are equal. `in` makes numbers of the keys, and
 * `out` says what keys are made of numbers again. */
typedef void ww__network_quick(const void *keys, void *result, void *scratch, size_t n, const ww__radix_order *in,
                               const ww__radix_order *out);

/* A part of such a quicksort: n numbers at `from` (keys, before the first pass) that are to be sorted to `to`. They may lie there, or
 * in `room`, which has room for as many and is the part's alone; before the first pass also elsewhere, and are only read. */
typedef struct ww__network_part {
    void *from, *to, *room;
    size_t n;
    unsigned depth; /* passes that are left to it */
    void *from_values, *to_values, *room_values; /* of pairs (pairs_quick.c), which are where their numbers are */
} ww__network_part;

/* The quicksort in steps, for several workers: one pass over a part of more than a block, which leaves four, some of them empty; and
 * all that is left to do of a part that a pass has left. */
enum { WW__NETWORK_PARTS = 4 };
typedef struct ww__network_parts {
    void (*divide)(const ww__network_part *part, ww__network_part into[WW__NETWORK_PARTS], const ww__radix_order *in,
                   const ww__radix_order *out);
    void (*finish)(const ww__network_part *part, const ww__radix_order *out);
} ww__network_parts;

/* Sorts n pairs of a number and a value, stably by the number, and writes numbers and values apart. Pairs are one word each,
 * whose high half is the number; numbers differ in no bits but the mask's, which is not 0. False, and nothing is written, where
 * they are not spread well enough for that. */
typedef bool ww__network_pairs(const void *pairs, void *keys, void *values, size_t n, ww__word mask, void *slots);

/* NULL where vectors of this width do not sort numbers, pairs, of this size. */
ww__network_leaf *ww__network_leaf_of(int vector, size_t key_size);
ww__network_quick *ww__network_quick_of(int vector, size_t key_size);
const ww__network_parts *ww__network_parts_of(int vector, size_t key_size);
ww__network_pairs *ww__network_pairs_of(int vector, size_t key_size, size_t value_size);

#endif
