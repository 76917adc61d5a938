/* What scatter.cu takes. */
#ifndef WW_SCATTER_ARGUMENTS_CUH
#define WW_SCATTER_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct scatter_fixed {
    WW_TO(ww_item) to;
    WW_TO(ww_choice) choice;
    uint64_t count, limit;
    WW_FROM(uint64_t) count_at; /* of device/kernel/counted.cuh */
    ww_checking checking;
} scatter_fixed;

#endif
