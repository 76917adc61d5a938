/* The CPU's side of the ordered dictionary, for keys of each type. */
#ifndef WW__LSM_CPU_H
#define WW__LSM_CPU_H

#include "dictionary/lsm/lsm.h"

typedef struct ww__lsm_loops { /* lsm.h says what they do */
    ww_status (*place)(ww_lsm *lsm, const ww__lsm_level *level, const ww__lsm_batch *batch);
    ww_status (*flag)(ww_lsm *lsm, const ww__lsm_level *level, uint8_t *flags, uint64_t *kept);
    ww_status (*weigh)(ww_lsm *lsm, size_t j);
    ww_status (*lookup)(ww_lsm *lsm, const ww_input *keys, const ww_array *values, const ww_array *found);
    ww_status (*count)(ww_lsm *lsm, const ww_input *lows, const ww_input *highs, const ww_array *counts);
    ww_status (*list)(ww_lsm *lsm, const ww__lsm_ranging *r);
    ww_status (*next)(ww_lsm *lsm, const ww__lsm_stepping *s);
} ww__lsm_loops;

extern const ww__lsm_loops ww__lsm_loops_u32, ww__lsm_loops_u64;

#endif
