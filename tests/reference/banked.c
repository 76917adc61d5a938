#include "reference/banked.h"

#include <stdlib.h>

void reference_banked_permute(const uint32_t *index, const uint32_t *values, size_t n, uint32_t *out) {
    for (size_t k = 0; k < n; k++) out[index[k]] = values[k];
}

void reference_banked_convert(const uint32_t *values, size_t n, size_t banks, bool to_columns, uint32_t *out) {
    const size_t columns = n / banks;
    for (size_t k = 0; k < n; k++) {
        const size_t other = k % banks * columns + k / banks;
        if (to_columns)
            out[other] = values[k];
        else
            out[k] = values[other];
    }
}

bool reference_banked_partitioned(const uint32_t *before, const uint32_t *after, const uint32_t *items, size_t n,
                                  size_t banks) {
    unsigned char *seen = calloc(n, 1);
    bool right = seen != NULL;
    for (size_t k = 0; k < n && right; k++) {
        right = items[k] < n && !seen[items[k]] && after[k] == k / (n / banks) && before[items[k]] == after[k];
        if (right) seen[items[k]] = 1;
    }
    free(seen);
    return right;
}
