/* What offsets.cu takes. */
#ifndef WW_OFFSETS_ARGUMENTS_CUH
#define WW_OFFSETS_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct offsets_fixed {
    WW_TO(ww_offset) offsets; /* one more than buckets */
    WW_FROM(ww_key) keys;     /* split */
    WW_FROM(uint64_t) first;
    uint64_t count;
    WW_FROM(uint64_t) count_at; /* of device/kernel/counted.cuh */
    uint32_t low, bits; /* of the bucket in a key's number, where WW_BY is 0 */
    uint32_t many, unused;
} offsets_fixed;

#endif
