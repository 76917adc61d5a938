#include "reference/search.h"

size_t reference_bound(const void *sorted, size_t n, const void *needle, size_t size, bool upper,
                       reference_before *before) {
    const unsigned char *x = sorted;
    size_t i = 0;
    while (i < n && (upper ? !before(needle, x + i * size) : before(x + i * size, needle))) i++;
    return i;
}

void reference_bounds(uint64_t *out, const void *sorted, size_t n, const void *needles, size_t m, size_t size,
                      bool upper, reference_before *before) {
    const unsigned char *x = sorted;
    for (size_t k = 0; k < m; k++) {
        const unsigned char *needle = (const unsigned char *)needles + k * size;
        size_t low = 0, high = n;
        while (low < high) {
            const size_t middle = (low + high) / 2;
            if (upper ? !before(needle, x + middle * size) : before(x + middle * size, needle))
                low = middle + 1;
            else
                high = middle;
        }
        out[k] = low;
    }
}
