/* What split.cu takes. */
#ifndef WW_SPLIT_COUNT_ARGUMENTS_CUH
#define WW_SPLIT_COUNT_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct split_count_fixed {
    uint64_t count;
    WW_FROM(uint64_t) count_at; /* of device/kernel/counted.cuh */
    WW_TO(unsigned long long) ones;
} split_count_fixed;

#endif
