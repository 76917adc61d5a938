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

/* What one of the two kernels' files is made of. */
typedef struct way {
    ww__recipe recipe;
    spmv_fixed fixed;
    spmv_lists lists;
    const ww_type *item;
    void *y;
} way;

static void begin_recipe(way *w, const ww__spmv_request *r, const char *file, uint32_t threads) {
    const size_t size = r->y->type->size;
    ww__recipe_begin(&w->recipe, file);
    ww__recipe_number(&w->recipe, "WW_THREADS", threads);
    ww__recipe_number(&w->recipe, "WW_MANY", lanes_of(r->vectors));
    ww__recipe_number(&w->recipe, "WW_PACK", pack_of(r, size));
    ww__recipe_number(&w->recipe, "WW_WIDE", r->width > UINT32_MAX);
    ww__recipe_number(&w->recipe, "WW_SCALED", r->scaled);
    ww__recipe_number(&w->recipe, "WW_ACCUMULATES", r->accumulates);
}

static void end_recipe(way *w, const ww__spmv_request *r) {
    ww__recipe_type(&w->recipe, "ww_item", w->item, w->item->size, r->y->data);
    ww__recipe_input(&w->recipe, "values", r->values);
    ww__recipe_input(&w->recipe, "columns", r->columns);
    ww__recipe_input(&w->recipe, "offsets", r->offsets);
}

static ww_status begin_way(ww_device *device, const ww__spmv_request *r, way *w) {
    const ww_type *type = r->values->type;
    if (type->kind == WW_KIND_SIGNED) type = type->size == 4 ? &ww_type_uint32_t : &ww_type_uint64_t; /* wrap alike */
    w->item = type;
    w->fixed = (spmv_fixed){.x = r->x,
                            .rows = r->rows,
                            .entries = ww__offset_most(r->offsets, r->values->count),
                            .width = r->width,
                            .vectors = r->vectors};
    memcpy(&w->fixed.alpha, r->alpha, type->size);
    memcpy(&w->fixed.beta, r->beta, type->size);
    WW_TRY(r->y->count == 1 ? ww__gpu_room_kept(device, r->y, &w->y)
                            : ww__gpu_room(device, r->y->data, r->y->size, &w->y));
    w->fixed.y = w->y;
    return begin_checking(device, r, &w->fixed.checking);
}

static ww_status make_arguments(ww_device *device, const ww__spmv_request *r, const way *w, ww__arguments *a) {
    WW__ARGUMENTS(a, w->fixed);
    WW_TRY(ww__argument_input(device, a, r->values));
    WW_TRY(ww__argument_input(device, a, r->columns));
    return ww__argument_input(device, a, r->offsets);
}

/* ---- row by row ---- */

static const struct row_tuning {
    uint32_t threads, chunk_each;              /* chunk_each: entries of a thread, of a row that a block adds up */
    uint64_t alone;                            /* entries: of no more rows are not listed */
    uint64_t one_most;                         /* rows and entries, of one vector: more go by tiles */
    uint32_t lane_entries, lane_entries_alone; /* of the average row, at least, of each of its threads */
    uint32_t held;
} row_tunings[WW__TILINGS] =
    {[WW__TILES_GPU] = {256, 32, 1 << 14, 1 << 14, 8, 1, 4}, [WW__TILES_SMALL] = {64, 2, 500, 4000, 4, 2, 1}};

static bool goes_by_rows(const ww_device *device, const ww__spmv_request *r, uint64_t vectors) {
    const struct row_tuning *const t = &row_tunings[device->gpu->driver->tiles];
    if (!r->rows || !r->values->count || vectors > WARP) return false;
    return r->vectors > 1 || r->rows + r->values->count < t->one_most;
}

static ww_status list_rows(ww_device *device, const ww__spmv_request *r, way *w, uint32_t chunk) {
    const uint64_t rows = r->values->count / chunk, chunks = 2 * rows + 1; /* of rows that are longer than one */
    void *listed;
    WW_TRY(ww__scratch_array(device, rows, 4 * sizeof(uint64_t), &w->lists.list)); /* struct ww_listed */
    WW_TRY(ww__scratch_array(device, rows, sizeof(uint32_t), &w->lists.tickets));
    WW_TRY(ww__scratch_array(device, chunks * r->vectors, w->item->size, &w->fixed.carry));
    WW_TRY(ww__gpu_ticket(device, &listed));
    w->lists.listed = listed;
    w->lists.list_room = rows;
    w->lists.chunk_room = chunks;
    return WW_OK;
}

