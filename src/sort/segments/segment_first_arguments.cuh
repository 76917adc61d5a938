/* What segment_first.cu takes. */
#ifndef WW_SEGMENT_FIRST_ARGUMENTS_CUH
#define WW_SEGMENT_FIRST_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct segment_first_fixed {
    WW_FROM(ww_key) keys;
    WW_TO(ww_key) keys_out;
    WW_FROM(ww_value) values;
    WW_TO(ww_value) values_out;
    uint64_t count, segments;
    uint32_t first, each;  /* of the sorted elements, which are wanted; first is 0 or each is 1 */
    uint32_t group, order; /* group: segments of a block at a time, one or a warp's each; order: of keys, as digits.cuh has it */
    ww_checking checking;
} segment_first_fixed;

#endif
