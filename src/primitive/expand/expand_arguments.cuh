/* What expand.cu takes. */
#ifndef WW_EXPAND_ARGUMENTS_CUH
#define WW_EXPAND_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct expand_fixed {
    WW_TO(ww_item) out;
    WW_TO(ww_source) source;
    WW_TO(ww_rank) rank;
    uint64_t parents, room;
    WW_FROM(uint64_t) count_at; /* parents that there are, where WW_COUNT_AT is 1 */
    ww_checking checking; /* of offsets; where WW_WHOLE is 1 there is none */
} expand_fixed;

#endif
