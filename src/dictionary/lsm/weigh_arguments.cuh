/* What weigh.cu takes. */
#ifndef WW_WEIGH_ARGUMENTS_CUH
#define WW_WEIGH_ARGUMENTS_CUH

#include "dictionary/lsm/lsm_arguments.cuh"

typedef struct weigh_arguments {
    uint64_t *before; /* gets the sum of each word */
    uint32_t *bits;
    uint64_t words, level;
    ww_lsm_runs runs;
} weigh_arguments;

#endif
