/* Heads: the elements that differ from the one before them, in their bytes or as a function of the caller's says. */
#ifndef WW__HEADS_H
#define WW__HEADS_H

#include "function/function.h"

/* Bit i of bits is set where element first + i of the input is a head (element 0 is one); n <= a tile. equal: a WW_MAP2 of an
 * element and the one behind it, or NULL for their bytes. Returns how many there are, and in *elements where the tile's elements
 * are. buffer holds ww__heads_room(in, equal, n) bytes. */
size_t ww__heads(const ww_device *device, const ww_input *in, const ww_function *equal, uint64_t first, size_t n,
                 uint64_t *bits, void *buffer, const void **elements);

static inline size_t ww__heads_input_room(const ww_input *in, size_t tile) {
    return ww__round_up(ww__input_room(in, tile + 1), 64);
}
static inline size_t ww__heads_room(const ww_input *in, const ww_function *equal, size_t tile) {
    return ww__heads_input_room(in, tile) + (equal ? ww__round_up(tile, 64) : 0);
}

#endif
