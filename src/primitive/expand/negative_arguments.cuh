/* What negative.cu takes. */
#ifndef WW_NEGATIVE_ARGUMENTS_CUH
#define WW_NEGATIVE_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct negative_fixed {
    uint64_t count;
    WW_FROM(uint64_t) count_at; /* of device/kernel/counted.cuh */
    ww_checking checking;
} negative_fixed;

#endif
