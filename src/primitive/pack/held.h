/* Packing an array into itself on a CPU. What a block keeps goes forward, to places whose elements other workers may not have read
 * yet. So a block's elements are compressed into the worker's own memory while the block does not have the turn; when it gets
 * that, all blocks before have done so, and the elements can go to their places.
 */
#ifndef WW__HELD_H
#define WW__HELD_H

#include "device/device.h"
#include "primitive/pack/compress.h"

typedef struct ww__held {
    ww__compress *compress;
    unsigned char *elements; /* ww__held_bytes */
    size_t size, many;
    size_t read, leading; /* elements of the block so far, and how many of them are kept before the first that is not */
} ww__held;

static inline size_t ww__held_bytes(size_t block, size_t size) {
    return ww__round_up(block * size + WW__COMPRESS_SLACK, 64);
}

void ww__held_begin(ww__held *held, ww__compress *compress, void *room, size_t size);
/* The next n elements of the block, of which those are kept whose bits are set. */
void ww__held_add(ww__held *held, const void *elements, const uint64_t *bits, size_t n);
/* To out[at], out[at + 1], … The second call is for a block of `out` itself that begins with element `first`: elements that stand
 * where they belong already are not written, so that a worker may compare the last of them with the first of the next block. */
void ww__held_put(const ww__held *held, void *out, uint64_t at);
void ww__held_put_moved(const ww__held *held, void *out, uint64_t first, uint64_t at);

#endif
