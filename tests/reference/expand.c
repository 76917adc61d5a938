#include "reference/expand.h"

#include <string.h>

uint64_t reference_expand(const void *in, size_t size, const uint64_t *counts, size_t n, uint64_t room, void *out,
                          uint64_t *source, uint64_t *rank) {
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++)
        for (uint64_t k = 0; k < counts[i]; k++, all++) {
            if (all >= room) continue;
            if (out) memcpy((char *)out + all * size, (const char *)in + i * size, size);
            if (source) source[all] = i;
            if (rank) rank[all] = k;
        }
    return all;
}
