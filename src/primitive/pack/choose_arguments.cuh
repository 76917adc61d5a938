/* What choose.cuh takes. */
#ifndef WW_CHOOSE_ARGUMENTS_CUH
#define WW_CHOOSE_ARGUMENTS_CUH

#include "device/kernel/chain_arguments.cuh"

typedef struct choose_fixed {
    WW_TO(ww_item) out;
    WW_TO(ww_count) total; /* of the first side */
    uint64_t room;         /* elements of out */
    uint64_t size;         /* of an element, where WW_BYTES is 1 */
    uint64_t count, tiles;
    WW_FROM(uint64_t) count_at; /* of device/kernel/counted.cuh */
    WW_FROM(uint64_t) ones; /* a stable split: of the second side */
    ww_chain chain;
} choose_fixed;

#endif
