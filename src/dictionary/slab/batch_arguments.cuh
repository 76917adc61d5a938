/* What batch.cu takes; the inputs come behind it. */
#ifndef WW_BATCH_ARGUMENTS_CUH
#define WW_BATCH_ARGUMENTS_CUH

#include "dictionary/slab/slab_arguments.cuh"

typedef struct batch_fixed {
    slab_table t;
    uint64_t first, count; /* positions of the batch that are done */
    slab_tally *tally;
    uint8_t *statuses; /* of each position; or null, for those that do not fail */
    WW_TO(slab_value) found;
    uint64_t found_room;
    WW_TO(slab_count) counts;
    uint64_t again; /* only those that are FULL; SLAB_THOROUGH: and there will be no more slabs */
} batch_fixed;

#endif
