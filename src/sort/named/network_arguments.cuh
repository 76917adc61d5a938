/* What network.cu takes. */
#ifndef WW_NETWORK_ARGUMENTS_CUH
#define WW_NETWORK_ARGUMENTS_CUH

#include "sort/ordering_arguments.cuh"

typedef struct network_fixed {
    WW_FROM(ww_item) keys;
    WW_FROM(uint32_t) positions; /* null: elements stand where they stood */
    WW_TO(ww_item) keys_out;
    WW_TO(uint32_t) positions_out;
    WW_FROM(uint32_t) wanted; /* nothing is done where it says 0; null: it is not asked */
    uint64_t count;
    ww_ordering ordering;
    uint32_t network, wide, narrow, phases, halo, unused;
} network_fixed;

#endif
