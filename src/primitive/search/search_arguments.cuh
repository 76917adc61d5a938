/* What search.cu takes. */
#ifndef WW_SEARCH_ARGUMENTS_CUH
#define WW_SEARCH_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct search_fixed {
    WW_TO(ww_position) out;
    uint64_t count; /* of the array */
    uint64_t needles, tiles;
    uint64_t stride, samples; /* sample s is element (s + 1) * stride - 1; there are count / stride, or none */
    WW_TO(uint8_t) marks;     /* of each tile: 1 where its needles are in no order */
} search_fixed;

#endif
