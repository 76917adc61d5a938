/* What replace.cu takes; the input of values comes behind it. */
#ifndef WW_REPLACE_ARGUMENTS_CUH
#define WW_REPLACE_ARGUMENTS_CUH

#include "dictionary/slab/slab_arguments.cuh"

typedef struct replace_fixed {
    uint64_t count;
    WW_FROM(slab_key) key;    /* in order */
    const uint32_t *position; /* of the batch, that each comes from; of equal keys they rise */
    uint8_t *last;            /* 1 for the last of equal keys, else 0 */
    uint8_t *statuses;        /* of positions */
    WW_TO(slab_value) sorted; /* values, in the keys' order */
} replace_fixed;

#endif
