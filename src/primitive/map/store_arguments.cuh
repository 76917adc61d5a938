/* What store.cu takes. */
#ifndef WW_STORE_ARGUMENTS_CUH
#define WW_STORE_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct store_fixed {
    WW_TO(ww_item) out;
    uint64_t count;
    WW_FROM(uint64_t) count_at; /* of device/kernel/counted.cuh */
} store_fixed;

#endif
