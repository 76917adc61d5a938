/* What radix_block.cu takes. */
#ifndef WW_BLOCK_ARGUMENTS_CUH
#define WW_BLOCK_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct block_arguments {
    WW_FROM(ww_key) keys;
    WW_TO(ww_key) keys_out;
    WW_FROM(ww_value) values;
    WW_TO(ww_value) values_out;
    uint64_t count;
    WW_FROM(uint64_t) count_at; /* of device/kernel/counted.cuh */
    uint64_t first_value;
    uint64_t from, until;   /* of the sorted elements these are written, the first of them first */
    uint32_t first, bits;   /* what is sorted by */
    uint32_t order, unused; /* of keys, as digits.cuh has it */
} block_arguments;

#endif
