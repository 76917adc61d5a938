/* What tiles.cu takes. */
#ifndef WW_TILES_ARGUMENTS_CUH
#define WW_TILES_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct tiles_arguments {
    WW_FROM(ww_head) heads;
    WW_FROM(ww_tail) tails;
    WW_TO(ww_head) heads_out; /* of a sort */
    WW_TO(ww_tail) tails_out;
    uint64_t tiles;
    uint64_t row_bits; /* a row of a partition has 2^row_bits items */
    ww_checking checking;
} tiles_arguments;

#endif
