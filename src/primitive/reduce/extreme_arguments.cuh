/* What extreme.cu takes. */
#ifndef WW_EXTREME_ARGUMENTS_CUH
#define WW_EXTREME_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct extreme_fixed {
    WW_TO(ww_value) value; /* null: not wanted */
    WW_TO(ww_position) position;
    uint64_t count;
    WW_TO(in_item) value_of_block;
    WW_TO(uint64_t) position_of_block;
    WW_TO(uint32_t) ticket; /* 0 before the launch */
} extreme_fixed;

#endif
