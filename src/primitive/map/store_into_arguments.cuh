/* What store_into.cu takes. */
#ifndef WW_STORE_INTO_ARGUMENTS_CUH
#define WW_STORE_INTO_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct store_into_fixed {
    uint64_t count;
    const void *number; /* NULL, or how many of these there are */
    uint64_t number_bytes;
    WW_FROM(uint8_t) only;   /* NULL, or elements whose byte is not 1 stay as they are */
    WW_FROM(uint64_t) range; /* NULL, or elements stay that are not from the first of two places to below the second */
} store_into_fixed;

#endif
