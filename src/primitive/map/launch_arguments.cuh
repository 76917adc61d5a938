/* What launch.cu takes. */
#ifndef WW_LAUNCH_ARGUMENTS_CUH
#define WW_LAUNCH_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct launch_fixed {
    uint64_t count;
    WW_FROM(uint64_t) count_at; /* of device/kernel/counted.cuh */
} launch_fixed;

#endif
