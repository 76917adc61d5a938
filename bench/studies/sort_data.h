/* Keys as they are outside benchmarks, always the same for the same size (and the same files): few different ones, crowded ones,
 * nearly sorted ones, words of files. */
#ifndef BENCH_SORT_DATA_H
#define BENCH_SORT_DATA_H

#include "measuring/bench.h"

typedef enum sort_data {
    SORT_DATA_ZIPF,        /* ranks of up to 2^25 by Zipf's law with exponent 1, spread over all bits by a factor */
    SORT_DATA_ZIPF_15,     /* … 1.5 */
    SORT_DATA_THOUSAND,    /* 2^10 different ones, spread over all bits */
    SORT_DATA_EXPONENTIAL, /* of mean 2^26 for u32, 2^58 for u64 */
    SORT_DATA_TIMESTAMPS,  /* 1000 i + what is below 100,000; u32: a tenth of that */
    SORT_DATA_SWAPPED,     /* rising, but for n / 200 exchanged pairs */
    SORT_DATA_LOW,         /* that differ in their 16 lowest bits (u64: 24) alone */
    SORT_DATA_PREFIXES,    /* the first bytes of all suffixes of a text: the bench's English one */
    SORT_DATA_LIBRARIES    /* words of the machine's shared libraries, over and over; rising ones where none is found */
} sort_data;

/* Prefixes are u64's. */
void sort_data_u32(uint32_t *keys, size_t n, sort_data what, uint64_t seed);
void sort_data_u64(uint64_t *keys, size_t n, sort_data what, uint64_t seed);

#endif
