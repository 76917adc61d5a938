/* What top_pack.cu takes. */
#ifndef WW_TOP_PACK_ARGUMENTS_CUH
#define WW_TOP_PACK_ARGUMENTS_CUH

#include "device/kernel/chain_arguments.cuh"
#include "sort/select/top_order_arguments.cuh"

typedef struct top_pack_fixed {
    WW_FROM(top_state) state;
    WW_TO(ww_key) keys_out;
    WW_TO(void) values_out;
    uint64_t count, wanted;
    ww_chain chain;
    top_order order;
} top_pack_fixed;

#endif
