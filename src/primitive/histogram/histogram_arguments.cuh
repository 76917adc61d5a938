/* What histogram.cu and warp.cu take. */
#ifndef WW_HISTOGRAM_ARGUMENTS_CUH
#define WW_HISTOGRAM_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

/* ww__even of histogram.h, as far as kernels need it; it stands behind the rest where bins are equal. Of numbers of 128 bits the lower half
 * comes first. */
typedef struct even_plan {
    uint64_t low, range;
    uint64_t whole, upper, lower;
    double low_double, high_double, span, inverse;
    uint64_t low_u128[2], range_u128[2];
} even_plan;

typedef struct histogram_fixed {
    WW_TO(ww_count) counts;
    WW_TO(uint64_t) outside;
    uint64_t count;
    uint32_t bins, shift;
    uint32_t across, down; /* of pairs: bins of either side */
    ww_checking checking;
} histogram_fixed;

#endif
