/* What count.cu takes; the bounds come behind it. */
#ifndef WW_COUNT_ARGUMENTS_CUH
#define WW_COUNT_ARGUMENTS_CUH

#include "dictionary/lsm/lsm_arguments.cuh"

typedef struct count_fixed {
    WW_TO(ww_count) counts;
    uint64_t count;
    const void *queries; /* of the lower bounds, in another order; or null */
    ww_lsm_runs runs;
} count_fixed;

#endif
