/* Oracles of tiles. */
#ifndef TESTS_REFERENCE_TILES_H
#define TESTS_REFERENCE_TILES_H

#include <stdbool.h>
#include <stddef.h>

#include "warpwise/type.h"

/* Sorts each tile of n keys, in place, and values of value_size bytes (4 or 8; 0: none) with them: by the keys' order, and of
 * equal ones by the values as unsigned numbers. */
void reference_tiles_sort(const ww_type *type, size_t tile, size_t n, void *keys, size_t value_size, void *values);

/* out gets the items of `size` bytes in the order that their labels say, stably, tile by tile. */
void reference_tiles_move(size_t tile, size_t n, size_t size, const uint32_t *labels, const void *in, void *out);

void reference_tiles_transpose(size_t rows, size_t columns, size_t n, size_t size, const void *in, void *out);

#endif
