/* Look-ups and counts by sorted queries: done is false where that is not worth it, or there is no memory for it. */
#ifndef WW__LSM_ORDER_CPU_H
#define WW__LSM_ORDER_CPU_H

#include "dictionary/lsm/lsm_cpu.h"

ww_status ww__lsm_lookup_ordered_cpu(ww_lsm *lsm, const ww__lsm_loops *loops, const ww_input *keys,
                                     const ww_array *values, const ww_array *found, bool *done);
ww_status ww__lsm_count_ordered_cpu(ww_lsm *lsm, const ww__lsm_loops *loops, const ww_input *lows,
                                    const ww_input *highs, const ww_array *counts, bool *done);

#endif
