#include "reference/tiles.h"

#include <stdlib.h>
#include <string.h>

#include "reference/sort.h"

/* x[i] = x[positions[i]]. */
static void arrange(void *x, size_t n, size_t size, const uint32_t *positions) {
    unsigned char *const to = x, *const from = malloc(n * size + 1);
    memcpy(from, x, n * size);
    for (size_t i = 0; i < n; i++) memcpy(to + i * size, from + positions[i] * size, size);
    free(from);
}

void reference_tiles_sort(const ww_type *type, size_t tile, size_t n, void *keys, size_t value_size, void *values) {
    uint32_t *const positions = malloc(tile * sizeof *positions);
    const reference_order by_value = {value_size == 8 ? &ww_type_uint64_t : &ww_type_uint32_t, false, 0, 0},
                          by_key = {type, false, 0, 0};
    for (size_t first = 0; first < n; first += tile) {
        unsigned char *const k = (unsigned char *)keys + first * type->size, *const v = (unsigned char *)values +
                                                                                        first * value_size;
        if (value_size) {
            reference_sort_positions(by_value, v, tile, positions);
            arrange(k, tile, type->size, positions);
            arrange(v, tile, value_size, positions);
        }
        reference_sort_positions(by_key, k, tile, positions);
        arrange(k, tile, type->size, positions);
        if (value_size) arrange(v, tile, value_size, positions);
    }
    free(positions);
}

void reference_tiles_move(size_t tile, size_t n, size_t size, const uint32_t *labels, const void *in, void *out) {
    unsigned char *to = out;
    for (size_t first = 0; first < n; first += tile)
        for (uint32_t label = 0; label < tile; label++)
            for (size_t i = first; i < first + tile; i++)
                if (labels[i] == label) {
                    memcpy(to, (const unsigned char *)in + i * size, size);
                    to += size;
                }
}

void reference_tiles_transpose(size_t rows, size_t columns, size_t n, size_t size, const void *in, void *out) {
    const size_t tile = rows * columns;
    for (size_t i = 0; i < n; i++) {
        const size_t r = i % tile / columns, c = i % columns;
        memcpy((unsigned char *)out + (i / tile * tile + c * rows + r) * size, (const unsigned char *)in + i * size,
               size);
    }
}
