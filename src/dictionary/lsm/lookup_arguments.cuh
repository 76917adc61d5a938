/* What lookup.cu takes; the keys come behind it, where it is not given `queries`. */
#ifndef WW_LOOKUP_ARGUMENTS_CUH
#define WW_LOOKUP_ARGUMENTS_CUH

#include "dictionary/lsm/lsm_arguments.cuh"

typedef struct lookup_fixed {
    WW_TO(ww_value) values;
    uint8_t *found; /* null: not wanted */
    uint64_t count;
    const void *queries;
    ww_lsm_runs runs;
} lookup_fixed;

#endif
