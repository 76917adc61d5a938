/* What ordered_runs.cu takes. */
#ifndef WW_ORDERED_RUNS_ARGUMENTS_CUH
#define WW_ORDERED_RUNS_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct ordered_runs_fixed {
    WW_TO(in_item) values;
    WW_TO(in_item) piece;    /* of each bracket: of a run that began before it */
    WW_TO(uint64_t) open;    /* of each bracket: 1 + the run that begins in it and goes on behind it; 0: there is none */
    WW_FROM(ww_begin) begins; /* of each run, and where the last one ends */
    WW_FROM(ww_count) runs;
    uint64_t values_room, bracket; /* elements of a bracket */
} ordered_runs_fixed;

#endif