static ww_status launch_long_rows(ww_device *device, const way *w, const struct row_tuning *t, const ww__arguments *a) {
    const uint64_t held = (uint64_t)device->gpu->driver->processors * t->held;
    const ww_status status = ww__gpu_launch_early(device, &w->recipe, "long_rows",
                                                  ww__min_u64(w->lists.chunk_room, held), t->threads, 0, a);
    if (status) WW_TRY(ww__gpu_fill(device, w->lists.listed, 0, WW__COUNTER_BYTES)); /* nobody else empties the list */
    return status;
}

static ww_status by_rows(ww_device *device, const ww__spmv_request *r, uint32_t vectors) {
    const struct row_tuning *const t = &row_tunings[device->gpu->driver->tiles];
    const uint64_t average = r->values->count / r->rows;
    const bool lists = r->values->count > t->alone;
    const uint32_t lane_entries = lists ? t->lane_entries : t->lane_entries_alone;
    uint32_t lanes = 1;
    while (2 * lanes * vectors <= WARP && 2 * lanes * lane_entries <= average) lanes *= 2;
    const uint32_t block_rows = t->threads / (vectors * lanes), chunk = t->threads / vectors * t->chunk_each;
    way w;
    w.lists = (spmv_lists){0};
    WW_TRY(begin_way(device, r, &w));
    begin_recipe(&w, r, "sparse/spmv_rows.cu", t->threads);
    ww__recipe_number(&w.recipe, "WW_LANES", lanes);
    ww__recipe_number(&w.recipe, "WW_LISTS", lists);
    ww__recipe_number(&w.recipe, "WW_CHUNK_EACH", t->chunk_each);
    end_recipe(&w, r);
    if (lists) WW_TRY(list_rows(device, r, &w, chunk));
    ww__arguments a;
    WW_TRY(make_arguments(device, r, &w, &a));
    WW_TRY(ww__argument(device, &a, &w.lists, sizeof w.lists, _Alignof(spmv_lists)));
    WW_TRY(ww__gpu_launch(device, &w.recipe, "rows", ww__blocks(r->rows, block_rows), t->threads, 0, &a));
    if (lists && w.lists.list_room) WW_TRY(launch_long_rows(device, &w, t, &a));
    return ww__gpu_result(device, r->y->data, w.y, r->y->size);
}

/* ---- by tiles of rows and entries ---- */

static ww_status by_tiles(ww_device *device, const ww__spmv_request *r) {
    const uint64_t steps = r->rows + r->values->count;
    const tiling t = tiling_of(device, steps, r->values->type->size);
    const uint32_t threads = t.threads;
    const uint64_t tiles = ww__blocks(steps, (uint64_t)threads * t.each);
    const bool cut = tiles >= (device->gpu->driver->tiles == WW__TILES_GPU ? CUT_LEAST : 4);
    way w;
    WW_TRY(begin_way(device, r, &w));
    w.fixed.tiles = tiles;
    begin_recipe(&w, r, "sparse/spmv.cu", threads);
    ww__recipe_number(&w.recipe, "WW_EACH", t.each);
    ww__recipe_number(&w.recipe, "WW_CUT", cut);
    end_recipe(&w, r);
    WW_TRY(ww__scratch_array(device, tiles * r->vectors, w.item->size, &w.fixed.carry));
    WW_TRY(ww__scratch_array(device, tiles * r->vectors, w.item->size, &w.fixed.head));
    WW_TRY(ww__scratch_array(device, tiles + 1, sizeof(uint64_t), &w.fixed.row));
    WW_TRY(ww__scratch_array(device, tiles, sizeof(uint64_t), &w.fixed.head_row));
    ww__arguments a;
    WW_TRY(make_arguments(device, r, &w, &a));
    if (cut)
        WW_TRY(ww__gpu_launch(device, &w.recipe, "cut", ww__blocks(tiles + 1, threads / CUT_LANES), threads, 0, &a));
    WW_TRY((cut ? ww__gpu_launch_early : ww__gpu_launch)(device, &w.recipe, "tiles", tiles, threads, 0, &a));
    if (tiles > 1)
        WW_TRY(ww__gpu_launch_early(device, &w.recipe, "join", ww__blocks(tiles, threads / WARP), threads, 0, &a));
    return ww__gpu_result(device, r->y->data, w.y, r->y->size);
}

ww_status ww__spmv_gpu(ww_device *device, const ww__spmv_request *r) {
    const uint64_t vectors = r->vectors == 1 ? 1 : lanes_of(r->vectors) / pack_of(r, r->values->type->size);
    return goes_by_rows(device, r, vectors) ? by_rows(device, r, (uint32_t)vectors) : by_tiles(device, r);
}
