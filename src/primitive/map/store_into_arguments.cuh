/* What store_into.cu takes. */
#ifndef WW_STORE_INTO_ARGUMENTS_CUH
#define WW_STORE_INTO_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct store_into_fixed {
    uint64_t count;
    const void *number; /* NULL, or how many of these there are */
    uint64_t number_bytes;
} store_into_fixed;

#endif
