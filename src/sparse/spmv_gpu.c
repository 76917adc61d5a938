/* The host side of a sparse matrix times vectors on a GPU. How many entries rows have is on the device: tiles are planned for as many as
 * the arrays have. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/call.h"
#include "device/gpu/batch.h"
#include "function/function.h"
#include "sparse/sides.h"
#include "sparse/spmv_arguments.cuh"

enum { WARP = 32, CUT_LANES = 8, CUT_LEAST = 2048 /* tiles; of fewer each looks for its rows */ };

/* Tiles of few steps (rows and entries), of many with elements of 4 bytes, and with those of 8: measured on an H100, 2026-11-24
 * (bench/results/2026-11-24-h100-spmv-tiles). */
typedef struct tiling {
    uint32_t threads, each;
} tiling;
static const struct {
    uint64_t many;
    tiling few, many_of_4, many_of_8;
} tuning[WW__TILINGS] =
    {[WW__TILES_GPU] = {1 << 22, {128, 7}, {256, 7}, {256, 5}}, [WW__TILES_SMALL] = {4096, {64, 3}, {64, 5}, {128, 3}}};

static tiling tiling_of(const ww_device *device, uint64_t steps, size_t size) {
    const ww__tiles tiles = device->gpu->driver->tiles;
    if (steps < tuning[tiles].many) return tuning[tiles].few;
    return size == 4 ? tuning[tiles].many_of_4 : tuning[tiles].many_of_8;
}

/* What sentences about bad data tell besides the limit, which is the number of columns: the first letters of the labels of columns
 * and offsets, and how many entries there are. */
static ww_status say_bad(ww_device *device, const ww__queued *call, uint64_t position, uint64_t value) {
    const uint64_t column = (uint64_t)1 << 63;
    if (position & column) return ww__say_column(device, call->name, call->limit, position ^ column, value);
    return ww__say_row_offset(device, call->name + 1, strtoull(call->name + 2, NULL, 10), position, value);
}

static ww_status begin_checking(ww_device *device, const ww__spmv_request *r, ww__gpu_checking *checking) {
    char told[32];
    snprintf(told, sizeof told, "%c%c%llu", r->columns->type->label[0], r->offsets->type->label[0],
             (unsigned long long)r->values->count);
    return ww__gpu_checking_begin(device, say_bad, told, r->width, checking);
}

/* 0 for one vector, else a power of two that is not below their number. */
static uint64_t lanes_of(uint64_t vectors) {
    uint64_t lanes = 2;
    if (vectors == 1) return 0;
    while (lanes < vectors) lanes *= 2;
    return lanes;
}

/* Components that are read as one word. */
static uint64_t pack_of(const ww__spmv_request *r, size_t size) {
    uint64_t pack = 16 / size;
    while (pack > 1 && (r->vectors % pack || (uintptr_t)r->x % (pack * size))) pack /= 2;
    return pack;
}

ww_status ww__spmv_gpu(ww_device *device, const ww__spmv_request *r) {
    const ww_type *type = r->values->type;
    const uint64_t steps = r->rows + r->values->count;
    const tiling t = tiling_of(device, steps, type->size);
    const uint32_t threads = t.threads, each = t.each;
    const uint64_t tile = (uint64_t)threads * each, tiles = ww__blocks(steps, tile);
    spmv_fixed fixed = {.x = r->x,
                        .rows = r->rows,
                        .entries = ww__offset_most(r->offsets, r->values->count),
                        .width = r->width,
                        .vectors = r->vectors,
                        .tiles = tiles};
    const bool cut = tiles >= (device->gpu->driver->tiles == WW__TILES_GPU ? CUT_LEAST : 4);
    void *y;
    if (type->kind == WW_KIND_SIGNED) type = type->size == 4 ? &ww_type_uint32_t : &ww_type_uint64_t; /* wrap alike */
    memcpy(&fixed.alpha, r->alpha, type->size);
    memcpy(&fixed.beta, r->beta, type->size);
    ww__recipe recipe;
    ww__recipe_begin(&recipe, "sparse/spmv.cu");
    ww__recipe_number(&recipe, "WW_THREADS", threads);
    ww__recipe_number(&recipe, "WW_EACH", each);
    ww__recipe_number(&recipe, "WW_CUT", cut);
    ww__recipe_number(&recipe, "WW_MANY", lanes_of(r->vectors));
    ww__recipe_number(&recipe, "WW_PACK", pack_of(r, type->size));
    ww__recipe_number(&recipe, "WW_WIDE", r->width > UINT32_MAX);
    ww__recipe_number(&recipe, "WW_SCALED", r->scaled);
    ww__recipe_number(&recipe, "WW_ACCUMULATES", r->accumulates);
    ww__recipe_type(&recipe, "ww_item", type, type->size, r->y->data);
    ww__recipe_input(&recipe, "values", r->values);
    ww__recipe_input(&recipe, "columns", r->columns);
    ww__recipe_input(&recipe, "offsets", r->offsets);
    WW_TRY(ww__scratch_array(device, tiles * r->vectors, type->size, &fixed.carry));
    WW_TRY(ww__scratch_array(device, tiles * r->vectors, type->size, &fixed.head));
    WW_TRY(ww__scratch_array(device, tiles + 1, sizeof(uint64_t), &fixed.row));
    WW_TRY(ww__scratch_array(device, tiles, sizeof(uint64_t), &fixed.head_row));
    WW_TRY(r->y->count == 1 ? ww__gpu_room_kept(device, r->y, &y) : ww__gpu_room(device, r->y->data, r->y->size, &y));
    fixed.y = y;
    WW_TRY(begin_checking(device, r, &fixed.checking));
    ww__arguments a;
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(device, &a, r->values));
    WW_TRY(ww__argument_input(device, &a, r->columns));
    WW_TRY(ww__argument_input(device, &a, r->offsets));
    if (cut) WW_TRY(ww__gpu_launch(device, &recipe, "cut", ww__blocks(tiles + 1, threads / CUT_LANES), threads, 0, &a));
    WW_TRY((cut ? ww__gpu_launch_early : ww__gpu_launch)(device, &recipe, "tiles", tiles, threads, 0, &a));
    if (tiles > 1)
        WW_TRY(ww__gpu_launch_early(device, &recipe, "join", ww__blocks(tiles, threads / WARP), threads, 0, &a));
    return ww__gpu_result(device, r->y->data, y, r->y->size);
}
