/* What selecting compares keys by, as far as they are masked: a part of what its kernels take. */
#ifndef WW_TOP_ORDER_ARGUMENTS_CUH
#define WW_TOP_ORDER_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct top_order {
    uint32_t first, bits;
    uint32_t order, unused; /* of keys, as digits.cuh has it */
} top_order;

#endif
