/* Where the serial loop of a set of two sorted inputs can be cut: set_cut.c. */
#ifndef WW__SET_CUT_H
#define WW__SET_CUT_H

#include "primitive/merge/path.h"

typedef struct ww__place { /* of the loop: what it has passed of either input */
    uint64_t a, b;
} ww__place;

/* The place that the loop reaches from `from` after about n >= 2 elements: n or, inside a run of equals, n - 1; no more
 * than are left. `key` has room for one element. */
ww__place ww__set_cut(const ww_less_loops *loops, const void *environment, const ww__sorted *a, const ww__sorted *b,
                      void *key, ww__place from, uint64_t n);

#endif
