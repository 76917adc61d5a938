/* What list.cu takes; the bounds come behind it. */
#ifndef WW_LIST_ARGUMENTS_CUH
#define WW_LIST_ARGUMENTS_CUH

#include "dictionary/lsm/lsm_arguments.cuh"

typedef struct list_fixed {
    WW_TO(ww_key) keys_out;
    WW_TO(ww_value) values_out;
    uint64_t room;           /* of these */
    uint64_t *offsets;       /* of all ranges; before the scan, behind each how many keys it has */
    const void *queries;     /* the lower bounds of these ranges, in another order; or null */
    uint64_t *from, *end;    /* of range q in level j: [j * ranges + q] */
    uint64_t *elements;      /* of each long range; after the scan, of all before it, and at the end of all */
    uint64_t first, ranges;  /* first: number of the first range here */
    ww_lsm_runs runs;
} list_fixed;

#endif
