/* The numbers of primitive/reduce/fold.cuh: the brackets of docs/determinism.md, and how a tile is dealt out to threads. */
#ifndef WW__FOLD_GPU_H
#define WW__FOLD_GPU_H

#include "device/gpu/recipe.h"
#include "function/function.h"

typedef struct ww__folding {
    bool commuting;
    uint32_t tile, lanes; /* elements of a tile, lanes of a commutative fold */
    uint32_t team, items; /* threads that fold a tile, neighbouring lanes that one of them has */
    uint32_t unroll;      /* batches that a thread has in flight */
} ww__folding;

static inline uint32_t ww__fold_unroll(size_t batch_bytes) {
    enum { BYTES = 64, MOST = 16 };
    const size_t fit = BYTES / batch_bytes;
    return fit > MOST ? MOST : fit ? (uint32_t)fit : 1;
}

static inline ww__folding ww__folding_of(const ww_function *op, size_t size) {
    enum { WARP = 32, RUNS = 8, TILE_BYTES = 16384, TILE_MOST = 4096, TILE_LEAST = 2 };
    const size_t fit = TILE_BYTES / size;
    ww__folding f = {.commuting = op->flags & WW_COMMUTES, .lanes = (uint32_t)WW__LANES(size)};
    f.tile = fit > TILE_MOST ? TILE_MOST : fit < TILE_LEAST ? TILE_LEAST : (uint32_t)fit;
    f.team = !f.commuting ? RUNS : f.lanes < WARP ? f.lanes : WARP;
    f.items = f.commuting ? f.lanes / f.team : 1;
    f.unroll = ww__fold_unroll(f.items * size);
    return f;
}

static inline void ww__recipe_folding(ww__recipe *r, const ww__folding *f, bool vectors) {
    ww__recipe_number(r, "WW_COMMUTING", f->commuting);
    ww__recipe_number(r, "WW_LANES", f->lanes);
    ww__recipe_number(r, "WW_TEAM", f->team);
    ww__recipe_number(r, "WW_TILE", f->tile);
    ww__recipe_number(r, "WW_UNROLL", f->unroll);
    ww__recipe_number(r, "WW_ITEMS", f->items);
    ww__recipe_number(r, "WW_VECTORS", vectors);
}

#endif
