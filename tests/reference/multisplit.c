#include "reference/multisplit.h"

#include <stdlib.h>

void reference_multisplit(const uint32_t *bucket, size_t n, size_t buckets, uint32_t *order, uint64_t *offsets) {
    uint64_t *next = calloc(buckets + 1, sizeof *next);
    if (!next) abort();
    for (size_t i = 0; i < n; i++) next[bucket[i]]++;
    uint64_t before = 0;
    for (size_t b = 0; b <= buckets; b++) {
        const uint64_t many = b < buckets ? next[b] : 0;
        offsets[b] = next[b] = before;
        before += many;
    }
    for (size_t i = 0; i < n; i++) order[next[bucket[i]]++] = (uint32_t)i;
    free(next);
}
