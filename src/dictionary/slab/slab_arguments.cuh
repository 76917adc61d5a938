/* Where a slab hash's memory is, and what its kernels count: a part of what each of them takes. */
#ifndef WW_SLAB_ARGUMENTS_CUH
#define WW_SLAB_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

enum { SLAB_SEGMENTS = 33, SLAB_SUPERS = 28 };

/* Of what is launched again for those that found no slab: no super block is to come, so that the last free slabs are looked for. */
enum { SLAB_THOROUGH = 2 };

/* Where things are. */
typedef struct slab_table {
    uint64_t base_count, buckets, seed;
    uint32_t low_mask, high_mask; /* of the hash's low bits: the number of doublings that are complete, and one more */
    uint32_t super_log, supers;
    unsigned char *segment[SLAB_SEGMENTS], *super[SLAB_SUPERS];
} slab_table;

/* What is counted in a launch. */
typedef struct slab_tally {
    uint64_t inserted, deleted, given_up, full;
    uint64_t nearness; /* ~ the lowest position that is out of range; 0: none */
    uint64_t dead, pairs;
    uint32_t exhausted, unused; /* exhausted: no slab is free */
} slab_tally;

#endif
