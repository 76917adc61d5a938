/* What check_index.cu takes. */
#ifndef WW_CHECK_INDEX_ARGUMENTS_CUH
#define WW_CHECK_INDEX_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct check_index_fixed {
    uint64_t count, limit;
    ww_checking checking;
} check_index_fixed;

#endif
