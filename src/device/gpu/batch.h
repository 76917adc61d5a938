/* How many neighbouring elements a thread reads and writes at once, and how many it has in all. */
#ifndef WW__BATCH_H
#define WW__BATCH_H

#include "device/gpu/gpu.h"

/* Elements of a batch: words of 16 bytes of the smallest elements that are moved (16 elements at most) where all arrays begin
 * at a multiple of 16 bytes; else 1. `out` may be NULL. */
uint32_t ww__batch_items(const ww_input *in, const ww_array *out);

/* Batches of a thread that are on their way at once: 64 bytes of them, four at most. */
static inline uint32_t ww__batches_in_flight(size_t batch_bytes) {
    enum { BYTES = 64, MOST = 4 };
    const size_t fit = BYTES / batch_bytes;
    return fit > MOST ? MOST : fit ? (uint32_t)fit : 1;
}

/* Whether all arrays begin at a multiple of 16 bytes. */
bool ww__batch_aligned(const ww_input *in, const ww_array *out);

/* WW_ITEMS and WW_VECTORS of device/kernel/types.cuh. */
void ww__recipe_batch(ww__recipe *r, uint32_t items);

/* A tile: what each of `threads` has (`rows` batches of `items` neighbours), and what a processor holds at once (`held`
 * blocks; 0: as many as it happens). */
typedef struct ww__tiling {
    uint32_t threads, rows, items, held;
    bool vectors;
} ww__tiling;

/* Elements of a tile. */
static inline uint64_t ww__tiling_elements(const ww__tiling *t) { return (uint64_t)t->threads * t->rows * t->items; }

/* No more rows than `count` elements need: of few each row costs time, which loops of small steps feel (docs/counts.md). */
static inline void ww__tiling_fit(ww__tiling *t, uint64_t count) {
    while (t->rows > 1 && (uint64_t)t->threads * (t->rows / 2) * t->items >= count) t->rows /= 2;
}

/* WW_THREADS, WW_ROWS, WW_ITEMS, WW_HELD and WW_VECTORS. */
void ww__recipe_tiling(ww__recipe *r, const ww__tiling *t);

/* Blocks that cover `count` elements, `tile` each. */
static inline uint64_t ww__blocks(uint64_t count, uint64_t tile) { return count / tile + (count % tile != 0); }

#endif
