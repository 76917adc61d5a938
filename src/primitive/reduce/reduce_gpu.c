/* The host side of reductions on a GPU: one launch of as many blocks as the GPU holds at once. */
#include <stdlib.h>
#include "device/call.h"
#include "device/gpu/batch.h"
#include "function/function.h"
#include "primitive/reduce/fold_gpu.h"
#include "primitive/reduce/reduce_arguments.cuh"
#include "primitive/reduce/sides.h"

enum { THREADS = 256, BLOCKS_A_PROCESSOR = 8, ELEMENT_MOST = 1024 };

static ww_status reduce_exact(ww_device *device, const ww_function *op, const ww_input *in, const ww_array *out) {
    const size_t size = in->size;
    const uint32_t items = ww__batch_items(in, NULL), unroll = ww__fold_unroll(items * size);
    const uint64_t whole = (uint64_t)device->gpu->driver->processors * BLOCKS_A_PROCESSOR;
    const uint64_t blocks = ww__min_u64(ww__blocks(in->count, (uint64_t)THREADS * items * unroll), whole);
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/reduce/reduce_exact.cu");
    ww__recipe_number(&r, "WW_THREADS", THREADS);
    ww__recipe_number(&r, "WW_UNROLL", unroll);
    ww__recipe_batch(&r, items);
    ww__recipe_type(&r, "ww_item", in->type, size, NULL);
    ww__recipe_function(&r, "ww_op", op);
    ww__recipe_input(&r, "in", in);
    if (!ww__gpu_compiles(device)) ww__recipe_share_signs(&r, op);

    const uint64_t *count_at = ww__take_count(device, in);
    ww__recipe_counted(&r, count_at);
    void *to, *of_block, *ticket = NULL;
    WW_TRY(ww__gpu_room(device, out->data, size, &to));
    WW_TRY(ww__scratch_array(device, blocks, size, &of_block));
    if (blocks > 1) WW_TRY(ww__gpu_ticket(device, &ticket));
    ww__arguments a;
    const reduce_exact_fixed fixed = {
        .out = to, .count = in->count, .count_at = count_at, .of_block = of_block, .ticket = ticket};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument(device, &a, op->identity, size, 16));
    WW_TRY(ww__argument_input(device, &a, in));
    WW_TRY(ww__gpu_launch(device, &r, "reduce", blocks, THREADS, 0, &a));
    return ww__gpu_result(device, out->data, to, size);
}

/* Threads of a block, and blocks that a processor holds of kernels that stage tiles (0: as it happens). */
static const struct {
    uint32_t threads, held;
} tuning[WW__TILINGS] = {[WW__TILES_GPU] = {256, 6}, [WW__TILES_SMALL] = {128, 1}};

/* Whether a block brings its tile to shared memory: one of 16 KiB, whose lanes are a warp at most. */
static bool is_staged(const ww__folding *f, size_t size) {
    return f->commuting && (size == 4 || size == 8 || size == 16);
}

ww_status ww__reduce_gpu(ww_device *device, const ww_function *op, const ww_input *in, const ww_array *out) {
    const size_t size = in->size;
    ww__folding f = ww__folding_of(op, size);
    const ww_kind kind = in->type->kind;
    WW_CHECK(device, size <= ELEMENT_MOST, WW_LIMIT,
             "elements of %zu bytes are reduced on a CPU only; a GPU takes up to %d", size, ELEMENT_MOST);
    if (f.commuting && (kind == WW_KIND_UNSIGNED || kind == WW_KIND_SIGNED)) return reduce_exact(device, op, in, out);
    const uint64_t tiles = ww__blocks(in->count, f.tile);
    const ww__tiles t = device->gpu->driver->tiles;
    const bool staged = is_staged(&f, size);
    uint32_t held = staged ? tuning[t].held : 0;
    if (getenv("X_HELD")) held = (uint32_t)atoi(getenv("X_HELD"));
    const uint64_t teams = staged ? 1 : tuning[t].threads / f.team;
    const bool vectors = f.items > 1 && ww__batch_items(in, NULL) >= f.items;
    if (staged) f.items = ww__batch_items(in, NULL);
    const uint64_t whole = (uint64_t)device->gpu->driver->processors * (held ? held : BLOCKS_A_PROCESSOR);
    const uint64_t blocks = ww__min_u64(ww__blocks(tiles, teams), whole);
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/reduce/reduce.cu");
    ww__recipe_number(&r, "WW_THREADS", tuning[t].threads);
    ww__recipe_number(&r, "WW_HELD", held);
    ww__recipe_folding(&r, &f, staged ? f.items > 1 : vectors);
    ww__recipe_number(&r, "WW_STAGED", staged);
    ww__recipe_type(&r, "ww_item", in->type, size, NULL);
    ww__recipe_function(&r, "ww_op", op);
    ww__recipe_input(&r, "in", in);
    if (!ww__gpu_compiles(device)) ww__recipe_share_signs(&r, op);

    const uint64_t *count_at = ww__take_count(device, in);
    ww__recipe_counted(&r, count_at);
    void *to, *level, *ticket = NULL;
    const uint64_t levels = tiles; /* each level is at most half of the one before */
    WW_TRY(ww__gpu_room(device, out->data, size, &to));
    WW_TRY(ww__scratch_array(device, 2 * levels, size, &level));
    if (blocks > 1) WW_TRY(ww__gpu_ticket(device, &ticket));
    ww__arguments a;
    const reduce_fixed fixed = {.out = to, .count = in->count, .count_at = count_at, .level = level, .ticket = ticket};
    WW__ARGUMENTS(&a, fixed);
    if (count_at) WW_TRY(ww__argument(device, &a, op->identity, size, 16));
    WW_TRY(ww__argument_input(device, &a, in));
    WW_TRY(ww__gpu_launch(device, &r, "reduce", blocks, tuning[t].threads, 0, &a));
    return ww__gpu_result(device, out->data, to, size);
}
