/* What one look at keys tells, by vectors: whether they are in order, and how often each of a few stands among them. */
#ifndef WW__FIRST_LOOK_H
#define WW__FIRST_LOOK_H

#include "radix/radix.h"

enum { WW__TALLY_MOST = 16 };

/* Counts how many of n keys equal each of `many` different ones, up to WW__TALLY_MOST. False where there are other keys, too:
 * the counts are of no use then. */
typedef bool ww__tally(const void *keys, size_t n, const void *values, size_t many, uint64_t *counts);

typedef struct ww__first_look {
    /* Whether no key's bits in the mask come after the next one's, as numbers (radix.h). */
    bool (*in_order)(const void *keys, size_t n, const ww__radix_order *order, ww__word mask);
    ww__tally *tally;
} ww__first_look;

/* For keys of 1, 2, 4, 8 or 16 bytes. */
const ww__first_look *ww__first_look_of(const ww_device *device, size_t key_size);

#endif
