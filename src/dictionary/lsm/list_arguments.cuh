/* What list.cu takes; the bounds come behind it. */
#ifndef WW_LIST_ARGUMENTS_CUH
#define WW_LIST_ARGUMENTS_CUH

#include "dictionary/lsm/lsm_arguments.cuh"

enum { WW_LSM_SHORT = 32 }; /* elements of a range, at most, that is listed at once: hidden and deleted ones too */

typedef struct list_fixed {
    WW_TO(ww_key) keys_out;
    WW_TO(ww_value) values_out;
    uint64_t room;       /* of these */
    uint64_t *offsets;   /* of all ranges; before the scan, behind each how many keys it has */
    const void *queries; /* the lower bounds of these ranges, in another order; or null */
    void *list;          /* short ranges: room for WW_LSM_SHORT entries of each, those of a warp one behind the other */
    uint32_t *list_at;   /* where a range's begin, in the order of all ranges; UINT32_MAX: it is a long one */
    uint64_t *from, *end; /* of long range q in level j: [j * ranges + q] */
    uint64_t
        *elements; /* of each long range, 0 of a short one; after the scan, of all before it, and at the end of all */
    uint64_t first, ranges; /* first: number of the first range here */
    ww_lsm_runs runs;
} list_fixed;

#endif
