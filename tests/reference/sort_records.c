#include "reference/sort_records.h"

#include <stdlib.h>
#include <string.h>

static struct {
    const unsigned char *keys;
    size_t size, bytes;
    bool descending;
} by;

static int compare(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const int order = memcmp(by.keys + x * by.size, by.keys + y * by.size, by.bytes);
    if (order) return by.descending ? -order : order;
    return (x > y) - (x < y);
}

void reference_sort_records(const void *records, size_t n, size_t size, size_t first, size_t bytes, bool descending,
                            uint32_t *positions) {
    by.keys = (const unsigned char *)records + first;
    by.size = size;
    by.bytes = bytes;
    by.descending = descending;
    for (size_t i = 0; i < n; i++) positions[i] = (uint32_t)i;
    qsort(positions, n, sizeof *positions, compare);
}
