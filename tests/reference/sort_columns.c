#include "reference/sort_columns.h"

#include <stdlib.h>
#include <string.h>

/* -1, 0, 1 for integers by value and floats by totalOrder. */
static int compare_elements(const ww_type *type, const void *data, uint64_t a, uint64_t b) {
    const char *const x = (const char *)data + a * type->size, *const y = (const char *)data + b * type->size;
#define AS(T) \
    do { \
        T p, q; \
        memcpy(&p, x, sizeof p); \
        memcpy(&q, y, sizeof q); \
        return (p > q) - (p < q); \
    } while (0)
    /* Of two negative floats the one with the larger magnitude comes first. */
#define AS_FLOAT(T) \
    do { \
        T p, q; \
        memcpy(&p, x, sizeof p); \
        memcpy(&q, y, sizeof q); \
        return p < 0 && q < 0 ? (p < q) - (p > q) : (p > q) - (p < q); \
    } while (0)
    if (type == &ww_type_uint8_t) AS(uint8_t);
    if (type == &ww_type_uint16_t) AS(uint16_t);
    if (type == &ww_type_uint32_t) AS(uint32_t);
    if (type == &ww_type_uint64_t) AS(uint64_t);
    if (type == &ww_type_int8_t) AS(int8_t);
    if (type == &ww_type_int16_t) AS(int16_t);
    if (type == &ww_type_int32_t) AS(int32_t);
    if (type == &ww_type_int64_t) AS(int64_t);
    if (type == &ww_type_float) AS_FLOAT(int32_t);
    AS_FLOAT(int64_t);
}

static bool goes_before(const reference_column *columns, size_t count, uint64_t a, uint64_t b) {
    for (size_t c = 0; c < count; c++) {
        const int order = compare_elements(columns[c].type, columns[c].data, a, b);
        if (order) return columns[c].descending ? order > 0 : order < 0;
    }
    return false;
}

void reference_sort_columns(const reference_column *columns, size_t count, uint64_t *index, size_t n) {
    uint64_t *other = malloc(n * sizeof *other + 1);
    if (!other) abort();
    for (size_t i = 0; i < n; i++) index[i] = i;
    for (size_t run = 1; run < n; run *= 2) {
        for (size_t first = 0; first < n; first += 2 * run) {
            const size_t middle = first + run < n ? first + run : n, end = middle + run < n ? middle + run : n;
            size_t a = first, b = middle;
            for (size_t k = first; k < end; k++)
                other[k] = a < middle && (b == end || !goes_before(columns, count, index[b], index[a])) ? index[a++]
                                                                                                        : index[b++];
        }
        memcpy(index, other, n * sizeof *index);
    }
    free(other);
}
