/* What adjacent_difference.cu takes. */
#ifndef WW_DIFFERENCE_ARGUMENTS_CUH
#define WW_DIFFERENCE_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct difference_fixed {
    WW_TO(ww_item) out;
    uint64_t count;
} difference_fixed;

#endif
