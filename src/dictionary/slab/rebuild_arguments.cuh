/* What rebuild.cu takes. */
#ifndef WW_REBUILD_ARGUMENTS_CUH
#define WW_REBUILD_ARGUMENTS_CUH

#include "dictionary/slab/slab_arguments.cuh"

typedef struct rebuild_arguments {
    slab_table t;
    slab_tally *tally;
    uint64_t first, many, apart, divided;
    uint64_t bit;
    uint64_t share_log; /* not 0: groups of so many buckets share slabs */
} rebuild_arguments;

typedef struct pairs_arguments {
    slab_table t;
    slab_tally *tally;
    uint64_t shares;      /* 1: buckets share slabs */
    WW_TO(slab_key) keys; /* null: not wanted */
    WW_TO(slab_value) values;
} pairs_arguments;

#endif
