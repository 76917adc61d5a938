/* Levels, as queries see them: a part of what most of the ordered dictionary's kernels take. */
#ifndef WW_LSM_ARGUMENTS_CUH
#define WW_LSM_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

enum { WW_LSM_RUNS = 48 }; /* each level is at least twice as long as the one before: as many as any memory holds */

/* A level as queries see it. */
typedef struct ww_lsm_run {
    const void *keys, *values;
    const uint8_t *dead;    /* 1 for deletions; null: there are none */
    const uint64_t *before; /* null: every weight is 1 */
    const uint32_t *bits;
    uint64_t count;
} ww_lsm_run;

typedef struct ww_lsm_runs {
    ww_lsm_run run[WW_LSM_RUNS]; /* the newest first */
    uint64_t many;
} ww_lsm_runs;

#endif
