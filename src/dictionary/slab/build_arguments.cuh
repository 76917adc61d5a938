/* What build.cu takes. */
#ifndef WW_BUILD_ARGUMENTS_CUH
#define WW_BUILD_ARGUMENTS_CUH

#include "dictionary/slab/slab_arguments.cuh"

/* Neighbouring buckets, 2^range_log of them, are a range. */
enum { SLAB_RANGE_LOG_MOST = 7 };

/* The inputs come behind it. */
typedef struct build_pack_fixed {
    slab_table t;
    uint64_t count, range_log;
    uint32_t *range; /* of each pair */
    WW_TO(build_pair) pair;
} build_pack_fixed;

typedef struct build_arguments {
    slab_table t;
    uint64_t count, ranges, range_log;
    uint64_t shares;       /* 1: buckets of a range share slabs */
    const uint32_t *range; /* in order */
    WW_FROM(build_pair) pair;
    uint64_t *first; /* pair of each range, and behind the last: ranges + 1 */
    uint64_t *slabs; /* that each range wants behind first slabs; after the scan, of all ranges before it: ranges + 1 */
} build_arguments;

#endif
