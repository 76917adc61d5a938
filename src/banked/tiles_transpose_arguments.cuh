/* What tiles_transpose.cu takes. */
#ifndef WW_TILES_TRANSPOSE_ARGUMENTS_CUH
#define WW_TILES_TRANSPOSE_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct transpose_arguments {
    WW_FROM(ww_item) in;
    WW_TO(ww_item) out;
    uint64_t tiles;
} transpose_arguments;

#endif
