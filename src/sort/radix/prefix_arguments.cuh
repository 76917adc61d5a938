/* What prefix_bounds.cu takes. */
#ifndef WW_PREFIX_ARGUMENTS_CUH
#define WW_PREFIX_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct bounds_arguments {
    WW_FROM(ww_key) keys;
    WW_TO(uint64_t) offsets;  /* of 2^bits buckets, and the end */
    WW_FROM(uint32_t) prefix; /* its lowest bit, or NO_PREFIX */
    uint64_t count;
    uint32_t bits;
    uint32_t order; /* of keys, as digits.cuh has it */
} bounds_arguments;

#endif
