/* The n-th key between two others of a sample. */
#ifndef WW__BRACKET_H
#define WW__BRACKET_H

#include "sort/select/pick.h"

/* Keys among which the one of rank `rank` is looked for; what is found. */
typedef struct ww__bracket {
    const unsigned char *keys;
    uint64_t n, rank;
    ww__radix_order order;
    ww__word mask; /* the bits that they may differ in */
    size_t key_size;
    size_t workers;
    unsigned char *numbers; /* the keys that are left, as numbers, in any order; NULL: nothing was narrowed */
    uint64_t left;
    uint64_t below; /* of those that are not, how many come before */
} ww__bracket;

/* Leaves keys out that a sample says are far from the rank, in one pass over all. Nothing is narrowed where the keys are few, or
 * the sample misled. */
ww_status ww__bracket_nth(ww_device *device, ww__bracket *b);

#endif
