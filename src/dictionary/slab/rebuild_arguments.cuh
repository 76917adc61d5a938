/* What rebuild.cu takes. */
#ifndef WW_REBUILD_ARGUMENTS_CUH
#define WW_REBUILD_ARGUMENTS_CUH

#include "dictionary/slab/slab_arguments.cuh"

typedef struct rebuild_arguments {
    slab_table t;
    slab_tally *tally;
    uint64_t first, many, apart, divided, merged;
    uint64_t bit;
    uint64_t share_log;    /* not 0: groups of so many buckets share slabs */
    const uint32_t *spare; /* a slab for each bucket that another is merged with, if it wants one */
} rebuild_arguments;

typedef struct spare_arguments {
    slab_table t;
    slab_tally *tally;
    uint64_t first, many, apart;
    uint32_t *spare;
    uint64_t again; /* only those that found none; SLAB_THOROUGH: all bitmaps are looked at */
} spare_arguments;

typedef struct used_arguments {
    slab_table t;
    uint64_t *used; /* slabs in use of each super block */
} used_arguments;

typedef struct pairs_arguments {
    slab_table t;
    slab_tally *tally;
    uint64_t shares;      /* 1: buckets share slabs */
    WW_TO(slab_key) keys; /* null: not wanted */
    WW_TO(slab_value) values;
} pairs_arguments;

#endif
