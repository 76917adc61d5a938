/* What reduce.cu and reduce_exact.cu take. */
#ifndef WW_REDUCE_ARGUMENTS_CUH
#define WW_REDUCE_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct reduce_fixed {
    WW_TO(ww_item) out;
    uint64_t count;
    WW_FROM(uint64_t) count_at; /* of device/kernel/counted.cuh */
    WW_TO(ww_item) level;   /* results of the tiles, of the tiles of those, ... */
    WW_TO(uint32_t) ticket; /* 0 before the launch */
} reduce_fixed;

typedef struct reduce_exact_fixed {
    WW_TO(ww_item) out;
    uint64_t count;
    WW_FROM(uint64_t) count_at; /* of device/kernel/counted.cuh */
    WW_TO(ww_item) of_block;
    WW_TO(uint32_t) ticket; /* 0 before the launch */
} reduce_exact_fixed;

#endif
