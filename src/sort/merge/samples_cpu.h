/* Sorting by splitters that are taken from a sample. */
#ifndef WW__SORT_SAMPLES_H
#define WW__SORT_SAMPLES_H

#include "sort/merge/parts_cpu.h"

enum {
    WW__SAMPLES_LEAST = 4096, /* elements */
    WW__SAMPLES_BYTES = 256   /* of a key, at most */
};
#define WW__SAMPLES_MOST ((uint64_t)1 << 31) /* fewer elements, which are counted in 32 bits */

/* Sorts all elements from the input to the result; the buffers are there. */
ww_status ww__samples_sort(const ww__sort_buffers *b);

#endif
