/* What reduce_by_key.cu takes. */
#ifndef WW_REDUCE_BY_KEY_ARGUMENTS_CUH
#define WW_REDUCE_BY_KEY_ARGUMENTS_CUH

#include "device/kernel/chain_arguments.cuh"

typedef struct by_key_fixed {
    WW_TO(ww_key) keys;
    WW_TO(in_item) values;
    WW_TO(ww_count) runs;
    uint64_t keys_room, values_room, count, tiles;
    WW_FROM(uint64_t) count_at; /* of device/kernel/counted.cuh */
    ww_chain chain;
} by_key_fixed;

#endif
