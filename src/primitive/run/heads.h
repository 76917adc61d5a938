/* Heads: the elements that differ in their bytes from the one before them. */
#ifndef WW__HEADS_H
#define WW__HEADS_H

#include "function/function.h"

/* Bit i of bits is set where element first + i of the input is a head (element 0 is one); n <= a tile. Returns how many
 * there are, and in *elements where the tile's elements are. buffer holds ww__heads_room(in, n) bytes. */
size_t ww__heads(const ww_device *device, const ww_input *in, uint64_t first, size_t n, uint64_t *bits, void *buffer,
                 const void **elements);
static inline size_t ww__heads_room(const ww_input *in, size_t tile) { return ww__input_room(in, tile + 1); }

#endif
