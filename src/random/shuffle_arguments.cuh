/* What shuffle.cu takes. */
#ifndef WW_SHUFFLE_ARGUMENTS_CUH
#define WW_SHUFFLE_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct shuffle_fixed {
    WW_TO(ww_item) out;
    WW_FROM(ww_item) in;       /* elements in buckets; not out's memory */
    WW_FROM(uint64_t) offsets; /* of buckets; NULL: there is one */
    uint64_t count;
    uint64_t draws; /* the block of place 0's word */
    uint64_t again; /* place 0's own block */
} shuffle_fixed;

#endif
