/* What gather.cu takes. */
#ifndef WW_GATHER_ARGUMENTS_CUH
#define WW_GATHER_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct gather_fixed {
    WW_TO(gather_item) out;
    WW_FROM(gather_item) from;
    uint64_t count, limit;
    WW_FROM(uint64_t) count_at; /* of device/kernel/counted.cuh */
    ww_checking checking;
} gather_fixed;

#endif
