/* What look-back needs (lookback.cuh); kernels have defined ww_carrier before. */
#ifndef WW_CHAIN_ARGUMENTS_CUH
#define WW_CHAIN_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct ww_chain {
    WW_TO(uint32_t) ticket; /* 0 before the launch */
    WW_TO(uint64_t) word;   /* of each tile: what is known of it */
    WW_TO(ww_carrier) own;  /* of each tile, where carriers are not packed */
    WW_TO(ww_carrier) all;
} ww_chain;

#endif
