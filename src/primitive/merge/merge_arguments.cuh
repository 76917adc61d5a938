/* What merge.cu takes. */
#ifndef WW_MERGE_ARGUMENTS_CUH
#define WW_MERGE_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct merge_fixed {
    WW_TO(ww_item) out;
    uint64_t lefts, rights;
    uint64_t first, end; /* of the merge, what is written */
    uint64_t tiles;
    WW_TO(uint64_t) cut; /* of the left input, where each tile begins and the last one ends; null: there is one tile,
                            and it is all */
    WW_TO(uint32_t)
    broken;         /* a byte of each block of cut_tiles: whether its cuts are no path; the last word is filled up */
    uint64_t words; /* of these bytes */
    WW_TO(void) values_out;
    WW_FROM(void) left_values; /* in memory */
    WW_FROM(void) right_values;
} merge_fixed;

#endif
