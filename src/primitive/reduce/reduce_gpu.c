/* The host side of reductions on a GPU: one launch of as many blocks as the GPU holds at once. */
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

    const uint64_t *count_at = ww__take_count(device, in);
    ww__recipe_counted(&r, count_at);
    void *to, *of_block, *ticket;
    WW_TRY(ww__gpu_room(device, out->data, size, &to));
    WW_TRY(ww__scratch(device, sizeof(uint32_t), &ticket));
    WW_TRY(ww__scratch_array(device, blocks, size, &of_block));
    if (blocks > 1) WW_TRY(ww__gpu_fill(device, ticket, 0, sizeof(uint32_t)));
    ww__arguments a;
    const reduce_exact_fixed fixed = {
        .out = to, .count = in->count, .count_at = count_at, .of_block = of_block, .ticket = ticket};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument(device, &a, op->identity, size, 16));
    WW_TRY(ww__argument_input(device, &a, in));
    WW_TRY(ww__gpu_launch(device, &r, "reduce", blocks, THREADS, 0, &a));
    return ww__gpu_result(device, out->data, to, size);
}

/* How a tile is dealt out: threads of a block, blocks that a processor holds (0: as it happens), and of small elements the lanes and the batches
 * in flight of a thread. */
typedef struct shape {
    uint32_t threads, held, items, unroll;
} shape;
static const struct {
    shape usual, few; /* few: less than SEVERAL tiles a processor */
} tuning[WW__TILINGS] = {
    [WW__TILES_GPU] = {{256, 0, 1, 16}, {64, 0, 1, 64}},
    [WW__TILES_SMALL] = {{256, 0, 2, 4}, {64, 0, 1, 16}},
};

static const shape *shape_of(const ww_device *device, uint64_t tiles) {
    enum { SEVERAL = 16 };
    const ww__driver *driver = device->gpu->driver;
    return tiles < (uint64_t)SEVERAL * driver->processors ? &tuning[driver->tiles].few : &tuning[driver->tiles].usual;
}

/* The brackets are the operator's and the size's: how many lanes a thread has does not show. */
static void fit(ww__folding *f, const shape *p, const ww_input *in) {
    const uint32_t items = ww__batch_items(in, NULL);
    if (!f->commuting || f->team < 32 || in->size > 4) return;
    while (f->items < p->items && f->items < items) {
        f->items *= 2;
        f->team /= 2;
    }
    f->unroll = p->unroll;
}

ww_status ww__reduce_gpu(ww_device *device, const ww_function *op, const ww_input *in, const ww_array *out) {
    const size_t size = in->size;
    ww__folding f = ww__folding_of(op, size);
    const ww_kind kind = in->type->kind;
    WW_CHECK(device, size <= ELEMENT_MOST, WW_LIMIT,
             "elements of %zu bytes are reduced on a CPU only; a GPU takes up to %d", size, ELEMENT_MOST);
    if (f.commuting && (kind == WW_KIND_UNSIGNED || kind == WW_KIND_SIGNED)) return reduce_exact(device, op, in, out);
    const uint64_t tiles = ww__blocks(in->count, f.tile);
    const shape *const p = shape_of(device, tiles);
    fit(&f, p, in);
    const uint64_t teams = p->threads / f.team;
    const uint64_t whole = (uint64_t)device->gpu->driver->processors * (p->held ? p->held : BLOCKS_A_PROCESSOR);
    const uint64_t blocks = ww__min_u64(ww__blocks(tiles, teams), whole);
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/reduce/reduce.cu");
    ww__recipe_number(&r, "WW_THREADS", p->threads);
    ww__recipe_number(&r, "WW_HELD", p->held);
    ww__recipe_folding(&r, &f, f.items > 1 && ww__batch_items(in, NULL) >= f.items);
    ww__recipe_type(&r, "ww_item", in->type, size, NULL);
    ww__recipe_function(&r, "ww_op", op);
    ww__recipe_input(&r, "in", in);

    const uint64_t *count_at = ww__take_count(device, in);
    ww__recipe_counted(&r, count_at);
    void *to, *level, *ticket;
    const uint64_t levels = tiles; /* each level is at most half of the one before */
    WW_TRY(ww__gpu_room(device, out->data, size, &to));
    WW_TRY(ww__scratch(device, sizeof(uint32_t), &ticket));
    WW_TRY(ww__scratch_array(device, 2 * levels, size, &level));
    if (blocks > 1) WW_TRY(ww__gpu_fill(device, ticket, 0, sizeof(uint32_t)));
    ww__arguments a;
    const reduce_fixed fixed = {.out = to, .count = in->count, .count_at = count_at, .level = level, .ticket = ticket};
    WW__ARGUMENTS(&a, fixed);
    if (count_at) WW_TRY(ww__argument(device, &a, op->identity, size, 16));
    WW_TRY(ww__argument_input(device, &a, in));
    WW_TRY(ww__gpu_launch(device, &r, "reduce", blocks, p->threads, 0, &a));
    return ww__gpu_result(device, out->data, to, size);
}
