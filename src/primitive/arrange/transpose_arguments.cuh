/* What transpose.cu takes. */
#ifndef WW_TRANSPOSE_MATRIX_ARGUMENTS_CUH
#define WW_TRANSPOSE_MATRIX_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct transpose_matrix_fixed {
    WW_TO(ww_item) out;
    WW_FROM(ww_item) in;
    uint64_t rows, columns;
    uint64_t tiles_across;
} transpose_matrix_fixed;

#endif
