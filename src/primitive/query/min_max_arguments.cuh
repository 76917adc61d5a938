/* What min_max.cu takes. */
#ifndef WW_MIN_MAX_ARGUMENTS_CUH
#define WW_MIN_MAX_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct min_max_fixed {
    WW_TO(ww_item) least;
    WW_TO(ww_item) greatest;
    uint64_t count;
    WW_TO(ww_item) end_of_block;       /* two for each block */
    WW_TO(uint64_t) position_of_block; /* two for each block */
    WW_TO(uint32_t) ticket;            /* 0 before the launch */
} min_max_fixed;

#endif
