/* What one worker splits in its cache: few elements, by all bits of their buckets' numbers that are left. */
#ifndef WW__SPLIT_LEAF_H
#define WW__SPLIT_LEAF_H

#include "multisplit/pass.h"

enum {
    WW__LEAF_BITS = 11, /* of a digit */
    WW__LEAF_MOST = 1 << 15,
    WW__LEAF_ROOM = 2 * WW__LEAF_MOST * sizeof(uint32_t) + (sizeof(uint32_t) << WW__LEAF_BITS)
};

/* Two buffers of all elements, of which 1 is the result. */
typedef struct ww__leaves {
    const ww__numbering *numbering;
    unsigned char *keys[2], *values[2];
    size_t key_size, value_size; /* 0: no values */
    ww_array offsets;            /* may be none */
} ww__leaves;

/* offsets[bucket] = place, where there are offsets and such a bucket. */
void ww__put_offset(const ww_array *offsets, uint64_t bucket, uint64_t place);

/* Elements first … first + n - 1 of buffer `from`, whose buckets' numbers are bucket … bucket + 2^bits - 1: puts them in order
 * in the result, and the buckets' offsets. n <= WW__LEAF_MOST; the desk has WW__LEAF_ROOM bytes of room. */
void ww__split_leaf(const ww__leaves *leaves, const ww__desk *desk, size_t tile, int from, uint64_t first, size_t n,
                    uint64_t bucket, unsigned bits);

#endif
