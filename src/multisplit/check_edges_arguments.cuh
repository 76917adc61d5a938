/* What check_edges.cu takes. */
#ifndef WW_CHECK_EDGES_ARGUMENTS_CUH
#define WW_CHECK_EDGES_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct check_edges_fixed {
    uint64_t count;
    ww_checking checking;
} check_edges_fixed;

#endif
