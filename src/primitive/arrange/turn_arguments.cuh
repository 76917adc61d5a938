/* What turn.cu takes. */
#ifndef WW_TURN_ARGUMENTS_CUH
#define WW_TURN_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct turn_fixed {
    WW_TO(ww_item) out;
    uint64_t count; /* elements; of `reverse` batches */
    uint64_t by;    /* of `rotate` */
} turn_fixed;

#endif
