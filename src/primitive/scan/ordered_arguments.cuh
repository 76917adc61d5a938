/* What ordered.cu takes. */
#ifndef WW_ORDERED_ARGUMENTS_CUH
#define WW_ORDERED_ARGUMENTS_CUH

#include "device/kernel/chain_arguments.cuh"

typedef struct ordered_fixed {
    WW_TO(ww_item) out;
    WW_TO(ww_item) total; /* one element, or null */
    uint64_t count, tiles;
    WW_FROM(uint64_t) count_at; /* of device/kernel/counted.cuh */
    ww_chain chain;             /* its ticket alone */
    WW_TO(uint64_t) known;      /* of each bracket: whether its sum is there, or that */
    WW_TO(uint64_t) carried;    /* of each tile, its carry */
    WW_TO(uint64_t) joined;     /* twice how many tiles' sums are in carries; + 1 while a warp joins more */
    WW_TO(ww_item) sum;         /* of each bracket, where words do not have it */
    WW_TO(ww_item) carry;       /* of each tile */
    uint64_t exclusive, initial_given; /* looked at where WW_EXCLUSIVE and WW_INITIAL are 2 */
} ordered_fixed;

#endif
