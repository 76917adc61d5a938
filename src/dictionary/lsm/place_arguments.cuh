/* What place.cu takes. */
#ifndef WW_PLACE_ARGUMENTS_CUH
#define WW_PLACE_ARGUMENTS_CUH

#include "dictionary/lsm/lsm_arguments.cuh"

typedef struct place_arguments {
    ww_lsm_run level;
    WW_TO(ww_value) values;
    uint8_t *dead;
    WW_FROM(ww_position) order;
    const uint8_t *deletes;
    WW_FROM(ww_value) from;
} place_arguments;

typedef struct flag_arguments {
    ww_lsm_run level;
    uint8_t *flags;
    uint64_t *kept; /* 0 before */
} flag_arguments;

#endif
