/* What scatter_wide.cu takes. */
#ifndef WW_SCATTER_WIDE_ARGUMENTS_CUH
#define WW_SCATTER_WIDE_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct scatter_wide_fixed {
    WW_TO(uint64_t) to; /* two halves a place, the lower one first */
    uint64_t count, limit;
    ww_checking checking;
} scatter_wide_fixed;

#endif
