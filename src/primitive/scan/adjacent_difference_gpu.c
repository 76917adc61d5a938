/* The host side of differences on a GPU: one launch. */
#include "device/gpu/batch.h"
#include "primitive/scan/difference_arguments.cuh"
#include "primitive/scan/sides.h"

static const struct {
    uint32_t threads, rows;
} tuning[WW__TILINGS] = {[WW__TILES_GPU] = {256, 4}, [WW__TILES_SMALL] = {64, 2}};

ww_status ww__adjacent_difference_gpu(ww_device *device, const ww_input *in, const ww_array *out) {
    const ww__tiles tiles = device->gpu->driver->tiles;
    const uint32_t items = ww__batch_items(in, out), threads = tuning[tiles].threads, rows = tuning[tiles].rows;
    const ww_type *const type = in->type;
    void *to;
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/scan/adjacent_difference.cu");
    ww__recipe_number(&r, "WW_THREADS", threads);
    ww__recipe_number(&r, "WW_ROWS", rows);
    ww__recipe_batch(&r, items);
    ww__recipe_type(&r, "ww_item", type, out->size, NULL);
    if (type->kind == WW_KIND_FLOAT || type->size > sizeof(uint64_t))
        ww__recipe_type(&r, "ww_wide", type, type->size, NULL);
    else
        ww__recipe_type(&r, "ww_wide", &ww_type_uint64_t, sizeof(uint64_t), NULL);
    ww__recipe_input(&r, "in", in);
    WW_TRY(ww__gpu_room(device, out->data, out->size, &to));
    ww__arguments a;
    const difference_fixed fixed = {.out = to, .count = in->count};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(device, &a, in));
    const uint64_t tile = (uint64_t)threads * rows * items;
    WW_TRY(ww__gpu_launch(device, &r, "adjacent_difference", ww__blocks(in->count, tile), threads, 0, &a));
    return ww__gpu_result(device, out->data, to, out->size);
}
