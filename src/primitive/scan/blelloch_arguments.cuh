/* What blelloch.cu takes. */
#ifndef WW_BLELLOCH_ARGUMENTS_CUH
#define WW_BLELLOCH_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct blelloch_fixed {
    WW_TO(ww_item) x;     /* the tree */
    WW_TO(uint8_t) heads; /* with segments: where they begin */
    WW_TO(uint8_t) up;    /* whether the node that ends here has a head, too */
    WW_TO(ww_item) spine;
    WW_TO(ww_item) out;
    WW_TO(ww_item) total; /* one element, or null */
    uint64_t count, d;
    uint32_t exclusive, initial_given;
} blelloch_fixed;

#endif
