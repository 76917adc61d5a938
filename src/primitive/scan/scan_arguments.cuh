/* What scan.cu takes. */
#ifndef WW_SCAN_ARGUMENTS_CUH
#define WW_SCAN_ARGUMENTS_CUH

#include "device/kernel/chain_arguments.cuh"

typedef struct scan_fixed {
    WW_TO(ww_item) out;
    WW_TO(ww_item) total; /* one element, or null */
    uint64_t count, tiles;
    WW_FROM(uint64_t) count_at; /* of device/kernel/counted.cuh */
    ww_chain chain;
    uint64_t exclusive; /* looked at where WW_EXCLUSIVE is 2 */
} scan_fixed;

#endif
