/* What next.cu takes; the keys come behind it. */
#ifndef WW_NEXT_ARGUMENTS_CUH
#define WW_NEXT_ARGUMENTS_CUH

#include "dictionary/lsm/lsm_arguments.cuh"

typedef struct next_fixed {
    WW_TO(ww_key) keys; /* null: not wanted, as found */
    WW_TO(ww_value) values;
    uint8_t *found;
    uint64_t count;
    ww_lsm_runs runs;
} next_fixed;

#endif
