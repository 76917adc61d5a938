/* What weigh.cu takes. */
#ifndef WW_WEIGH_ARGUMENTS_CUH
#define WW_WEIGH_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct weigh_fixed {
    WW_TO(uint32_t) sums; /* 0 before */
    uint64_t count;
    uint32_t bins;
    ww_checking checking;
} weigh_fixed;

#endif
