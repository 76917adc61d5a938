/* What fill.cu takes. */
#ifndef WW_FILL_ARGUMENTS_CUH
#define WW_FILL_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct fill_fixed {
    WW_TO(ww_item) out;
    uint64_t count;   /* numbers */
    uint64_t block;   /* the first block */
    uint64_t skipped; /* numbers of that which are not wanted */
    uint64_t blocks;
    uint64_t rows; /* of a thread in a tile: WW_ROWS, or 1 where there are few blocks */
} fill_fixed;

#endif
