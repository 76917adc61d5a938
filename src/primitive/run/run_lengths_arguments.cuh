/* What run_lengths.cu takes. */
#ifndef WW_RUN_LENGTHS_ARGUMENTS_CUH
#define WW_RUN_LENGTHS_ARGUMENTS_CUH

#include "device/kernel/chain_arguments.cuh"

typedef struct run_fixed {
    WW_TO(ww_value) values;
    WW_TO(ww_length) lengths;
    WW_TO(ww_count) runs;
    uint64_t values_room, lengths_room, count, tiles;
    WW_FROM(uint64_t) count_at; /* of device/kernel/counted.cuh */
    ww_chain chain;
} run_fixed;

#endif
