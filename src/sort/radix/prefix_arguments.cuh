/* What prefix_bounds.cu takes. */
#ifndef WW_PREFIX_ARGUMENTS_CUH
#define WW_PREFIX_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct bounds_arguments {
    WW_FROM(ww_key) keys;
    WW_TO(uint64_t) offsets;  /* room: of the parts, and the end */
    WW_FROM(uint32_t) prefix; /* as digits.cuh says */
    uint64_t count;
    uint64_t cuts, apart;     /* where there are cuts: how many, and how far they are apart */
    uint64_t room;            /* 2 * cuts + 1, and not less than 2^two_digits + 1 */
    uint32_t two_digits;      /* bits of two digits */
    uint32_t first, bits;     /* what is sorted by */
    uint32_t order;           /* of keys, as digits.cuh has it */
} bounds_arguments;

#endif
