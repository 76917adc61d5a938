/* What pack_enumerate.cu takes. */
#ifndef WW_PACK_ENUMERATE_ARGUMENTS_CUH
#define WW_PACK_ENUMERATE_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct pack_enumerate_fixed {
    WW_TO(uint8_t) flags;
    WW_TO(ww_position) place; /* how many before are kept; in the end, where the element goes */
    uint64_t count;
} pack_enumerate_fixed;

#endif
