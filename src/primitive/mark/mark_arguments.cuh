/* What mark.cu takes. */
#ifndef WW_MARK_ARGUMENTS_CUH
#define WW_MARK_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct mark_fixed {
    WW_TO(unsigned char) flags;
    uint64_t count;
    uint64_t words; /* of an element, where they are compared */
} mark_fixed;

#endif
