/* What launch.cu takes. */
#ifndef WW_LAUNCH_ARGUMENTS_CUH
#define WW_LAUNCH_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct launch_fixed {
    uint64_t count;
} launch_fixed;

#endif
