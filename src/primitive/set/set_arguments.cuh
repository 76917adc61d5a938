/* What set.cu takes. */
#ifndef WW_SET_ARGUMENTS_CUH
#define WW_SET_ARGUMENTS_CUH

#include "device/kernel/chain_arguments.cuh"

typedef struct set_fixed {
    WW_TO(ww_item) out;
    WW_TO(ww_count) total;
    uint64_t room, most; /* elements of out; of any result, which inputs that are not sorted could seem to exceed */
    uint64_t lefts, rights, tiles;
    WW_TO(uint64_t) cut_left; /* where each tile begins and the last one ends; null: there is one tile */
    WW_TO(uint64_t) cut_right;
    ww_chain chain;
} set_fixed;

#endif
