/* Small squares of a matrix that are transposed in vector registers. */
#ifndef WW__ARRANGE_TILES_H
#define WW__ARRANGE_TILES_H

#include "device/device.h"

/* Transposes `rows` times `columns` elements of `size` bytes; rows of `from` lie from_step bytes apart, those of `to`, which are its
 * columns, to_step. */
void ww__transpose_block(const ww_device *device, void *to, size_t to_step, const void *from, size_t from_step,
                         size_t rows, size_t columns, size_t size);

#endif
