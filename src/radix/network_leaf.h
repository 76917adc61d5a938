/* Sorting in cache by vectors: network_leaf.c. */
#ifndef WW__NETWORK_LEAF_H
#define WW__NETWORK_LEAF_H

#include "radix/radix.h"

enum {
    WW__NETWORK_SLOTS = 1 << 19,                        /* bytes that a leaf is given to work with */
    WW__NETWORK_SLOTTED = WW__NETWORK_SLOTS / 8 * 5,    /* bytes of keys at most, for which these are slots enough */
    WW__NETWORK_FEW = 1 << 12,                          /* bytes of keys that are sorted by merging blocks */
    WW__NETWORK_COMPARED = 1 << 15                      /* … by AVX-512 with a quicksort, however well they are spread */
};

/* Whether keys are best compared from the first pass on, even if slots would do. One thread of a Xeon with AVX-512, 2026-11: 1,000 u32
 * take 0.55 to 0.75 of the time that they take with slots, 2^17 to 2^18 0.65; 2^14 to 2^16 1.05 to 1.15 times as long. */
static inline bool ww__network_compares(bool avx512, size_t bytes) {
    return bytes <= WW__NETWORK_FEW || (avx512 && (bytes <= WW__NETWORK_COMPARED || bytes > WW__NETWORK_SLOTTED));
}

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

/* Sorts up to WW__NETWORK_FEW bytes of words, behind which there is room up to a whole register. */
typedef void ww__network_words(uint32_t *words, size_t n);

/* NULL where vectors of this width do not sort numbers, pairs, of this size. */
ww__network_leaf *ww__network_leaf_of(int vector, size_t key_size);
ww__network_quick *ww__network_quick_of(int vector, size_t key_size);
const ww__network_parts *ww__network_parts_of(int vector, size_t key_size);
ww__network_words *ww__network_words_of(int vector);
ww__network_pairs *ww__network_pairs_of(int vector, size_t key_size, size_t value_size);

#endif
