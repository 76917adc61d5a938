/* The host side of reductions on a GPU: one launch of as many blocks as the GPU holds at once. */
#include "device/call.h"
#include "device/gpu/batch.h"
#include "device/steps.h"
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

/* Threads of a block, blocks that a processor holds (0: as it happens), and elements of up to 4 bytes that a thread has in flight; of
 * kernels that stage tiles the same. Measured on an H100, 2026-11-27 (bench/results/2026-11-27-h100-all/variants.txt): of f32 701 G/s at
 * 10^8 and 82 at 10^6, where 16 in flight and as many blocks as fit reach 650 and 67. Several neighbouring lanes a thread are slower, of f16
 * too. */
static const struct {
    uint32_t threads, held, unroll, staged_threads, staged_held;
} tuning[WW__TILINGS] = {[WW__TILES_GPU] = {256, 4, 32, 256, 4}, [WW__TILES_SMALL] = {256, 1, 8, 128, 1}};

/* Whether a block brings a tile to shared memory: one of 16 KiB, whose lanes are a warp at most. Halves, of which less is read than is
 * put there, only where there are few. */
static bool is_staged(ww_device *device, const ww__folding *f, const ww_input *in) {
    enum { FEW = 1 << 22 };
    const size_t size = in->size;
    bool halves = false;
    for (uint32_t s = 0; s < in->steps; s++) halves |= ww__step_size(in, s) < size;
    return ww__gpu_compiles(device) && f->commuting && (size == 4 || size == 8 || size == 16) &&
           (!halves || in->count < FEW);
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
    const bool staged = is_staged(device, &f, in), unrolled = f.commuting && size <= 4;
    const uint32_t threads = staged ? tuning[t].staged_threads : tuning[t].threads, held = staged
                                                                                               ? tuning[t].staged_held
                                                                                           : unrolled ? tuning[t].held
                                                                                                      : 0;
    const uint64_t teams = staged ? 1 : threads / f.team;
    const bool vectors = f.items > 1 && ww__batch_items(in, NULL) >= f.items;
    if (unrolled) f.unroll = tuning[t].unroll;
    if (staged) f.items = ww__batch_items(in, NULL);
    const uint64_t whole = (uint64_t)device->gpu->driver->processors * (held ? held : BLOCKS_A_PROCESSOR);
    const uint64_t blocks = ww__min_u64(ww__blocks(tiles, teams), whole);
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/reduce/reduce.cu");
    ww__recipe_number(&r, "WW_THREADS", threads);
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
    WW_TRY(ww__gpu_launch(device, &r, "reduce", blocks, threads, 0, &a));
    return ww__gpu_result(device, out->data, to, size);
}
