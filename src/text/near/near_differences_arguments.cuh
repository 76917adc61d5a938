/* What near_differences.cu takes. */
#ifndef WW_NEAR_DIFFERENCES_ARGUMENTS_CUH
#define WW_NEAR_DIFFERENCES_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct differences_arguments {
    WW_FROM(ww_position) positions;
    WW_TO(ww_difference) differences;
    WW_FROM(ww_count) count;
    WW_FROM(unsigned char) text;
    uint64_t room;
    uint32_t m, unused;
    unsigned char pattern[256], case_bits[256];
} differences_arguments;

#endif
