/* Which elements are chosen: by flags, or by a predicate on the elements themselves.
 *
 * Work goes by blocks, which workers claim, and in them by tiles, which fit into the first-level cache. */
#ifndef WW__CHOICE_H
#define WW__CHOICE_H

#include "function/function.h"

typedef struct ww__choice {
    const ww_device *device;
    const ww_input *in;
    const ww_input *flags;        /* NULL: by the predicate */
    const ww_function *predicate; /* a WW_MAP */
    size_t tile, words;           /* elements of a tile, words of its bits */
    size_t block;                 /* elements of a block: whole tiles */
    uint64_t blocks;
    size_t in_room, room; /* bytes of a worker's buffer: for a tile's elements, and all of it */
} ww__choice;

/* Fills the last six: blocks of about block_bytes of the input, smaller where workers would go without. */
void ww__choice_plan(ww__choice *choice, size_t block_bytes, size_t workers);

/* The words of a block's bits. */
static inline size_t ww__choice_words(const ww__choice *choice) { return choice->block / choice->tile * choice->words; }

/* The elements of block b, the last of which may be a short one. */
static inline size_t ww__choice_count(const ww__choice *choice, uint64_t b) {
    return (size_t)ww__min_u64(choice->block, choice->in->count - b * choice->block);
}

/* Bits of the elements first … first + n - 1, n <= tile; returns how many are chosen, and *elements, if that is wanted. */
size_t ww__choice_tile(const ww__choice *choice, uint64_t first, size_t n, uint64_t *bits, void *buffer,
                       const void **elements);
/* The same for n <= block elements; tile t's bits begin at bits[t * words]. */
size_t ww__choice_block(const ww__choice *choice, uint64_t first, size_t n, uint64_t *bits, void *buffer);

/* The elements themselves. */
static inline const void *ww__choice_elements(const ww__choice *choice, uint64_t first, size_t n, void *buffer) {
    return ww__input_read(choice->device, choice->in, first, n, buffer);
}

/* Elements of a tile of inputs that are computed: at most so many that `room` bytes hold what is computed, 64 or a
 * multiple of it where that many fit, so that a tile's bits are whole words. */
size_t ww__tile_within(size_t element, size_t room, const ww_input *a, const ww_input *b);

#endif
