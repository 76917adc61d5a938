/* How kernels know the order of a sort's keys: a part of what they take. */
#ifndef WW_ORDERING_ARGUMENTS_CUH
#define WW_ORDERING_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

/* The bits that count are what is left of a number shifted up, and then down. */
typedef struct ww_ordering {
    uint32_t up, down;
    uint32_t order, unused; /* of keys, as digits.cuh has it */
} ww_ordering;

#endif
